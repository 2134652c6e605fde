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
  askedAmount: Amount | undefined,
): bigint | undefined {
  if (askedAmount === undefined) return undefined;
  const amount = readAmount(askedAmount, decimals);
  const refuse = (message: string) => wrongField('/amount', 'malformed', message);
  if (whole === null) throw refuse('This spend has no amount. Leave it out.');
  if (amount === null) throw refuse(`This must be an exact decimal with at most ${decimals} decimals.`);
  if (toUnits(amount, decimals) === 0n) throw refuse('This must be more than 0.');
  return toUnits(amount, decimals);
}

export function readUsed(
  { usage }: SpendRecord,
  askedUsage: IntentUsage | undefined,
): UsageUnits | undefined {
  if (askedUsage === undefined) return undefined;
  const lacking = BUDGET_UNITS.filter(
    (unit) => askedUsage[unit] !== undefined && usage?.[unit] === undefined,
  );
  if (lacking.length > 0) {
    const errors = lacking.map((unit) => ({
      path: pointer('usage', unit),
      code: 'malformed',
      message: `This spend has no ${unit}. Leave it out.`,
    }));
    throw invalidRequest(errors);
  }
  return usageBy((unit) => {
    const usedAmount = usedOf(askedUsage, unit);
    return usedAmount === undefined ? undefined : toUnits(usedAmount, UNIT_DECIMALS[unit]);
  });
}

export function commit(record: SpendRecord, units: CommitUnits, time: SettleTime): Settlement | undefined {
  const { status } = record;
  if (status === 'lapsed') throw lapsed();
  if (status === 'released') throw conflict('This spend was released. Verify again.');
  if (status === 'committed') {
    assertRepeated(record, units);
    return undefined;
  }
  const parts = partsOf(record, units);
  if (parts.some(({ held, taken }) => taken > held)) assertOverrun(record, parts);
  if (parts.some(({ held, taken }) => taken < held)) assertPermitEnded(record, time);
  return commitUnits(record, units, time);
}

/**
 * Commits the amount and the usage in `units`, and refunds the rest of the hold. If `units` has no number for the
 * amount or for a unit, commits all that is held of the amount or unit.
 */
export function commitUnits(record: SpendRecord, units: CommitUnits, time: SettleTime): Settlement {
  const { amount, decimals } = record;
  const leftUnits = leftOf(record);
  const takenAmount = units.amount ?? leftUnits;
  const heldUnits = usageLeft(record);
  const usedUnits = usageBy((unit) => units.usage?.[unit] ?? heldUnits[unit]);
  const beyond = (candidateUnits: UsageUnits, otherUnits: UsageUnits) =>
    usageTexts(usageBy((unit) => (candidateUnits[unit] ?? 0n) - (otherUnits[unit] ?? 0n)));
  const [overrun_usage, released_usage] = [beyond(usedUnits, heldUnits), beyond(heldUnits, usedUnits)];
  const excess = takenAmount > leftUnits ? takenAmount - leftUnits : 0n;
  const next: SpendRecord = {
    ...record,
    status: 'committed',
    committed_amount: amount === null ? null : unitsText(takenAmount, decimals),
    committed_whole: takenAmount === leftUnits,
    released_amount:
      amount === null ? null : unitsText(releasedOf(record) + leftUnits - takenAmount + excess, decimals),
    ...(excess > 0n && { overrun_amount: unitsText(excess, decimals) }),
    ...(overrun_usage && { overrun_usage }),
    ...(released_usage && { released_usage }),
  };
  const amounts = {
    units: leftUnits - takenAmount,
    unheld: leftUnits,
    used: usedUnits,
    isAll: false,
    endsHold: true,
  };
  return settle(next, amounts, time);
}

function assertRepeated(record: SpendRecord, { amount, usage }: CommitUnits): void {
  const { committed_amount, committed_whole, decimals, usage: allowedUsage } = record;
  const isSame = amount === undefined ? committed_whole : amount === unitsIn(committed_amount, decimals);
  if (!isSame)
    throw conflict(
      `This spend was committed with ${committed_amount}. Repeat a commit with the same amount.`,
    );
  const usedUnits = usageLeft(record);
  const isSameUsage = BUDGET_UNITS.every((unit) => {
    const askedUsage =
      usage?.[unit] ?? (allowedUsage && unitsIn(allowedUsage[unit] ?? null, UNIT_DECIMALS[unit]));
    return allowedUsage?.[unit] === undefined || askedUsage === usedUnits[unit];
  });
  if (!isSameUsage)
    throw conflict('This spend was committed with another usage. Repeat a commit with the same usage.');
}

function partsOf(record: SpendRecord, { amount, usage }: CommitUnits): readonly Part[] {
  const { decimals, currency } = record;
  const leftUnits = leftOf(record);
  const heldUnits = usageLeft(record);
  const money = { held: leftUnits, taken: amount ?? leftUnits, decimals, name: currency ?? '' };
  const units = BUDGET_UNITS.flatMap((unit): readonly Part[] => {
    const unitsHeld = heldUnits[unit];
    const takenUsage = usage?.[unit] ?? unitsHeld;
    if (unitsHeld === undefined || takenUsage === undefined) return [];
    return [{ held: unitsHeld, taken: takenUsage, decimals: UNIT_DECIMALS[unit], name: unit }];
  });
  return [money, ...units];
}

function assertOverrun({ takings }: SpendRecord, parts: readonly Part[]): void {
  const limitedTakings = takings.filter(({ is_money, unit }) => is_money || unit !== undefined);
  const isOpen = limitedTakings.length > 0 && limitedTakings.every(({ overrun }) => overrun);
  const mostOf = ({ held }: Part) => {
    if (!isOpen) return held;
    const limit = MOST_HOLDS * held;
    return limit > MOST_UNITS ? MOST_UNITS : limit;
  };
  const partAbove = parts.find((part) => part.taken > part.held && part.taken > mostOf(part));
  if (partAbove === undefined) return;
  const maximum = `${unitsText(mostOf(partAbove), partAbove.decimals)} ${partAbove.name}`.trim();
  throw conflict(
    isOpen ? `Only ten times the hold can be committed: ${maximum}.` : `Only ${maximum} is held.`,
  );
}
