/** Computes the passport in effect: the intersection of a passport and its ancestors, for people to read. */

import { turn } from '../../base/async/turns.ts';
import { actionsWithin } from '../../base/values/action.ts';
import { strictestBy } from '../../base/values/approval.ts';
import {
  amountText,
  compareAmounts,
  currencyDecimals,
  MAX_DECIMALS,
  readAmount,
  toAmount,
} from '../../base/values/money.ts';
import { statusAt } from '../../base/values/passport-status.ts';
import { targetsWithin } from '../../base/values/target.ts';
import { PROOF_REQUIREMENTS } from '../../base/values/vocabulary.ts';
import type { EffectivePassport } from '../../records/effective.ts';
import type { Amount, ApprovalRequirement, Instant, Passport, PassportStatus } from '../../records.ts';
import { COMBINATIONS, type Combination, type CombinedField } from '../../schema/passport-fields.ts';
import { assertWanted, type CallOptions } from '../shared/callers.ts';
import type { PassportRecord } from './collections.ts';
import { toPassport } from './passport-record.ts';

const PIECE = 256;

/**
 * Computes the passport in effect at an instant. `above` has the passports of the ancestors, nearest first. Rejects if
 * the signal is aborted.
 */
export async function inEffect(
  own: PassportRecord,
  above: readonly PassportRecord[],
  at: Instant,
  { signal }: CallOptions = {},
): Promise<EffectivePassport> {
  const records = [own, ...above];
  const all = records.map((one) => toPassport(one, at));
  const combined: Record<string, unknown> = {};
  for (const field of Object.keys(COMBINATIONS) as CombinedField[]) {
    const value = await COMBINE[COMBINATIONS[field]]({ all, field, signal });
    if (value !== undefined) combined[field] = value;
  }
  const effective = {
    agent_id: own.id,
    ...(own.parent_agent_id !== undefined && { parent_agent_id: own.parent_agent_id }),
    ancestors: above.map(({ id }) => id),
    ...stateOf(records, at),
    ...(combined as Pick<EffectivePassport, CombinedField>),
  };
  // Fails to compile if a field is missing above, even an optional one.
  return effective satisfies Record<Exclude<keyof EffectivePassport, keyof typeof effective>, never>;
}

interface Combined {
  /** The passport of the agent, and then the passports of its ancestors, nearest first. */
  readonly all: readonly Passport[];
  readonly field: CombinedField;
  readonly signal: AbortSignal | undefined;
}

/** The functions that combine a field. They return `undefined` if no passport has the field. */
const COMBINE: Readonly<Record<Combination, (combined: Combined) => unknown>> = {
  // If an ancestor is missing, every verdict is a DENY.
  'shared actions': (combined) =>
    combined.all.at(-1)?.parent_agent_id === undefined ? sharedEntries(combined, actionsWithin) : [],
  'shared targets': (combined) => sharedEntries(combined, targetsWithin),
  union: (combined) => nonEmpty([...new Set(valuesOf<readonly string[]>(combined).flat())]),
  each: ({ all, field }) =>
    nonEmpty(
      all.flatMap((one) => {
        const entries = (one[field] ?? []) as readonly object[];
        return entries.map((entry) => ({ agent_id: one.agent_id, ...entry }));
      }),
    ),
  earliest: (combined) => valuesOf<Instant>(combined).sort()[0],
  latest: (combined) => valuesOf<Instant>(combined).sort().at(-1),
  'lowest amount': ({ all }) => lowestLimit(all),
  'one currency': ({ all }) => currenciesOf(all)[0],
  'strictest approval': ({ all }) => strictestApproval(all),
  'strictest proof': ({ all }) =>
    PROOF_REQUIREMENTS.findLast((word) => all.some((one) => one.proof === word)),
};

/** Returns the values of the passports that have the field. */
function valuesOf<Value>({ all, field }: Combined): Value[] {
  return all.flatMap((one) => (one[field] === undefined ? [] : [one[field] as Value]));
}

function nonEmpty<Entry>(entries: readonly Entry[]): readonly Entry[] | undefined {
  return entries.length === 0 ? undefined : entries;
}

/**
 * Returns the entries that every list covers completely. If two patterns overlap, one contains the other. So an entry
 * is in the intersection exactly if each list covers it.
 */
async function sharedEntries(
  combined: Combined,
  within: (lists: readonly (readonly string[])[]) => (entry: string) => boolean,
): Promise<readonly string[] | undefined> {
  const lists = valuesOf<readonly string[]>(combined);
  if (lists.length === 0) return undefined;
  const entries = [...new Set(lists.flat())];
  const isWithin = within(lists);
  const shared: string[] = [];
  for (let at = 0; at < entries.length; at += PIECE) {
    await turn();
    assertWanted(combined.signal);
    shared.push(...entries.slice(at, at + PIECE).filter(isWithin));
  }
  return shared;
}

const WORST_FIRST: readonly PassportStatus[] = ['revoked', 'suspended', 'expired', 'active'];

function stateOf(
  all: readonly PassportRecord[],
  at: Instant,
): Pick<EffectivePassport, 'status' | 'suspended_until'> {
  const statuses = all.map((one) => statusAt(one, at));
  const status = WORST_FIRST.find((word) => statuses.includes(word)) ?? 'active';
  const ends = all.filter((_, index) => statuses[index] === 'suspended').map((one) => one.suspended_until);
  const last = ends.includes(null) ? null : (ends.sort().at(-1) ?? null);
  return { status, suspended_until: status === 'suspended' ? last : null };
}

function strictestApproval(all: readonly Passport[]): ApprovalRequirement | undefined {
  const asking = all.flatMap(({ approval }) => approval ?? []);
  if (asking.length === 0) return undefined;
  const [above] = asking.flatMap((one) => one.above ?? []).sort(compareAmounts);
  const actions = new Set(asking.flatMap((one) => one.actions ?? []));
  // Changes of a passport are its own: those above it may be changed without it.
  const changes = all[0]?.approval?.changes;
  return {
    ...(above !== undefined && { above }),
    ...(actions.size > 0 && { actions: [...actions] }),
    seconds: Math.min(...asking.flatMap(({ seconds }) => seconds ?? [])),
    ...peopleOf(asking),
    ...(changes !== undefined && { changes }),
  };
}

function peopleOf(asking: readonly ApprovalRequirement[]): Pick<ApprovalRequirement, 'count' | 'by'> {
  const counts = asking.flatMap(({ count }) => count ?? []);
  const by = strictestBy(asking.map((one) => one.by));
  return { ...(counts.length > 0 && { count: Math.max(...counts) }), ...(by !== undefined && { by }) };
}

function currenciesOf(all: readonly Passport[]): readonly string[] {
  return [...new Set(all.flatMap(({ currency }) => currency ?? []))];
}

/** Returns the lowest limit, with at most the decimals of the currency. If two currencies differ, no amount passes. */
function lowestLimit(all: readonly Passport[]): Amount {
  const [currency, ...others] = currenciesOf(all);
  if (others.length > 0) return 0;
  const decimals = currency === undefined ? MAX_DECIMALS : (currencyDecimals(currency) ?? MAX_DECIMALS);
  const limits = all.map(({ monetary_limit_per_txn }) => {
    const [whole = '', fraction = ''] = amountText(monetary_limit_per_txn).split('.');
    // Amounts have at most these decimals: the part that is cut off decides nothing.
    return readAmount(decimals === 0 || fraction === '' ? whole : `${whole}.${fraction.slice(0, decimals)}`);
  });
  const [least = 0] = limits.map((limit) => limit ?? toAmount('0')).sort(compareAmounts);
  return least;
}
