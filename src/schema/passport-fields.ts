/**
 * The passport fields that an account sets, as data. Each table has a line for each field that it concerns, and the
 * compiler requires the line of a new field. The JSON Schemas are in `passport.ts`, the texts in `passport-words.ts`.
 */
import { isActionEntry } from '../base/values/action.ts';
import { parseAgentId } from '../base/values/agent-id.ts';
import { conditionFaults } from '../base/values/conditions/condition.ts';
import { currencyDecimals } from '../base/values/money.ts';
import { orderFaults } from '../base/values/order.ts';
import { arePaces } from '../base/values/pace.ts';
import {
  areClaimedBudgets,
  isCanonicalAmount,
  isClaimedApproval,
  isListOf,
} from '../base/values/signed-passport.ts';
import { isTargetEntry } from '../base/values/target.ts';
import { PROOF_REQUIREMENTS } from '../base/values/vocabulary.ts';
import type { FieldsOf } from '../ports/collection.ts';
import type { EffectivePassport } from '../records/effective.ts';
import type { PassportInput, PassportListField } from '../records.ts';

/** The check of an entry of each field that is a list of texts. */
export const ENTRY_CHECKS: Readonly<Record<PassportListField, (text: string) => boolean>> = {
  allowed_actions: isActionEntry,
  denied_actions: isActionEntry,
  monetary_actions: isActionEntry,
  allowed_targets: isTargetEntry,
};

/** The fields as they are stored: an amount is text, and other values have the kind of the passport. */
type Stored = Omit<PassportInput, 'monetary_limit_per_txn'> & { readonly monetary_limit_per_txn: string };

/** The kind of each stored field, in the order in which a database returns the fields. */
export const PASSPORT_COLUMNS: FieldsOf<Stored> = {
  domain: 'text',
  agent_name: 'text',
  allowed_actions: 'json',
  monetary_limit_per_txn: 'text',
  denied_actions: 'json?',
  currency: 'text?',
  allowed_targets: 'json?',
  monetary_actions: 'json?',
  budgets: 'json?',
  approval: 'json?',
  conditions: 'json?',
  pace: 'json?',
  order: 'json?',
  trusted_issuers: 'json?',
  not_before: 'text?',
  expires_at: 'text?',
  proof: 'text?',
  description: 'text?',
  public_keys: 'json?',
  metadata: 'json?',
  owner: 'text?',
  managed_by: 'text?',
  parent_agent_id: 'text?',
};

/** The version of the database schema that added the field, for fields that the first version does not have. */
export const PASSPORT_COLUMNS_SINCE: { readonly [Field in keyof PassportInput]?: number } = {};

/**
 * The ways in which the passport in effect combines a field of a passport with the same field of its ancestors.
 *
 * - `shared actions`, `shared targets`: the entries that every list covers.
 * - `union`: the entries of all lists.
 * - `each`: the entries of all lists, each with the `agent_id` of its passport.
 * - `earliest`, `latest`: one instant of all passports.
 * - Another word: a function for this field alone.
 */
export type Combination =
  | 'shared actions'
  | 'shared targets'
  | 'union'
  | 'each'
  | 'earliest'
  | 'latest'
  | 'lowest amount'
  | 'one currency'
  | 'strictest approval'
  | 'strictest proof';

/** The fields that the passport in effect combines. `parent_agent_id` is the parent of the agent itself. */
export type CombinedField = Exclude<keyof PassportInput & keyof EffectivePassport, 'parent_agent_id'>;

/** The combination of each field, in the order of the answer. */
export const COMBINATIONS: Readonly<Record<CombinedField, Combination>> = {
  allowed_actions: 'shared actions',
  denied_actions: 'union',
  monetary_limit_per_txn: 'lowest amount',
  currency: 'one currency',
  allowed_targets: 'shared targets',
  monetary_actions: 'union',
  budgets: 'each',
  conditions: 'each',
  pace: 'each',
  order: 'each',
  approval: 'strictest approval',
  not_before: 'latest',
  expires_at: 'earliest',
  proof: 'strictest proof',
};

/** The fields that the claim `passport` of a signed passport does not have. */
export const UNCLAIMED = [
  // In the claims `iss` and `sub`.
  'domain',
  'agent_name',
  // In the claims `nbf` and `exp`.
  'not_before',
  'expires_at',
  // In the claim `cnf`.
  'public_keys',
  // Only used when the service issues access tokens.
  'trusted_issuers',
  // Only the account sees them.
  'description',
  'metadata',
  'owner',
  'managed_by',
] as const;

type ClaimedField = Exclude<keyof PassportInput, (typeof UNCLAIMED)[number]>;

/**
 * The fields in the claim `passport` of a signed passport, each with a check of its value. It includes every field
 * that can narrow a passport.
 */
export const PASSPORT_CLAIMS: Readonly<Record<ClaimedField, (value: unknown) => boolean>> = {
  parent_agent_id: (value) =>
    typeof value === 'string' && parseAgentId(value, { allowLocalhost: true }) !== undefined,
  allowed_actions: (value) => isListOf(value, isActionEntry),
  denied_actions: (value) => isListOf(value, isActionEntry),
  monetary_limit_per_txn: isCanonicalAmount,
  currency: (value) => typeof value === 'string' && currencyDecimals(value) !== undefined,
  allowed_targets: (value) => isListOf(value, isTargetEntry),
  monetary_actions: (value) => isListOf(value, isActionEntry),
  approval: isClaimedApproval,
  budgets: areClaimedBudgets,
  conditions: (value) => conditionFaults(value).length === 0,
  pace: arePaces,
  order: (value) => orderFaults(value).length === 0,
  proof: (value) => PROOF_REQUIREMENTS.some((word) => word === value),
};
