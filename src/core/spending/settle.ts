/** Ends or extends a spend. Each function returns the new record and the refunded amount. */

import { MAX_HOLD_SECONDS } from '../../base/values/hold-time.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { amountText, unitsText } from '../../base/values/money.ts';
import { conflict } from '../../errors.ts';
import type { Amount, IntentUsage } from '../../records.ts';
import type { SpendRecord } from './collections.ts';
import { commitUnits } from './commit.ts';
import {
  assertPermitEnded,
  lapsed,
  leftOf,
  releasedOf,
  type Settlement,
  type SettleTime,
  settle,
  usageLeft,
  usageTexts,
} from './settlement.ts';

export function isDue({ due_at }: SpendRecord, atMs: number): boolean {
  return due_at !== undefined && Date.parse(due_at) <= atMs;
}

export function outlivesHold({ held_until, permit_until }: SpendRecord): boolean {
  return held_until !== null && permit_until !== undefined && held_until < permit_until;
}

export function expire(record: SpendRecord, time: SettleTime): Settlement {
  const units = leftOf(record);
  if (outlivesHold(record)) return commitUnits(record, {}, time);
  const amounts = { units, unheld: units, isAll: true, endsHold: true };
  const back = { ...allReleased(record), released_amount: record.amount };
  return settle({ ...record, status: 'lapsed', ...back }, amounts, time);
}

export function release(record: SpendRecord, askedUnits: bigint | undefined, time: SettleTime): Settlement {
  const { status, amount, decimals } = record;
  if (status === 'lapsed') throw lapsed();
  const leftUnits = leftOf(record);
  if (status === 'released' || (amount !== null && leftUnits === 0n && record.usage === undefined))
    throw conflict('Nothing is left to release: the whole amount is back in the budget.');
  const back = askedUnits ?? leftUnits;
  if (back > leftUnits)
    throw conflict(`Only ${unitsText(leftUnits, decimals)} is left to release. Release at most this amount.`);
  assertPermitEnded(record, time);
  const isAll = back === leftUnits;
  if (!isAll && record.usage !== undefined)
    throw conflict('A spend with usage is released only as a whole. Leave out the amount.');
  const isHeld = status === 'held';
  const next: SpendRecord = {
    ...record,
    status: isAll ? 'released' : status,
    released_amount: amount === null ? null : unitsText(releasedOf(record) + back, decimals),
    ...(isAll && allReleased(record)),
  };
  return settle(next, { units: back, unheld: isHeld ? back : 0n, isAll, endsHold: isHeld && isAll }, time);
}

function allReleased(record: SpendRecord): Pick<SpendRecord, 'released_usage'> {
  const { released_usage: _, ...unreleasedFields } = record;
  const released_usage = usageTexts(usageLeft(unreleasedFields));
  return released_usage === undefined ? {} : { released_usage };
}

export function extend(record: SpendRecord, seconds: number, atMs: number): SpendRecord | undefined {
  const { status, created_at, held_until } = record;
  if (status === 'lapsed') throw lapsed();
  if (status !== 'held' || held_until === null)
    throw conflict(`This spend is ${status}, and no longer held. Verify again.`);
  const end = atMs + seconds * 1_000;
  if (end > Date.parse(created_at) + MAX_HOLD_SECONDS * 1_000) {
    throw conflict(`A hold ends at most ${MAX_HOLD_SECONDS} seconds after it was made. Ask for fewer.`);
  }
  if (end <= Date.parse(held_until)) return undefined;
  const instant = formatInstant(end);
  return {
    ...record,
    version: record.version + 1,
    held_until: instant,
    due_at: instant,
    updated_at: formatInstant(atMs),
  };
}

export function storedUsage({ tokens, credits }: IntentUsage): NonNullable<SpendRecord['usage']> {
  return {
    ...(tokens !== undefined && { tokens: amountText(tokens) }),
    ...(credits !== undefined && { credits: amountText(credits) }),
  };
}

export function storedAmount(amount: Amount | null): string | null {
  return amount === null ? null : amountText(amount);
}
