/** Commits a hold: the held amount or less. A higher amount is possible if every budget with a limit has `overrun`. */
import { readAmount, toUnits, unitsText } from '../../base/values/money.ts';
import { BUDGET_UNITS, UNIT_DECIMALS, usedOf } from '../../base/values/usage.ts';
import { conflict, invalidRequest, pointer, wrongField } from '../../errors.ts';
import type { Amount, IntentUsage } from '../../records.ts';
import type { SpendRecord } from './collections.ts';
import {
  assertPermitEnded,
  lapsed,
  leftOf,
  releasedOf,
  type Settlement,
  type SettleTime,
  settle,
  type UsageUnits,
  unitsIn,
  usageBy,
  usageLeft,
  usageTexts,
} from './settlement.ts';

export interface CommitUnits {
  readonly amount?: bigint | undefined;
  readonly usage?: UsageUnits | undefined;
}

interface Part {
  readonly held: bigint;
  readonly taken: bigint;
  readonly decimals: number;
  readonly name: string;
}

const MOST_HOLDS = 10n;

const MOST_UNITS = BigInt(Number.MAX_SAFE_INTEGER);

export function readUnits(
  { amount: whole, decimals }: SpendRecord,
  asked: Amount | undefined,
): bigint | undefined {
  if (asked === undefined) return undefined;
  const amount = readAmount(asked, decimals);
  const refuse = (message: string) => wrongField('/amount', 'malformed', message);
  if (whole === null) throw refuse('This spend has no amount. Leave it out.');
  if (amount === null) throw refuse(`This must be an exact decimal with at most ${decimals} decimals.`);
  if (toUnits(amount, decimals) === 0n) throw refuse('This must be more than 0.');
  return toUnits(amount, decimals);
}

export function readUsed({ usage }: SpendRecord, asked: IntentUsage | undefined): UsageUnits | undefined {
  if (asked === undefined) return undefined;
  const lacking = BUDGET_UNITS.filter((unit) => asked[unit] !== undefined && usage?.[unit] === undefined);
  if (lacking.length > 0) {
    const errors = lacking.map((unit) => ({
      path: pointer('usage', unit),
      code: 'malformed',
      message: `This spend has no ${unit}. Leave it out.`,
    }));
    throw invalidRequest(errors);
  }
  return usageBy((unit) => {
    const used = usedOf(asked, unit);
    return used === undefined ? undefined : toUnits(used, UNIT_DECIMALS[unit]);
  });
}

export function commit(record: SpendRecord, asked: CommitUnits, time: SettleTime): Settlement | undefined {
  const { status } = record;
  if (status === 'lapsed') throw lapsed();
  if (status === 'released') throw conflict('This spend was released. Verify again.');
  if (status === 'committed') {
    assertRepeated(record, asked);
    return undefined;
  }
  const parts = partsOf(record, asked);
  if (parts.some(({ held, taken }) => taken > held)) assertOverrun(record, parts);
  if (parts.some(({ held, taken }) => taken < held)) assertPermitEnded(record, time);
  return commitUnits(record, asked, time);
}

/**
 * Commits the amount and the usage in `asked`, and refunds the rest of the hold. If `asked` has no number for the
 * amount or for a unit, commits all that is held of the amount or unit.
 */
export function commitUnits(record: SpendRecord, asked: CommitUnits, time: SettleTime): Settlement {
  const { amount, decimals } = record;
  const left = leftOf(record);
  const taken = asked.amount ?? left;
  const held = usageLeft(record);
  const used = usageBy((unit) => asked.usage?.[unit] ?? held[unit]);
  const beyond = (one: UsageUnits, other: UsageUnits) =>
    usageTexts(usageBy((unit) => (one[unit] ?? 0n) - (other[unit] ?? 0n)));
  const [overrun_usage, released_usage] = [beyond(used, held), beyond(held, used)];
  const over = taken > left ? taken - left : 0n;
  const next: SpendRecord = {
    ...record,
    status: 'committed',
    committed_amount: amount === null ? null : unitsText(taken, decimals),
    committed_whole: taken === left,
    released_amount: amount === null ? null : unitsText(releasedOf(record) + left - taken + over, decimals),
    ...(over > 0n && { overrun_amount: unitsText(over, decimals) }),
    ...(overrun_usage && { overrun_usage }),
    ...(released_usage && { released_usage }),
  };
  const given = { units: left - taken, unheld: left, used, isAll: false, endsHold: true };
  return settle(next, given, time);
}

function assertRepeated(record: SpendRecord, { amount, usage }: CommitUnits): void {
  const { committed_amount, committed_whole, decimals, usage: allowed } = record;
  const isSame = amount === undefined ? committed_whole : amount === unitsIn(committed_amount, decimals);
  if (!isSame) throw conflict(`This spend was committed with ${committed_amount}.`);
  const used = usageLeft(record);
  const isSameUsage = BUDGET_UNITS.every((unit) => {
    const asked = usage?.[unit] ?? (allowed && unitsIn(allowed[unit] ?? null, UNIT_DECIMALS[unit]));
    return allowed?.[unit] === undefined || asked === used[unit];
  });
  if (!isSameUsage) throw conflict('This spend was committed with another usage.');
}

function partsOf(record: SpendRecord, { amount, usage }: CommitUnits): readonly Part[] {
  const { decimals, currency } = record;
  const left = leftOf(record);
  const held = usageLeft(record);
  const money = { held: left, taken: amount ?? left, decimals, name: currency ?? '' };
  const units = BUDGET_UNITS.flatMap((unit): readonly Part[] => {
    const of = held[unit];
    const taken = usage?.[unit] ?? of;
    if (of === undefined || taken === undefined) return [];
    return [{ held: of, taken, decimals: UNIT_DECIMALS[unit], name: unit }];
  });
  return [money, ...units];
}

function assertOverrun({ takings }: SpendRecord, parts: readonly Part[]): void {
  const limited = takings.filter(({ is_money, unit }) => is_money || unit !== undefined);
  const isOpen = limited.length > 0 && limited.every(({ overrun }) => overrun);
  const mostOf = ({ held }: Part) => {
    if (!isOpen) return held;
    const most = MOST_HOLDS * held;
    return most > MOST_UNITS ? MOST_UNITS : most;
  };
  const above = parts.find((part) => part.taken > part.held && part.taken > mostOf(part));
  if (above === undefined) return;
  const most = `${unitsText(mostOf(above), above.decimals)} ${above.name}`.trim();
  throw conflict(isOpen ? `Only ten times the hold can be committed: ${most}.` : `Only ${most} is held.`);
}
