/** Reads a passport of an answer: one with anything that this version does not know is not judged here. */
import type { OptionNames } from '../base/known-options.ts';
import { conditionFaults } from '../base/values/conditions/condition.ts';
import { parseInstant } from '../base/values/instant.ts';
import { arePaces } from '../base/values/pace.ts';
import type { AgentKey } from '../records/key.ts';
import type { ApprovalRequirement, Budget, Passport } from '../records.ts';
import type { PassportRecord } from '../service/passports/collections.ts';

/**
 * Returns the record of the passport; `undefined` if it has a field, at any depth but in `metadata`, that this version
 * does not know. One that it cannot read has no policy, once it is prepared.
 */
export function readConfirmed(
  id: string,
  passport: Passport,
  account_id: string,
): PassportRecord | undefined {
  if (!isKnown(id, passport)) return undefined;
  const { agent_id: _, ...fields } = passport;
  return { id, account_id, ...fields } as unknown as PassportRecord;
}

/** The fields of a passport. A new field does not compile without its row. */
const FIELDS: OptionNames<Passport> = {
  ...{ agent_id: true, domain: true, agent_name: true, parent_agent_id: true, status: true, version: true },
  ...{ created_at: true, updated_at: true, suspended_until: true, suspended_by: true },
  ...{ suspension_reason: true, revoked_at: true, revoked_by: true, revocation_reason: true },
  ...{ allowed_actions: true, denied_actions: true, monetary_actions: true, allowed_targets: true },
  ...{ monetary_limit_per_txn: true, currency: true, approval: true, budgets: true, not_before: true },
  ...{ conditions: true, pace: true },
  ...{ expires_at: true, proof: true, description: true, public_keys: true, metadata: true },
};
const BUDGET: OptionNames<Budget> = { name: true, window: true, limit: true, count: true, actions: true };
const APPROVAL: OptionNames<ApprovalRequirement> = {
  ...{ above: true, actions: true, seconds: true, count: true, by: true, changes: true },
};
const KEY: OptionNames<AgentKey> = { kty: true, crv: true, x: true, y: true, kid: true, alg: true };

type Fields = Readonly<Record<string, true>>;

function isKnown(id: string, passport: Passport): boolean {
  const { agent_id, version, updated_at } = passport;
  if (agent_id !== id || !Number.isSafeInteger(version) || version < 1) return false;
  if (typeof updated_at !== 'string' || parseInstant(updated_at) === undefined) return false;
  return Object.entries(passport).every(([name, value]) => Object.hasOwn(FIELDS, name) && fits(name, value));
}

/** Says whether the value has only parts that are known. */
function fits(name: string, value: unknown): boolean {
  if (name === 'metadata') return true;
  if (name === 'budgets') return isListOf(value, BUDGET);
  if (name === 'public_keys') return isListOf(value, KEY);
  if (name === 'pace') return arePaces(value);
  if (name === 'conditions') return conditionFaults(value).length === 0;
  if (name === 'approval') return hasOnly(value, APPROVAL);
  return isFlat(value);
}

function isListOf(value: unknown, fields: Fields): boolean {
  return Array.isArray(value) && value.every((one) => hasOnly(one, fields));
}

function hasOnly(value: unknown, fields: Fields): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, part]) => Object.hasOwn(fields, name) && isFlat(part));
}

/** Says whether the value is a text, a number or a list of texts. */
function isFlat(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return typeof value !== 'object' || value === null;
}
