/** Converts a key from its stored to its public form. */

import { isDomain } from '../../base/values/agent-id.ts';
import { MAX_KEY_DOMAINS } from '../../base/values/field-limits.ts';
import { parseInstant } from '../../base/values/instant.ts';
import { MANAGEMENT_SCOPES } from '../../base/values/scopes.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import { type FieldError, IdentityError, noSuch } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { EventData, EventType } from '../../records/event.ts';
import type { ApiKey, Instant, Plan, Scope, VerdictScope } from '../../records.ts';
import { mustBe } from '../../schema/expected.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context, now } from '../shared/context.ts';
import { futureErrors } from '../shared/future-instant.ts';
import { eventOf } from '../shared/outbox.ts';
import { isBound, isWithin } from '../shared/seen.ts';
import type { KeyRecord } from './collections.ts';

/** Returns the status of a key at `at`. The status `expired` is computed, not stored. */
export function keyStatusAt(record: KeyRecord, instant: Instant): ApiKey['status'] {
  if (record.status === 'revoked') return 'revoked';
  return record.expires_at !== null && record.expires_at <= instant ? 'expired' : record.status;
}

/** Returns the public form of a key at `at`. */
export function toApiKey(record: KeyRecord, instant: Instant): ApiKey {
  const { account_id: _, version: __, digest: ___, ...shownFields } = record;
  return { ...shownFields, ...managedFields(record), status: keyStatusAt(record, instant) };
}

function managedFields({ scopes, domains, person }: KeyRecord): Pick<ApiKey, 'domains' | 'person'> {
  if (isManaging(scopes)) return { domains: domains ?? null, person: person ?? null };
  return person === undefined ? {} : { person };
}

/** Returns the member for whom a key acts, or else the author of the key. */
export function makerOf({ person, created_by }: KeyRecord): string | null {
  return person ?? created_by;
}

/**
 * Returns the person for whom a new key acts, if it has one. A management key that a member makes acts for the member.
 * A key that a management key makes acts for the person of the management key.
 */
export function behindNew(
  { management, member_id }: Actor,
  scopes: readonly Scope[],
): { readonly person?: string } {
  if (management === undefined && !isManaging(scopes)) return {};
  const person = management === undefined ? member_id : management.person;
  return typeof person === 'string' ? { person } : {};
}

/** The fields that the answer to a new key contains. */
export type NewKeyFields = Pick<
  ApiKey,
  | 'id'
  | 'name'
  | 'start'
  | 'environment'
  | 'scopes'
  | 'agent_ids'
  | 'domains'
  | 'person'
  | 'created_at'
  | 'expires_at'
>;

/** Returns the answer to a new key without its secret. */
export function toNewKey(record: KeyRecord): NewKeyFields {
  const { id, name, start, environment, scopes, agent_ids, created_at, expires_at } = record;
  const managedKey = managedFields(record);
  return { id, name, start, environment, scopes, agent_ids, ...managedKey, created_at, expires_at };
}

/** Returns the key; throws `not_found` if the key does not exist or belongs to another account. */
export async function ownedKey(
  context: Pick<Context, 'store' | 'session'>,
  id: string,
  actor: Actor,
): Promise<KeyRecord> {
  const account_id = accountOf(context, actor);
  const record = await context.store.get('keys', id);
  if (record?.account_id === account_id && seesKey(actor, record)) return record;
  throw noSuch('key');
}

/** The scopes that a test key may have. They permit no changes. */
const TEST_SCOPES: readonly unknown[] = ['verify', 'events', 'decide', 'permit', 'token'] satisfies Scope[];

/** Returns an error for scopes that keys of the environment cannot have. */
export function scopeErrors(environment: unknown, scopes: unknown): readonly FieldError[] {
  if (environment !== 'test' || !Array.isArray(scopes) || isManaging(scopes)) return [];
  if (scopes.every((scope: unknown) => TEST_SCOPES.includes(scope))) return [];
  const message = `A test key may only have the scopes ${TEST_SCOPES.join(', ')}.`;
  return [{ path: '/scopes', code: 'not_allowed', message }];
}

/** A new key. Its secret `key` is shown once and stored nowhere. */
export interface NewApiKey extends NewKeyFields {
  /** The secret key, which is shown only once. */
  readonly key: string;
  /** The plan of the account. */
  readonly plan: Plan;
  /** Advice on how to keep the secret. */
  readonly message: string;
}

/** An answer that may be repeated for an idempotency key. A repeated answer has no secret. */
export type Repeatable<New extends NewApiKey> = Omit<New, 'key'> & Partial<Pick<New, 'key'>>;

type KeyEvent = Extract<EventType, `key.${string}`>;

/**
 * Creates the step that stores the event of a key with its author. For a rotated key, the event also names the new and
 * the replaced key.
 */
export function keyEvent(
  context: Pick<Context, 'clock' | 'nextEventName' | 'auditDays'>,
  type: KeyEvent,
  record: KeyRecord,
  facts: { readonly changed_by: string; readonly replaces?: string },
): Change {
  const data = { ...toApiKey(record, now(context)), ...facts } as EventData[KeyEvent];
  return eventOf(context, type, { account_id: record.account_id, data });
}

// Checks the rules of management keys: the scopes that they may have, and the keys that they may make and
// change.

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

type KindFields = Readonly<
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
