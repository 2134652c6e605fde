/** What becomes of a spend: committed, released or lapsed; each as the new record with what goes back. */
import { formatInstant } from '../../base/values/instant.ts';
import { amountText, readAmount } from '../../base/values/money.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { toUnits, unitsText } from '../../base/values/units.ts';
import { IdentityError, invalidRequest } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { SpendRecord } from '../../ports/stored-spends.ts';
import type { Amount } from '../../records.ts';
import { replace } from '../storage/store.ts';
import { holdsCounter } from './counters.ts';

/** When it happens, and how long what is settled is kept. */
export interface SettleTime {
  /** The present of the store in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly retentionDays: number;
}

/** A change of a spend: one write, all or nothing. */
export interface Settlement {
  readonly next: SpendRecord;
  readonly changes: readonly Change[];
}

/** What goes back into the windows that it was taken from. */
interface Return {
  /** Units of money. */
  readonly units: bigint;
  /** Units that are not held any more, whether they go back or not. */
  readonly unheld: bigint;
  /** Whether an intent is not counted any more. */
  readonly isAll: boolean;
  /** Whether the hold ends. */
  readonly endsHold: boolean;
}

/** The amount that is asked for, in units; `undefined`: none is named. Throws `invalid_request`. */
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

/** Whether a hold is over, and has only not been noticed yet. */
export function isDue({ due_at }: SpendRecord, at: number): boolean {
  return due_at !== undefined && Date.parse(due_at) <= at;
}

/** A hold that is over: all that is held goes back. */
export function lapse(record: SpendRecord, time: SettleTime): Settlement {
  const units = leftOf(record);
  const given = { units, unheld: units, isAll: true, endsHold: true };
  return settle({ ...record, status: 'lapsed', released_amount: record.amount }, given, time);
}

/** A hold that is spent: the rest goes back. `undefined`: it was committed so before. */
export function commit(
  record: SpendRecord,
  asked: bigint | undefined,
  time: SettleTime,
): Settlement | undefined {
  const { status, amount, decimals, committed_amount, committed_whole } = record;
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
  const next: SpendRecord = {
    ...record,
    status: 'committed',
    committed_amount: amount === null ? null : unitsText(taken, decimals),
    committed_whole: taken === left,
    released_amount: amount === null ? null : unitsText(releasedOf(record) + left - taken, decimals),
  };
  return settle(next, { units: left - taken, unheld: left, isAll: false, endsHold: true }, time);
}

/** What is held, or was committed, goes back, by default all that is left. */
export function release(record: SpendRecord, asked: bigint | undefined, time: SettleTime): Settlement {
  const { status, amount, decimals } = record;
  if (status === 'lapsed') throw lapsed();
  const left = leftOf(record);
  if (status === 'released' || (amount !== null && left === 0n))
    throw conflict('Nothing is left to release.');
  const back = asked ?? left;
  if (back > left) throw conflict(`Only ${unitsText(left, decimals)} is left to release.`);
  const isAll = back === left;
  const isHeld = status === 'held';
  const next: SpendRecord = {
    ...record,
    status: isAll ? 'released' : status,
    released_amount: amount === null ? null : unitsText(releasedOf(record) + back, decimals),
  };
  return settle(next, { units: back, unheld: isHeld ? back : 0n, isAll, endsHold: isHeld && isAll }, time);
}

/** The error for a hold that is over. */
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
    // A counter that has ended counts no more: a sum below 0 would take its place.
    .filter(({ expires_at }) => expires_at === null || expires_at > updated_at)
    .flatMap(({ used, held, by, is_money }) => {
      const unheld = is_money ? Number(given.unheld) : given.endsHold ? by : 0;
      const freed = is_money ? Number(given.units) : given.isAll ? by : 0;
      return [...(freed > 0 ? [add(used, freed)] : []), ...(unheld > 0 ? [add(held, unheld)] : [])];
    });
  const ended = given.endsHold ? [add(holdsCounter(record), 1)] : [];
  return { next, changes: [replace('spends', next, record.version), ...back, ...ended] };
}

/** Units that went back neither at once nor later. */
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

/** The text of an amount in the record of a spend. */
export function storedAmount(amount: Amount | null): string | null {
  return amount === null ? null : amountText(amount);
}
