/** The fields of a passport, and how two passports are compared in each. The compiler requires every field. */
import type { PassportInput } from '../../records.ts';
import {
  both,
  type ChangingField,
  earliest,
  type Fields,
  greaterOrMost,
  joined,
  latest,
  leftOut,
  loosestApproval,
  sharedActions,
  sharedBudgets,
  sharedOrNone,
  weaker,
} from './loosest.ts';
import {
  addedKeys,
  approvals,
  denials,
  expiries,
  fasterCases,
  lostConditions,
  lostOrders,
  moreTrust,
  overruns,
  type Probes,
  parents,
  proofs,
  smallerBudgets,
  starts,
  unread,
} from './probes.ts';
import type { ComparedPair, Probe } from './scene.ts';

/** The test intents for each field. A field that rules read needs test intents. Any other field is `unread`. */
const PROBES: Readonly<Record<keyof PassportInput, Probes>> = {
  domain: unread,
  agent_name: unread,
  description: unread,
  metadata: unread,
  owner: unread,
  managed_by: unread,
  expires_at: expiries,
  not_before: starts,
  allowed_actions: (pair) => denials(pair, 'action_not_allowed'),
  denied_actions: (pair) => denials(pair, 'action_denied'),
  allowed_targets: ({ targets, usual }) => targets.differing.map((one) => ({ ...usual, ...one })),
  monetary_actions: (pair) => denials(pair, 'amount_required'),
  currency: (pair) => [...denials(pair, 'amount_invalid'), ...denials(pair, 'currency_mismatch')],
  monetary_limit_per_txn: (pair) => denials(pair, 'amount_over_limit'),
  parent_agent_id: parents,
  proof: proofs,
  public_keys: addedKeys,
  budgets: (pair) => [...denials(pair, 'usage_required'), ...smallerBudgets(pair), ...overruns(pair)],
  conditions: lostConditions,
  pace: fasterCases,
  order: lostOrders,
  trusted_issuers: moreTrust,
  approval: approvals,
};

/** Returns the most permissive value of both versions. `undefined`: the absence of the field permits most. */
type Loosest<Value> = (one: Value, other: Value, isOneCurrency: boolean) => Value;

/**
 * The most permissive value of each field but the currency, so that the value of one version hides no difference of
 * another field.
 */
const LOOSEST: { readonly [Field in Exclude<ChangingField, 'currency'>]: Loosest<Fields[Field]> } = {
  allowed_actions: both,
  denied_actions: sharedActions,
  allowed_targets: joined,
  monetary_actions: sharedOrNone,
  monetary_limit_per_txn: greaterOrMost,
  not_before: earliest,
  expires_at: latest,
  proof: weaker,
  public_keys: both,
  conditions: leftOut,
  pace: leftOut,
  order: leftOut,
  trusted_issuers: leftOut,
  budgets: sharedBudgets,
  approval: loosestApproval,
};

/** The fields that a change can contain and that are compared, without the currency. */
export const CHANGING = /* @__PURE__ */ Object.keys(LOOSEST) as readonly (keyof typeof LOOSEST)[];

export function probesOf(pair: ComparedPair): readonly Probe[] {
  return Object.values(PROBES).flatMap((probes) => probes(pair));
}

/** Returns the fields with the most permissive value of both versions, for this currency. */
export function loosestOf(before: Fields, after: Fields, currency: string | undefined): Fields {
  const isOneCurrency = before.currency === after.currency;
  const loosest = <Field extends keyof typeof LOOSEST>(field: Field): Fields[Field] =>
    LOOSEST[field](before[field], after[field], isOneCurrency);
  const values = Object.fromEntries(CHANGING.map((field) => [field, loosest(field)]));
  return { ...before, ...values, currency };
}
