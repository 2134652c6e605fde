/** A key between its stored and its shown form. */
import { type FieldError, IdentityError } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { KeyRecord } from '../../ports/stored-records.ts';
import type { EventData, EventType } from '../../records/event.ts';
import type { ApiKey, Instant, Plan } from '../../records.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context, now } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';

/** What the key is at `at`: expiry is derived. */
export function keyStatusAt(record: KeyRecord, at: Instant): ApiKey['status'] {
  if (record.status === 'revoked') return 'revoked';
  return record.expires_at !== null && record.expires_at <= at ? 'expired' : record.status;
}

/** The key as it is shown at `at`. */
export function toApiKey(record: KeyRecord, at: Instant): ApiKey {
  const { account_id: _, version: __, digest: ___, ...shown } = record;
  // A store of JSON holds records of older releases, which did not say by whom.
  const { created_by = null, changed_at = null, changed_by = null, revoked_by = null } = shown;
  return { ...shown, created_by, changed_at, changed_by, revoked_by, status: keyStatusAt(record, at) };
}

/** What a key shows when it is made. */
export type NewKeyFields = Pick<
  ApiKey,
  'id' | 'name' | 'start' | 'environment' | 'scopes' | 'agent_ids' | 'created_at' | 'expires_at'
>;

/** What a new key shows besides its secret. */
export function toNewKey(record: KeyRecord): NewKeyFields {
  const { id, name, start, environment, scopes, agent_ids, created_at, expires_at } = record;
  return { id, name, start, environment, scopes, agent_ids, created_at, expires_at };
}

/** The key, or `not_found` for a key of another account as for one that does not exist. */
export async function ownedKey(context: Context, id: string, actor: Actor): Promise<KeyRecord> {
  const account_id = accountOf(context, actor);
  const record = await context.store.get('keys', id);
  if (record?.account_id === account_id) return record;
  throw new IdentityError('not_found', 'There is no such key.');
}

/** What is wrong with scopes that the environment does not have. */
export function scopeErrors(environment: unknown, scopes: unknown): readonly FieldError[] {
  if (environment !== 'test' || !Array.isArray(scopes)) return [];
  if (scopes.every((scope: unknown) => scope === 'verify' || scope === 'events')) return [];
  const message = 'A test key may only verify, and read events: ["verify", "events"].';
  return [{ path: '/scopes', code: 'not_allowed', message }];
}

/** A new key. `key` is the secret: shown this once, stored nowhere. */
export interface NewApiKey extends NewKeyFields {
  /** The secret. */
  readonly key: string;
  /** The plan of the account. */
  readonly plan: Plan;
  /** What to do with the secret now. */
  readonly message: string;
}

/** An answer that may be given again under an idempotency key: then without the secret. */
export type Repeatable<New extends NewApiKey> = Omit<New, 'key'> & Partial<Pick<New, 'key'>>;

/** What becomes of a key. */
type KeyEvent = Extract<EventType, `key.${string}`>;

/** The step that stores what has become of a key, with who did it; of a rotated one the new key, and what it replaces. */
export function keyEvent(
  context: Context,
  type: KeyEvent,
  record: KeyRecord,
  facts: { readonly changed_by: string; readonly replaces?: string },
): Change {
  const data = { ...toApiKey(record, now(context)), ...facts } as EventData[KeyEvent];
  return eventOf(context, type, { account_id: record.account_id, data });
}
