import type { Environment } from '../../../../src/index.ts';
import type { ApiKey, ManagementScope, VerdictScope } from '../../../../src/types.ts';

export type KeyKind = 'verdict' | 'management';

export function kindOf({ domains }: Pick<ApiKey, 'domains'>): KeyKind {
  return domains === undefined ? 'verdict' : 'management';
}

const SCOPES: Readonly<Record<VerdictScope, string>> = {
  verify: 'ask for verdicts',
  revoke: 'suspend and revoke passports',
  reinstate: 'end suspensions',
  refund: 'refund what verdicts spent of budgets',
  events: 'read the event stream',
  sign: 'sign passports for third parties',
  permit: 'ask for permits, which resources demand',
  token: 'get access tokens for its agents',
  decide: 'run a local verifier, which reads passports and stores verdicts',
};

const MANAGEMENT_SCOPES: Readonly<Record<ManagementScope, string>> = {
  'passports:read': 'read passports, try and replay changes',
  'passports:propose': 'change passports; a wider change waits for a person',
  'passports:write': 'create passports, and change them at once',
  'keys:read': 'read keys, never their secrets',
  'keys:write': 'issue, change and revoke verdict keys',
  'approvals:read': 'read approvals',
  'verifications:read': 'read verdicts and their events',
  'audit:read': 'read the audit trail and its events',
  'analytics:read': 'read sums of verdicts',
  'webhooks:read': 'read webhooks and deliveries',
  'webhooks:write': 'manage webhooks of types that it may read',
};

export const SCOPES_OF: Readonly<Record<KeyKind, Readonly<Record<string, string>>>> = {
  verdict: SCOPES,
  management: { ...MANAGEMENT_SCOPES, revoke: SCOPES.revoke, reinstate: SCOPES.reinstate },
};

export function scopesText(scopes: readonly string[]): string {
  return Object.keys(SCOPES).every((scope) => scopes.includes(scope)) ? 'all' : scopes.join(', ');
}

/** Matches the scopes that a test key may have. */
const OF_TESTS = /^(?:verify|events|decide|permit|token)$/;

/** Matches the scopes that read the whole account. A key that is restricted to agents or domains cannot have them. */
const WHOLE = /^(?:verifications|audit|analytics|webhooks):/;

export interface ScopeTerms {
  readonly kind: KeyKind;
  readonly environment: Environment;
  readonly isBound: boolean;
}

export function isPossible(scope: string, { kind, environment, isBound }: ScopeTerms): boolean {
  if (kind === 'management') return !(isBound && WHOLE.test(scope));
  return environment === 'live' || OF_TESTS.test(scope);
}
