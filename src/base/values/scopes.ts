/** The scopes of API keys, for verdicts and for management. */
import type { ManagementScope, Scope, VerdictScope } from '../../records.ts';
import { wordsOf } from './vocabulary.ts';

/** The scopes of keys for verdicts. */
export const VERDICT_SCOPES: readonly VerdictScope[] = /* @__PURE__ */ wordsOf<VerdictScope>({
  verify: true,
  revoke: true,
  reinstate: true,
  refund: true,
  events: true,
  sign: true,
  decide: true,
  permit: true,
  token: true,
});

/** The prefix of management keys. */
export const MANAGEMENT_PREFIX = 'ais_manage_';

/** Says whether a text has the prefix of a management key. */
export function isManagementKey(text: unknown): boolean {
  return typeof text === 'string' && text.startsWith(MANAGEMENT_PREFIX);
}

/** The scopes of management keys. */
export const MANAGEMENT_SCOPES: readonly ManagementScope[] = /* @__PURE__ */ wordsOf<ManagementScope>({
  'passports:read': true,
  'passports:propose': true,
  'passports:write': true,
  'keys:read': true,
  'keys:write': true,
  'approvals:read': true,
  'verifications:read': true,
  'audit:read': true,
  'analytics:read': true,
  'webhooks:read': true,
  'webhooks:write': true,
});

const INCLUDED: { readonly [Name in Scope]?: readonly Scope[] } = {
  'passports:propose': ['passports:read'],
  'passports:write': ['passports:propose', 'passports:read'],
  'keys:write': ['keys:read'],
  'webhooks:write': ['webhooks:read'],
};

/** Returns the scopes together with the scopes that they include. */
export function withIncluded(scopes: readonly Scope[]): readonly Scope[] {
  return [...new Set(scopes.flatMap((scope) => [scope, ...(INCLUDED[scope] ?? [])]))];
}
