/**
 * Plans a change of a spend as one write of its record and its counters. Creates the errors for changes that are not
 * allowed.
 */
import { formatInstant } from '../../base/values/instant.ts';
import { readAmount, toUnits, unitsText } from '../../base/values/money.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { BUDGET_UNITS, UNIT_DECIMALS } from '../../base/values/usage.ts';
import { IdentityError } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { BudgetUnit, Instant } from '../../records.ts';
import { groupSteps, type StepGroup, type StepsAnswer } from '../storage/step-groups.ts';
import { replace } from '../storage/store.ts';
import type { SpendRecord, SpendTaking } from './collections.ts';
import { adderAt, holdsCounter } from './counters.ts';

/** The instant of a settlement, and the days for which the settled record is kept. */
export interface SettleTime {
  /** The current time by the clock of the storage, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly retentionDays: number;
}

/** A change of a spend. All of its steps are stored in one write, or none. */
export interface Settlement {
  readonly next: SpendRecord;
  readonly changes: readonly Change[];
  /**
   * Returns the new sums of the counters to which a commit added more than was held, by counter name.
   * `answer` is the result of the write.
   */
  charged(answer: StepsAnswer): ReadonlyMap<string, readonly number[]>;
}

/**
 * Sends events for budgets that have reached their `warn_at` because a commit was higher than its hold. `chargedMap`
 * has the sums of the charged counters. Never rejects.
 */
export type WarnCharged = (
  record: SpendRecord,
  chargedMap: ReadonlyMap<string, readonly number[]>,
  atMs: number,
) => Promise<void>;

/** The used amounts in the smallest part of each unit. */
export type UsageUnits = { readonly [Unit in BudgetUnit]?: bigint };

/** The part of a spend that a settlement refunds. A value below 0 is charged in addition. */
export interface Return {
  /** The refunded units of money. */
  readonly units: bigint;
  /** The units that are no longer held, refunded or not. */
  readonly unheld: bigint;
  /**
   * The committed usage. If it is absent, `isAll` decides: with `true`, the whole usage is refunded,
   * otherwise no usage is refunded.
   */
  readonly used?: UsageUnits;
  /** `true` if the intent is no longer counted. */
  readonly isAll: boolean;
  /** `true` if the hold ends. */
  readonly endsHold: boolean;
}

interface TakingChange {
  readonly freed: number;
  readonly unheld: number;
}

export function settle(
  changedRecord: SpendRecord,
  amounts: Return,
  { at, retentionDays }: SettleTime,
): Settlement {
  const { due_at, expires_at: _, ...record } = changedRecord;
  const updated_at = formatInstant(at);
  const isHeld = record.status === 'held';
  const next: SpendRecord = {
    ...record,
    version: record.version + 1,
    updated_at,
    takings: record.takings.map((taking) => takenBy(taking, amounts)),
    ...(isHeld && due_at !== undefined && { due_at }),
    ...(!isHeld && { expires_at: formatInstant(at + retentionDays * RESOLUTION_MS.day) }),
  };
  const add = (counter: string, delta: number): Change => ({
    op: 'add',
    counter,
    by: -delta,
    at: updated_at,
  });
  const back = record.takings
    // Adding to an expired counter would make a new one, with a sum below 0.
    .filter(({ expires_at }) => expires_at === null || expires_at > updated_at)
    .map((taking): StepGroup<string> => {
      const { used, held } = taking;
      const { freed, unheld } = changeOf(taking, amounts);
      const steps = [
        ...(freed > 0 ? [add(used, freed)] : []),
        ...(freed < 0 ? [chargeOf(taking, -freed, updated_at)] : []),
        ...(unheld > 0 && held !== undefined ? [add(held, unheld)] : []),
      ];
      return [freed < 0 ? used : REST, steps];
    });
  const endedChanges = amounts.endsHold ? [add(holdsCounter(record), 1)] : [];
  const steps = groupSteps([REST, [replace('spends', next, record.version)]], ...back, [REST, endedChanges]);
  const chargedNames = back.map(([name]) => name).filter((name) => name !== REST);
  return {
    next,
    changes: steps.changes,
    charged: (answer) => new Map(chargedNames.map((name) => [name, steps.of(name, answer).values])),
  };
}

/**
 * The name of the group of steps that add to no budget. Each other group has the name of the counter to which it adds.
 */
const REST = '';

/**
 * Returns the step that charges a budget more. The sum may exceed the limit of the budget, but stays an exact number.
 */
function chargeOf({ used: counter, expires_at }: SpendTaking, delta: number, instant: Instant): Change {
  return adderAt(instant)(counter, delta, { expires_at }, Number.MAX_SAFE_INTEGER);
}

function changeOf({ by, is_money, unit }: SpendTaking, amounts: Return): TakingChange {
  if (is_money) return { freed: Number(amounts.units), unheld: Number(amounts.unheld) };
  const usedUnits = unit && amounts.used?.[unit];
  const unheld = amounts.endsHold ? by : 0;
  return { freed: usedUnits === undefined ? (amounts.isAll ? by : 0) : by - Number(usedUnits), unheld };
}

/** Returns the taking with the committed usage, because a later release refunds this amount. */
function takenBy(taking: SpendTaking, { used }: Return): SpendTaking {
  const committedUnits = taking.unit && used?.[taking.unit];
  return committedUnits === undefined ? taking : { ...taking, by: Number(committedUnits) };
}

/** Returns the units of money that were not refunded. */
export function leftOf(record: SpendRecord): bigint {
  const { amount, overrun_amount = null, decimals } = record;
  return unitsIn(amount, decimals) + unitsIn(overrun_amount, decimals) - releasedOf(record);
}

export function releasedOf({ released_amount, decimals }: SpendRecord): bigint {
  return unitsIn(released_amount, decimals);
}

export function unitsIn(text: string | null, decimals: number): bigint {
  return text === null ? 0n : toUnits(readAmount(text) ?? '0', decimals);
}

/** Returns the usage of a spend that was not refunded. */
export function usageLeft({ usage, overrun_usage, released_usage }: SpendRecord): UsageUnits {
  return usageBy((unit) => {
    const [allowedText, ...otherEntries] = [usage, overrun_usage, released_usage].map((part) => part?.[unit]);
    if (allowedText === undefined) return undefined;
    const [excess = 0n, back = 0n] = otherEntries.map((text = '0') => unitsIn(text, UNIT_DECIMALS[unit]));
    return unitsIn(allowedText, UNIT_DECIMALS[unit]) + excess - back;
  });
}

/** Creates a usage from the units for which the function returns a number. */
export function usageBy(unitsOf: (unit: BudgetUnit) => bigint | undefined): UsageUnits {
  const unitEntries = BUDGET_UNITS.flatMap((unit) => {
    const units = unitsOf(unit);
    return units === undefined ? [] : [[unit, units] as const];
  });
  return Object.fromEntries(unitEntries);
}

/** Returns a usage in its stored form, without units of 0. Returns `undefined` if no unit is left. */
export function usageTexts(usage: UsageUnits): SpendRecord['usage'] {
  const unitEntries = BUDGET_UNITS.flatMap((unit) => {
    const units = usage[unit] ?? 0n;
    return units > 0n ? [[unit, unitsText(units, UNIT_DECIMALS[unit])] as const] : [];
  });
  return unitEntries.length === 0 ? undefined : Object.fromEntries(unitEntries);
}

/**
 * Throws `conflict` while a resource may accept the permit. Without this check, the refunded amount could pay for a
 * second action.
 */
export function assertPermitEnded({ permit_until: end }: SpendRecord, { at }: SettleTime): void {
  if (end === undefined || Date.parse(end) <= at) return;
  const message = `A resource may accept the permit of this spend until ${end}. Release it then.`;
  throw new IdentityError('conflict', message, { details: { until: end } });
}

export function lapsed(): IdentityError {
  return new IdentityError(
    'spend_lapsed',
    'The hold has expired, and its whole amount is back in the budget. Verify again.',
  );
}
