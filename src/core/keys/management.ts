/** Checks the rules of management keys: the scopes that they may have, and the keys that they may make and change. */

import { isDomain } from '../../base/values/agent-id.ts';
import { MAX_KEY_DOMAINS } from '../../base/values/field-limits.ts';
import { parseInstant } from '../../base/values/instant.ts';
import { MANAGEMENT_SCOPES } from '../../base/values/scopes.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { type FieldError, IdentityError } from '../../errors.ts';
import type { Scope, VerdictScope } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import type { Actor } from '../shared/callers.ts';
import type { Context } from '../shared/context.ts';
import { futureErrors } from '../shared/future-instant.ts';
import { isBound, isWithin } from '../shared/seen.ts';
import type { KeyRecord } from './collections.ts';

const MAX_DAYS = 400;

/** The scopes that fit management keys and other keys. */
const SHARED: readonly unknown[] = ['revoke', 'reinstate'] satisfies VerdictScope[];
/** The scopes that a key with restricted agents or domains cannot have, because they read data of the whole account. */
const UNBOUND: readonly unknown[] = [
  'verifications:read',
  'audit:read',
  'analytics:read',
  'webhooks:read',
  'webhooks:write',
] satisfies Scope[];
/** The scopes of the keys that a management key may create. */
const ISSUED: readonly Scope[] = ['verify', 'revoke', 'events', 'permit', 'token'];

export function isManaging(scopes: unknown): boolean {
  return Array.isArray(scopes) && scopes.some((scope) => MANAGEMENT_SCOPES.includes(scope));
}

export type KindFields = Readonly<
  Record<'scopes' | 'environment' | 'agent_ids' | 'domains' | 'expires_at', unknown>
>;

export function kindErrors(context: Pick<Context, 'clock'>, fields: KindFields): readonly FieldError[] {
  const { scopes, environment, agent_ids, domains, expires_at } = fields;
  const errors: FieldError[] = [];
  const refuse = (path: string, code: string, message: string) => errors.push({ path, code, message });
  if (!isManaging(scopes)) {
    if ((domains ?? null) !== null)
      refuse('/domains', 'not_allowed', 'Only a management key is bound to domains.');
    return errors;
  }
  const listedScopes = scopes as readonly unknown[];
  if (!listedScopes.every((scope) => SHARED.includes(scope) || MANAGEMENT_SCOPES.includes(scope as never)))
    refuse('/scopes', 'not_allowed', 'A key asks for verdicts or manages: make a key for each.');
  if ((agent_ids ?? domains ?? null) !== null && listedScopes.some((scope) => UNBOUND.includes(scope)))
    refuse('/scopes', 'not_allowed', `A key that is bound cannot have the scopes ${UNBOUND.join(', ')}.`);
  if (environment === 'test')
    refuse('/environment', 'not_allowed', 'A management key has no environment. Leave it out.');
  errors.push(...domainErrors(domains), ...endErrors(context, expires_at));
  return errors;
}

function domainErrors(domains: unknown): readonly FieldError[] {
  if (!Array.isArray(domains) || domains.length === 0 || domains.length > MAX_KEY_DOMAINS) return [];
  return domains.flatMap((domain, index) =>
    typeof domain !== 'string' || isDomain(domain, { allowLocalhost: true })
      ? []
      : [{ path: `/domains/${index}`, code: 'malformed', message: mustBe('/domain') }],
  );
}

function endErrors(context: Pick<Context, 'clock'>, expires_at: unknown): readonly FieldError[] {
  const path = '/expires_at';
  if (expires_at === undefined || expires_at === null)
    return [
      {
        path,
        code: 'required',
        message: `A management key needs an expiry, at most ${MAX_DAYS} days ahead.`,
      },
    ];
  const end = typeof expires_at === 'string' ? parseInstant(expires_at) : undefined;
  if (end === undefined || !(end > context.clock.now() + MAX_DAYS * RESOLUTION_MS.day)) return [];
  return [{ path, code: 'out_of_range', message: `This must be at most ${MAX_DAYS} days ahead.` }];
}

export function renewalErrors(context: Pick<Context, 'clock'>, expires_at: unknown): readonly FieldError[] {
  return [...endErrors(context, expires_at), ...futureErrors(context, '/expires_at', expires_at)];
}

export function seesKey(actor: Actor, { id, agent_ids }: KeyRecord): boolean {
  if (actor.management === undefined || !isBound(actor) || actor.key_id === id) return true;
  return agent_ids?.every((agentId) => isWithin(actor, agentId)) === true;
}

export function assertIssues(
  actor: Actor,
  { scopes, agent_ids }: Pick<KeyRecord, 'scopes' | 'agent_ids'>,
): void {
  if (actor.management === undefined) return;
  if (!scopes.every((scope) => ISSUED.includes(scope)))
    throw insufficient(`A management key issues keys with the scopes ${ISSUED.join(', ')} alone.`);
  if (scopes.includes('token') && agent_ids === null)
    throw insufficient('A key with the scope token must name agent_ids.');
  if (!isBound(actor)) return;
  if (agent_ids?.every((agentId) => isWithin(actor, agentId)) !== true)
    throw insufficient('The key must name agent_ids that the management key can access.');
}

export function insufficient(message: string): IdentityError {
  return new IdentityError('insufficient_scope', message);
}
