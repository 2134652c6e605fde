/** The end of a spend: it is committed, released or expired. Each returns the new record, and the refunded amount. */
import { formatInstant } from '../../base/values/instant.ts';
import { amountText, readAmount, toUnits, unitsText } from '../../base/values/money.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { IdentityError, invalidRequest } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { Amount, IntentUsage } from '../../records.ts';
import { replace } from '../storage/store.ts';
import type { SpendRecord } from './collections.ts';
import { holdsCounter } from './counters.ts';

/** The instant of a settlement, and the retention of the settled record. */
export interface SettleTime {
  /** The present of the store, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly retentionDays: number;
}

/** A change of a spend in one write, all or nothing. */
export interface Settlement {
  readonly next: SpendRecord;
  readonly changes: readonly Change[];
}

interface Return {
  /** The units of money that go back. */
  readonly units: bigint;
  /** The units that are no longer held, whether they go back or not. */
  readonly unheld: bigint;
  /** `true` if the intent is no longer counted. */
  readonly isAll: boolean;
  /** `true` if the hold ends. */
  readonly endsHold: boolean;
}

/** Reads the amount in units; `undefined` if there is none. Throws `invalid_request`. */
export function readUnits(
  { amount: whole, decimals }: SpendRecord,
  asked: Amount | undefined,
): bigint | undefined {
  if (asked === undefined) return undefined;
  const amount = readAmount(asked, decimals);
  const refuse = (message: string) => invalidRequest([{ path: '/amount', code: 'malformed', message }]);
  if (whole === null) throw refuse('This spend has no amount.');
  if (amount === null) throw refuse(`This must be an exact decimal with at most ${decimals} decimals.`);
  if (toUnits(amount, decimals) === 0n) throw refuse('This must be more than 0.');
  return toUnits(amount, decimals);
}

/** Returns `true` for a hold that is past its end but still stored as held. */
export function isDue({ due_at }: SpendRecord, at: number): boolean {
  return due_at !== undefined && Date.parse(due_at) <= at;
}

/** Returns `true` for a hold that ends while a resource may still accept its permit. */
export function outlivesHold({ held_until, permit_until }: SpendRecord): boolean {
  return held_until !== null && permit_until !== undefined && held_until < permit_until;
}

/** Ends a hold that is past its end: all of it goes back, or is committed if its permit outlives it. */
export function lapse(record: SpendRecord, time: SettleTime): Settlement {
  const units = leftOf(record);
  if (outlivesHold(record)) return commitUnits(record, units, time);
  const given = { units, unheld: units, isAll: true, endsHold: true };
  return settle({ ...record, status: 'lapsed', released_amount: record.amount }, given, time);
}

/** Commits a hold; the rest goes back. Returns `undefined` for a repeated commit. */
export function commit(
  record: SpendRecord,
  asked: bigint | undefined,
  time: SettleTime,
): Settlement | undefined {
  const { status, decimals, committed_amount, committed_whole } = record;
  if (status === 'lapsed') throw lapsed();
  if (status === 'released') throw conflict('All of this spend was released.');
  if (status === 'committed') {
    const isSame = asked === undefined ? committed_whole : asked === unitsOf(committed_amount, decimals);
    if (isSame) return undefined;
    throw conflict('This spend was committed with another amount.');
  }
  const left = leftOf(record);
  const taken = asked ?? left;
  if (taken > left) throw conflict(`Only ${unitsText(left, decimals)} is held.`);
  if (taken < left) assertPermitEnded(record, time);
  return commitUnits(record, taken, time);
}

/** Commits these units of a hold; the rest goes back. */
function commitUnits(record: SpendRecord, taken: bigint, time: SettleTime): Settlement {
  const { amount, decimals } = record;
  const left = leftOf(record);
  const next: SpendRecord = {
    ...record,
    status: 'committed',
    committed_amount: amount === null ? null : unitsText(taken, decimals),
    committed_whole: taken === left,
    released_amount: amount === null ? null : unitsText(releasedOf(record) + left - taken, decimals),
  };
  return settle(next, { units: left - taken, unheld: left, isAll: false, endsHold: true }, time);
}

/**
 * Throws `conflict` while a resource may accept the permit. Otherwise the refunded amount would pay for a second
 * action.
 */
function assertPermitEnded({ permit_until: until }: SpendRecord, { at }: SettleTime): void {
  if (until === undefined || Date.parse(until) <= at) return;
  const message = `A resource may accept the permit of this spend until ${until}. Nothing goes back before.`;
  throw new IdentityError('conflict', message, { details: { until } });
}

/** Refunds an amount that is held or was committed; by default all of it. */
export function release(record: SpendRecord, asked: bigint | undefined, time: SettleTime): Settlement {
  const { status, amount, decimals } = record;
  if (status === 'lapsed') throw lapsed();
  const left = leftOf(record);
  if (status === 'released' || (amount !== null && left === 0n && record.usage === undefined))
    throw conflict('Nothing is left to release.');
  const back = asked ?? left;
  if (back > left) throw conflict(`Only ${unitsText(left, decimals)} is left to release.`);
  assertPermitEnded(record, time);
  const isAll = back === left;
  if (!isAll && record.usage !== undefined) throw conflict('A spend with usage is released only as a whole.');
  const isHeld = status === 'held';
  const next: SpendRecord = {
    ...record,
    status: isAll ? 'released' : status,
    released_amount: amount === null ? null : unitsText(releasedOf(record) + back, decimals),
  };
  return settle(next, { units: back, unheld: isHeld ? back : 0n, isAll, endsHold: isHeld && isAll }, time);
}

export function lapsed(): IdentityError {
  return new IdentityError('spend_lapsed', 'The hold was over before: all of it went back.');
}

function settle(changed: SpendRecord, given: Return, { at, retentionDays }: SettleTime): Settlement {
  const { due_at, expires_at: _, ...record } = changed;
  const updated_at = formatInstant(at);
  const isHeld = record.status === 'held';
  const next: SpendRecord = {
    ...record,
    version: record.version + 1,
    updated_at,
    ...(isHeld && due_at !== undefined && { due_at }),
    ...(!isHeld && { expires_at: formatInstant(at + retentionDays * RESOLUTION_MS.day) }),
  };
  const add = (counter: string, by: number): Change => ({ op: 'add', counter, by: -by, at: updated_at });
  const back = record.takings
    // Adding to an expired counter would make a new one, with a sum below 0.
    .filter(({ expires_at }) => expires_at === null || expires_at > updated_at)
    .flatMap(({ used, held, by, is_money }) => {
      const unheld = is_money ? Number(given.unheld) : given.endsHold ? by : 0;
      const freed = is_money ? Number(given.units) : given.isAll ? by : 0;
      return [
        ...(freed > 0 ? [add(used, freed)] : []),
        ...(unheld > 0 && held !== undefined ? [add(held, unheld)] : []),
      ];
    });
  const ended = given.endsHold ? [add(holdsCounter(record), 1)] : [];
  return { next, changes: [replace('spends', next, record.version), ...back, ...ended] };
}

/** Returns the units that were not refunded. */
function leftOf(record: SpendRecord): bigint {
  return unitsOf(record.amount, record.decimals) - releasedOf(record);
}

function releasedOf({ released_amount, decimals }: SpendRecord): bigint {
  return unitsOf(released_amount, decimals);
}

function unitsOf(text: string | null, decimals: number): bigint {
  return text === null ? 0n : toUnits(readAmount(text) ?? '0', decimals);
}

function conflict(message: string): IdentityError {
  return new IdentityError('conflict', message);
}

/** Returns a usage as a spend record stores it. */
export function storedUsage({ tokens, credits }: IntentUsage): NonNullable<SpendRecord['usage']> {
  return {
    ...(tokens !== undefined && { tokens: amountText(tokens) }),
    ...(credits !== undefined && { credits: amountText(credits) }),
  };
}

/** Returns the text of an amount as a spend record stores it. */
export function storedAmount(amount: Amount | null): string | null {
  return amount === null ? null : amountText(amount);
}
