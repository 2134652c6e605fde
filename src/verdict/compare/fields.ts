/** The fields of a passport, and how two passports are compared in each. The compiler requires every field. */

import type { ApprovalRequirement, PassportInput, ReasonCode } from '../../records.ts';
import type { PolicyApproval } from '../approval.ts';
import { REQUIREMENTS } from '../proof.ts';
import { type Case, isSameCounter } from './cases.ts';
import { conditionsLost, violating } from './conditions.ts';
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
import { ordersLost } from './orders.ts';
import {
  type ComparedPair,
  ORDER_CODES,
  type Probe,
  type Scene,
  sceneOf,
  spanOf,
  withDenied,
  withUse,
} from './scene.ts';
import { trustsMore } from './trusted-issuers.ts';

// Creates test intents for which only one field of the passport decides.

/**
 * Returns test intents for one field of the passport. The first passport of a pair allows these intents, and
 * the second denies them because of this field.
 */
type Probes = (pair: ComparedPair) => readonly Probe[];

/**
 * Finds no difference. Serves fields that no built-in rule reads, and parts of the `agent_id`, which is compared first.
 */
const unread: Probes = () => [];

/** The fields of the approval rule. `above` and `actions` together say which intents need an approval. */
const APPROVAL: Readonly<Record<keyof ApprovalRequirement, Probes>> = {
  above: unaskedCases,
  actions: unread,
  seconds: longerApprovals,
  count: (pair) => fewerPersons(pair, ({ count }) => count),
  by: (pair) => fewerPersons(pair, ({ another }) => Number(another)),
  changes: freerChanges,
};

function approvals(pair: ComparedPair): readonly Probe[] {
  return Object.values(APPROVAL).flatMap((probes) => probes(pair));
}

function of(pair: ComparedPair, found: Case): Scene {
  return sceneOf(pair, found, pair.usual);
}

function denials(pair: ComparedPair, code: ReasonCode): readonly Probe[] {
  const found = pair.cases.denied.get(code);
  return found === undefined ? [] : [{ ...of(pair, found), code }];
}

function lostConditions(pair: ComparedPair): readonly Probe[] {
  return conditionsLost(pair.allowing.policy, pair.denying.policy).flatMap(({ lost, action }) => {
    const scene = { ...pair.usual, action };
    return violating(lost, pair.allowing.policy, action, scene.parameters).map(
      ({ code, parameters }): Probe => ({ ...scene, parameters, code }),
    );
  });
}

function lostOrders(pair: ComparedPair): readonly Probe[] {
  const { allowing, denying, usual } = pair;
  return ordersLost(allowing.policy, denying.policy).map(({ order, action }): Probe => {
    const code = ORDER_CODES[order.kind];
    if (action === undefined) return { ...usual, code, isUnseen: true };
    return { ...withDenied(pair, { ...usual, action }, order), code };
  });
}

function moreTrust({ allowing, denying, usual }: ComparedPair): readonly Probe[] {
  const isMore = trustsMore(allowing.trusted, denying.trusted);
  return isMore ? [{ ...usual, code: 'token_unavailable', isUnseen: true }] : [];
}

function expiries({ allowing, denying, usual }: ComparedPair): readonly Probe[] {
  const [first, second] = [spanOf(allowing), spanOf(denying)];
  const at = Math.max(first.from, second.end);
  return at < first.end ? [{ ...usual, at, code: 'agent_expired' }] : [];
}

function starts({ allowing, denying, usual }: ComparedPair): readonly Probe[] {
  const [first, second] = [spanOf(allowing), spanOf(denying)];
  const at = Math.min(first.end, second.from) - 1;
  return at >= first.from ? [{ ...usual, at, code: 'agent_not_yet_valid' }] : [];
}

function parents({ allowing, denying, usual }: ComparedPair): readonly Probe[] {
  const { parent } = denying.policy;
  const isMissing = parent !== undefined && parent !== allowing.policy.parent;
  return isMissing ? [{ ...usual, code: 'parent_not_found' }] : [];
}

function proofs({ allowing, denying, usual }: ComparedPair): readonly Probe[] {
  const given = allowing.policy.proof;
  if (given >= denying.policy.proof) return [];
  if (given === REQUIREMENTS.optional) {
    return [
      { ...usual, allowed: unproved(usual.allowed), denied: unproved(usual.denied), code: 'proof_required' },
    ];
  }
  const proof = { state: 'valid', kid: 'key', bound: false } as const;
  const [allowed, denied] = [
    { ...usual.allowed, proof },
    { ...usual.denied, proof },
  ];
  return [{ ...usual, allowed, denied, code: 'proof_invalid' }];
}

function unproved({ proof: _, ...asked }: Scene['allowed']): Scene['allowed'] {
  return asked;
}

/**
 * Returns the test intent with a proof by a key that only the first passport has. `decide` evaluates this
 * proof even if a passport does not require a proof.
 */
function addedKeys({ allowing, denying, usual }: ComparedPair): readonly Probe[] {
  if (allowing.keys.every((key) => denying.keys.includes(key))) return [];
  const allowed = { ...usual.allowed, proof: { state: 'valid', kid: 'key', bound: true } as const };
  const denied = { ...usual.denied, proof: { state: 'invalid', problem: 'key' } as const };
  return [{ ...usual, allowed, denied, code: 'proof_invalid' }];
}

function smallerBudgets(pair: ComparedPair): readonly Probe[] {
  const { exceeded } = pair.cases;
  const budget = exceeded && pair.denying.policy.budgets?.[exceeded.place];
  if (exceeded === undefined || budget === undefined) return [];
  return [{ ...withUse(pair, of(pair, exceeded), budget, exceeded.spent), code: 'budget_exceeded' }];
}

function overruns({ allowing, denying, usual }: ComparedPair): readonly Probe[] {
  const isFreer = (denying.policy.budgets ?? []).some((budget) => {
    if (budget.currency === null || budget.overrun) return false;
    return (allowing.policy.budgets ?? []).some((one) => one.overrun && isSameCounter(one, budget));
  });
  return isFreer ? [{ ...usual, code: 'budget_exceeded', isUnseen: true }] : [];
}

function fasterCases(pair: ComparedPair): readonly Probe[] {
  const { paced } = pair.cases;
  if (paced === undefined) return [];
  return [{ ...withDenied(pair, of(pair, paced), paced.pace), code: 'pace_exceeded' }];
}

function unaskedCases(pair: ComparedPair): readonly Probe[] {
  const { unasked } = pair.cases;
  if (unasked === undefined) return [];
  return [{ ...of(pair, { ...unasked, isAsked: false }), code: 'approval_required' }];
}

function longerApprovals(pair: ComparedPair): readonly Probe[] {
  const { asked } = pair.cases;
  const [longer, shorter] = [pair.allowing.policy.approval, pair.denying.policy.approval];
  if (!asked || !longer || !shorter || longer.seconds <= shorter.seconds) return [];
  const scene = of(pair, asked);
  const denied = { ...scene.denied, approval: { state: 'expired' } as const };
  return [{ ...scene, denied, code: 'approval_expired' }];
}

function fewerPersons(pair: ComparedPair, demandOf: (rule: PolicyApproval) => number): readonly Probe[] {
  const { asked } = pair.cases;
  const [fewer, more] = [pair.allowing.policy.approval, pair.denying.policy.approval];
  if (!asked || !fewer || !more || demandOf(fewer) >= demandOf(more)) return [];
  const scene = of(pair, asked);
  return [
    { ...scene, denied: { ...scene.denied, approval: { state: 'pending' } }, code: 'approval_pending' },
  ];
}

function freerChanges({ allowing, denying, usual }: ComparedPair): readonly Probe[] {
  const isFreer = denying.policy.approval?.changes === true && allowing.policy.approval?.changes !== true;
  return isFreer ? [{ ...usual, code: 'approval_pending', isUnseen: true }] : [];
}

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
