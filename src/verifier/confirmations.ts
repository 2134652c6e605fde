/**
 * Stores the answers about single agents in memory. If a passport cannot be evaluated here, the verifier must ask the
 * service about the agent.
 */

import type { OptionNames } from '../base/known-options.ts';
import { conditionFaults } from '../base/values/conditions/condition.ts';
import { parseInstant } from '../base/values/instant.ts';
import { orderFaults } from '../base/values/order.ts';
import { arePaces } from '../base/values/pace.ts';
import type { PassportRecord } from '../core/passports/collections.ts';
import type { KnownPassport } from '../core/storage/caches.ts';
import type { ConfirmedCache } from '../core/storage/record-cache.ts';
import type { AgentKey } from '../records/key.ts';
import type { ApprovalRequirement, Budget, Passport, PassportInput } from '../records.ts';
import { passportRequestSchema } from '../schema/validators.generated.ts';
import { preparationOf } from '../verdict/prepare.ts';
import type { Dated } from './channel.ts';
import type { Chains } from './plans.ts';

export type HeldPassports = ConfirmedCache<PassportRecord, KnownPassport>;

export interface Blocks {
  /** Returns `true` if the service must be asked about an agent. */
  isBlocked(agentId: string): boolean;
  list(): readonly string[];
  /** Sends requests for an agent to the service for a minute. Forgets its cached passport. */
  block(agentId: string): void;
}

/** The milliseconds for which the service is asked about an agent after its passport could not be evaluated here. */
const BLOCKED_MS = 60_000;

export function createBlocks(passports: Pick<HeldPassports, 'drop'>, elapsedMs: () => number): Blocks {
  const blockEnds = new Map<string, number>();

  function isBlocked(agentId: string): boolean {
    if (blockEnds.size === 0) return false;
    const endMs = blockEnds.get(agentId);
    if (endMs === undefined) return false;
    if (elapsedMs() < endMs) return true;
    blockEnds.delete(agentId);
    return false;
  }

  return {
    isBlocked,
    list: () => [...blockEnds.keys()].filter(isBlocked),
    block(agentId) {
      passports.drop(agentId);
      blockEnds.set(agentId, elapsedMs() + BLOCKED_MS);
    },
  };
}

export interface Confirmations {
  /** Stores a passport. `namedVersion` is the version in the request. Returns `true` if the passport has changed. */
  found(id: string, passport: Passport, namedVersion: string | null | undefined, answer: Dated): boolean;
  absent(id: string, asOf: number): boolean;
  /**
   * Stores that the API key may not see an agent. Forgets the passport of the agent, unless the verifier knows
   * descendants, which the key may see. Returns `true` if the agent was known.
   */
  hidden(id: string): boolean;
  named(id: string, namedVersion: string | null, asOf: number): void;
}

export function createConfirmations(
  passports: HeldPassports,
  chains: Chains,
  block: (id: string) => void,
): Confirmations {
  return {
    found(id, passport, namedVersion, answer) {
      const { asOf, account_id } = answer;
      const record = readConfirmed(id, passport, account_id);
      if (record === undefined || record.version < versionIn(namedVersion)) {
        block(id);
        return true;
      }
      const confirmation = passports.held(id);
      const valueBefore = confirmation?.value;
      const versionBefore = valueBefore?.version ?? record.version;
      // An answer to another request has overtaken this one.
      if (versionBefore > record.version) return false;
      const isNewer = versionBefore < record.version;
      const isOther = valueBefore?.version !== record.version || valueBefore.updated_at !== record.updated_at;
      if (isOther && !isNewer && confirmation !== undefined && confirmation.asOf > asOf) return false;
      if (record.parent_agent_id !== undefined) chains.note(id, record.parent_agent_id);
      const value = passports.confirmAt(id, asOf, { record })?.value;
      if (value !== undefined && preparationOf(value.prepared).policy === undefined) block(id);
      return isOther;
    },
    absent(id, asOf) {
      const confirmation = passports.held(id);
      // The answer was overtaken.
      if (confirmation !== undefined && confirmation.asOf > asOf) passports.drop(id);
      else passports.confirmAt(id, asOf, { record: undefined });
      return confirmation?.value !== undefined;
    },
    hidden(id) {
      if (passports.held(id) === undefined || chains.below(id) !== undefined) return false;
      passports.drop(id);
      return true;
    },
    named(id, namedVersion, asOf) {
      if (namedVersion === null) return;
      const confirmation = passports.held(id);
      if (confirmation === undefined || knowledgeOf(confirmation.value) !== namedVersion) return;
      passports.confirmAt(id, asOf);
    },
  };
}

export function knowledgeOf(passport: KnownPassport | undefined): string {
  return passport === undefined ? '' : `${passport.version} ${passport.updated_at}`;
}

function versionIn(namedVersion: string | null | undefined): number {
  return Number.parseInt(namedVersion ?? '', 10) || 0;
}

/**
 * Returns the record of the passport. Returns `undefined` if the passport has an unknown field, at any depth except in
 * `metadata`. A passport that cannot be read has no policy after it is prepared.
 */
function readConfirmed(id: string, passport: Passport, account_id: string): PassportRecord | undefined {
  if (!isKnown(id, passport)) return undefined;
  const { agent_id: _, ...fields } = passport;
  return { id, account_id, ...fields } as unknown as PassportRecord;
}

/** The fields that the service sets. The compiler requires every one. */
const SET_BY_SERVICE: OptionNames<Omit<Passport, keyof PassportInput>> = {
  agent_id: true,
  status: true,
  version: true,
  created_at: true,
  updated_at: true,
  suspended_until: true,
  suspended_by: true,
  suspension_reason: true,
  revoked_at: true,
  revoked_by: true,
  revocation_reason: true,
  last_seen_at: true,
};
/** The known fields of a passport: the fields in its schema, and the fields that the service sets. */
const FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(SET_BY_SERVICE),
  ...passportRequestSchema.fields,
]);
const BUDGET: OptionNames<Budget> = {
  name: true,
  window: true,
  limit: true,
  unit: true,
  count: true,
  actions: true,
  overrun: true,
  warn_at: true,
};
const APPROVAL: OptionNames<ApprovalRequirement> = {
  above: true,
  actions: true,
  seconds: true,
  count: true,
  by: true,
  changes: true,
};
const KEY: OptionNames<AgentKey> = { kty: true, crv: true, x: true, y: true, kid: true, alg: true };

type Fields = Readonly<Record<string, true>>;

function isKnown(id: string, passport: Passport): boolean {
  const { agent_id, version, updated_at } = passport;
  if (agent_id !== id || !Number.isSafeInteger(version) || version < 1) return false;
  if (typeof updated_at !== 'string' || parseInstant(updated_at) === undefined) return false;
  return Object.entries(passport).every(([name, value]) => FIELDS.has(name) && fits(name, value));
}

function fits(name: string, value: unknown): boolean {
  // No rule reads them.
  if (name === 'metadata' || name === 'trusted_issuers') return true;
  if (name === 'budgets') return isListOf(value, BUDGET);
  if (name === 'public_keys') return isListOf(value, KEY);
  if (name === 'pace') return arePaces(value);
  if (name === 'order') return orderFaults(value).length === 0;
  if (name === 'conditions') return conditionFaults(value).length === 0;
  if (name === 'approval') return hasOnly(value, APPROVAL);
  return isFlat(value);
}

function isListOf(value: unknown, fields: Fields): boolean {
  return Array.isArray(value) && value.every((item) => hasOnly(item, fields));
}

function hasOnly(value: unknown, fields: Fields): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, part]) => Object.hasOwn(fields, name) && isFlat(part));
}

function isFlat(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value !== 'object' || value === null;
}
