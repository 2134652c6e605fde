/** Converts a key from its stored to its public form. */
import { type FieldError, noSuch } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { EventData, EventType } from '../../records/event.ts';
import type { ApiKey, Instant, Plan, Scope } from '../../records.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context, now } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';
import type { KeyRecord } from './collections.ts';
import { isManaging, seesKey } from './management.ts';

/** Returns the status of a key at `at`. The status `expired` is computed, not stored. */
export function keyStatusAt(record: KeyRecord, instant: Instant): ApiKey['status'] {
  if (record.status === 'revoked') return 'revoked';
  return record.expires_at !== null && record.expires_at <= instant ? 'expired' : record.status;
}

/** Returns the public form of a key at `at`. */
export function toApiKey(record: KeyRecord, instant: Instant): ApiKey {
  const { account_id: _, version: __, digest: ___, ...shownFields } = record;
  // A store of JSON has records of older releases, which lack these fields.
  const { created_by = null, changed_at = null, changed_by = null, revoked_by = null } = shownFields;
  return {
    ...shownFields,
    ...managedFields(record),
    created_by,
    changed_at,
    changed_by,
    revoked_by,
    status: keyStatusAt(record, instant),
  };
}

function managedFields({ scopes, domains, person }: KeyRecord): Pick<ApiKey, 'domains' | 'person'> {
  if (isManaging(scopes)) return { domains: domains ?? null, person: person ?? null };
  return person === undefined ? {} : { person };
}

/** Returns the member for whom a key acts, or else the author of the key. */
export function makerOf({ person, created_by = null }: KeyRecord): string | null {
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
