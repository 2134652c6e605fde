/** Computes the passport in effect: the intersection of a passport and its ancestors, for people to read. */

import { turn } from '../../base/async/turns.ts';
import { actionsWithin } from '../../base/values/action.ts';
import { strictestBy } from '../../base/values/approval.ts';
import {
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
import type {
  Amount,
  ApprovalRequirement,
  Instant,
  PassportListField,
  PassportStatus,
} from '../../records.ts';
import { assertWanted, type CallOptions } from '../shared/callers.ts';
import type { PassportRecord, StoredApprovalRequirement } from './collections.ts';
import { toBudget } from './passport-record.ts';

type WithinAll = (lists: readonly (readonly string[])[]) => (entry: string) => boolean;

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
  const all = [own, ...above];
  const isWhole = all.at(-1)?.parent_agent_id === undefined;
  const targets = all.flatMap(({ allowed_targets }) =>
    allowed_targets === undefined ? [] : [allowed_targets],
  );
  const starts = all.flatMap(({ not_before }) => not_before ?? []).sort();
  const ends = all.flatMap(({ expires_at }) => expires_at ?? []).sort();
  const budgets = all.flatMap((one) =>
    (one.budgets ?? []).map((budget) => ({ agent_id: one.id, ...toBudget(budget) })),
  );
  const conditions = all.flatMap((one) =>
    (one.conditions ?? []).map((condition) => ({ agent_id: one.id, ...condition })),
  );
  const pace = all.flatMap((one) => (one.pace ?? []).map((entry) => ({ agent_id: one.id, ...entry })));
  const order = all.flatMap((one) => (one.order ?? []).map((entry) => ({ agent_id: one.id, ...entry })));
  // If an ancestor is missing, every verdict is a DENY.
  const actions = isWhole ? all.map((one) => one.allowed_actions) : [];
  const proof = PROOF_REQUIREMENTS.findLast((word) => all.some((one) => one.proof === word));
  const effective = {
    agent_id: own.id,
    ...(own.parent_agent_id !== undefined && { parent_agent_id: own.parent_agent_id }),
    ancestors: above.map(({ id }) => id),
    ...stateOf(all, at),
    allowed_actions: await namedByAll(actions, actionsWithin, signal),
    ...union(all, 'denied_actions'),
    ...moneyOf(all),
    ...(targets.length > 0 && {
      allowed_targets: await namedByAll(targets, targetsWithin, signal),
    }),
    ...union(all, 'monetary_actions'),
    ...(budgets.length > 0 && { budgets }),
    ...(conditions.length > 0 && { conditions }),
    ...(pace.length > 0 && { pace }),
    ...(order.length > 0 && { order }),
    ...approvalOf(all),
    ...(starts.length > 0 && { not_before: starts.at(-1) as Instant }),
    ...(ends.length > 0 && { expires_at: ends[0] as Instant }),
    ...(proof !== undefined && { proof }),
  };
  // Fails to compile if a field is missing above, even an optional one.
  return effective satisfies Record<Exclude<keyof EffectivePassport, keyof typeof effective>, never>;
}

/**
 * Returns the entries that every list covers completely. If two patterns overlap, one contains the other. So an entry
 * is in the intersection exactly if each list covers it.
 */
async function namedByAll(
  lists: readonly (readonly string[])[],
  withinAll: WithinAll,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const entries = [...new Set(lists.flat())];
  const isWithin = withinAll(lists);
  const named: string[] = [];
  for (let at = 0; at < entries.length; at += PIECE) {
    await turn();
    assertWanted(signal);
    named.push(...entries.slice(at, at + PIECE).filter(isWithin));
  }
  return named;
}

function union<Field extends PassportListField>(
  all: readonly PassportRecord[],
  field: Field,
): { readonly [Name in Field]?: readonly string[] };
function union(
  all: readonly PassportRecord[],
  field: PassportListField,
): { readonly [Name in PassportListField]?: readonly string[] } {
  const entries = new Set(all.flatMap((one) => one[field] ?? []));
  return entries.size === 0 ? {} : { [field]: [...entries] };
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

function approvalOf(all: readonly PassportRecord[]): Pick<EffectivePassport, 'approval'> {
  const asking = all.flatMap(({ approval }) => approval ?? []);
  if (asking.length === 0) return {};
  const [above] = asking
    .flatMap((one) => (one.above === undefined ? [] : toAmount(one.above)))
    .sort(compareAmounts);
  const actions = new Set(asking.flatMap((one) => one.actions ?? []));
  // Changes of a passport are its own: those above it may be changed without it.
  const changes = all[0]?.approval?.changes;
  return {
    approval: {
      ...(above !== undefined && { above }),
      ...(actions.size > 0 && { actions: [...actions] }),
      seconds: Math.min(...asking.map(({ seconds }) => seconds)),
      ...peopleOf(asking),
      ...(changes !== undefined && { changes }),
    },
  };
}

function peopleOf(asking: readonly StoredApprovalRequirement[]): Pick<ApprovalRequirement, 'count' | 'by'> {
  const counts = asking.flatMap(({ count }) => count ?? []);
  const by = strictestBy(asking.map((one) => one.by));
  return { ...(counts.length > 0 && { count: Math.max(...counts) }), ...(by !== undefined && { by }) };
}

/** Returns the lowest limit, with at most the decimals of the currency. If two currencies differ, no amount passes. */
function moneyOf(
  all: readonly PassportRecord[],
): Pick<EffectivePassport, 'monetary_limit_per_txn' | 'currency'> {
  const currencies = new Set(all.flatMap(({ currency }) => currency ?? []));
  const [currency] = currencies;
  if (currency === undefined) return { monetary_limit_per_txn: lowest(all, MAX_DECIMALS) };
  const decimals = currencyDecimals(currency) ?? MAX_DECIMALS;
  return { monetary_limit_per_txn: currencies.size > 1 ? 0 : lowest(all, decimals), currency };
}

function lowest(all: readonly PassportRecord[], decimals: number): Amount {
  const limits = all.map(({ monetary_limit_per_txn: text }) => {
    const [whole = '', fraction = ''] = text.split('.');
    // Amounts have at most these decimals: the part that is cut off decides nothing.
    return readAmount(decimals === 0 || fraction === '' ? whole : `${whole}.${fraction.slice(0, decimals)}`);
  });
  const [least = 0] = limits.map((limit) => limit ?? toAmount('0')).sort(compareAmounts);
  return least;
}
