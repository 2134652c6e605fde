import { formatInstant } from '../../base/values/instant.ts';
import { createApiKey } from '../../credential/api-key.ts';
import { conflict, type FieldError, type IdentityError, refuseAny } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';

import type { ApiKey, Instant, Plan, Scope } from '../../records.ts';
import { check, checkCopy } from '../../schema/check.ts';
import { keyPatchSchema, keyRotationSchema } from '../../schema/validators.generated.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, authorOf, type Context, now, nowAfter, usageCounter } from '../shared/context.ts';
import { futureInstant } from '../shared/future-instant.ts';
import type { Idempotency, OnceOptions } from '../shared/idempotency.ts';
import { logChange } from '../shared/security-log.ts';
import { insert, isStored, replace, untilWritten } from '../storage/store.ts';
import type { KeyRecord } from './collections.ts';
import {
  assertIssues,
  behindNew,
  isManaging,
  keyEvent,
  keyStatusAt,
  kindErrors,
  type NewApiKey,
  ownedKey,
  type Repeatable,
  renewalErrors,
  scopeErrors,
  toApiKey,
  toNewKey,
} from './key-record.ts';

/** A change of a key. `agent_ids: null` permits every agent of the account. */
export interface KeyPatch {
  /** The name, 1 to 100 characters. */
  readonly name?: string;
  /** The scopes: at least one, each once. */
  readonly scopes?: readonly Scope[];
  /** The agents that the key is restricted to, 1 to 100. `null` permits every agent of the account. */
  readonly agent_ids?: readonly string[] | null;
  /** The domains that a management key is restricted to, 1 to 20. `null` permits every domain of the account. */
  readonly domains?: readonly string[] | null;
}

/** Options of a rotation. */
export interface KeyRotation {
  /** The number of seconds for which the old key stays valid, 0 to 604,800. Default 0: the old key ends at once. */
  readonly grace_seconds?: number;
  /**
   * The expiry of the new management key, at most 400 days ahead. Only a member may set it. Default: the expiry of the
   * old key.
   */
  readonly expires_at?: Instant;
}

/** A key that replaces another key. */
export interface RotatedApiKey extends NewApiKey {
  /** The id of the key that was rotated. */
  readonly replaces: string;
}

/** Changes the keys of an account. */
export interface KeyChanges<Options> {
  /**
   * Changes a key. A patch without a difference writes nothing.
   *
   * @throws {IdentityError} `not_found` if the account has no such key.
   * @throws {IdentityError} `conflict` if the key is revoked or expired.
   * @throws {IdentityError} `invalid_request` for a wrong patch.
   */
  update(id: string, patch: KeyPatch, options?: Options): Promise<ApiKey>;
  /**
   * Creates a new key with all settings of the old key. In the count of the plan, it replaces the old key. The old key
   * is revoked, or stays valid for the grace period, but not past its own expiry.
   *
   * @throws {IdentityError} `not_found` if the account has no such key.
   * @throws {IdentityError} `conflict` unless the old key is active.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  rotate(id: string, rotation?: KeyRotation, options?: Options): Promise<RotatedApiKey>;
  /**
   * Creates the new key once for each idempotency key. A repeated call returns the key without its secret.
   *
   * @throws {IdentityError} `not_found` if the account has no such key.
   * @throws {IdentityError} `conflict` unless the old key is active, or while a request with the same `idempotencyKey`
   * runs.
   * @throws {IdentityError} `idempotency_mismatch` if the idempotency key belongs to a different request.
   * @throws {IdentityError} `invalid_request` for a wrong input or idempotency key.
   */
  rotate(
    id: string,
    rotation: KeyRotation,
    options: Options & OnceOptions,
  ): Promise<Repeatable<RotatedApiKey>>;
  /**
   * Revokes a key, which is refused from now on. The record of the key stays. Revoking a key again does nothing.
   *
   * @throws {IdentityError} `not_found` if the account has no such key.
   */
  revoke(id: string, options?: Options): Promise<void>;
}

/** The messages next to a secret (`first`) and in a repeated answer (`again`), which has no secret. */
export const KEY_MESSAGES = {
  first: 'Keep this key safe: it is shown this once and stored nowhere.',
  again: 'This key was shown when it was made; it is not shown again.',
} as const;

export function createKeyChanges(
  context: Pick<Context, 'store' | 'clock' | 'random' | 'nextEventName' | 'session' | 'auditDays' | 'log'>,
  { once }: Idempotency,
  planOf: (account_id: string, actor: Actor) => Promise<Plan>,
): KeyChanges<Actor> {
  const { store } = context;

  return {
    async update(id, givenPatch, actor = {}) {
      const patch = checkCopy<KeyPatch>(keyPatchSchema, givenPatch);
      return untilWritten(async () => {
        const record = await ownedKey(context, id, actor);
        const rights = nextRights(context, record, patch);
        assertIssues(actor, record);
        assertIssues(actor, rights);
        const status = keyStatusAt(record, now(context));
        if (status === 'revoked' || status === 'expired') throw ended(status);
        const changed_at = nowAfter(context, record.changed_at ?? record.created_at);
        const changedFields = {
          changed_at,
          changed_by: authorOf(context, actor),
          version: record.version + 1,
        };
        const { domains: _, ...bare } = record;
        const next: KeyRecord = { ...bare, ...rights, ...changedFields };
        if (sameRights(record, next)) return toApiKey(record, now(context));
        const event = keyEvent(context, 'key.updated', next, { changed_by: changedFields.changed_by });
        const result = await store.write(replace('keys', next, record.version), event);
        if (!result.written) return undefined;
        logChange(context, 'key.updated', actor, { key_id: id, start: record.start });
        return toApiKey(next, now(context));
      });
    },

    async rotate(id: string, rotation: KeyRotation = {}, options: Actor & OnceOptions = {}) {
      const { grace_seconds = 0, expires_at } = check<KeyRotation>(keyRotationSchema, rotation, (fields) =>
        renewalOf(context, fields['expires_at'], options),
      );
      const account_id = accountOf(context, options);
      await assertMayAsk(context, id, options);
      const request = { ...options, account_id, operation: `keys.rotate ${id}`, input: rotation };
      return once<RotatedApiKey>(request, async (write) => {
        const plan = await planOf(account_id, options);
        return untilWritten(async () => {
          const old = await ownedKey(context, id, options);
          assertRotates(options, old, expires_at);
          assertActive(context, old);
          const author = authorOf(context, options);
          const { key, record } = successorOf(context, old, { author, options, expires_at });
          const repeatable = { ...toNewKey(record), plan, message: KEY_MESSAGES.again, replaces: id };
          const shownFields = { ...repeatable, key, message: KEY_MESSAGES.first };
          const madeResult = { id: record.id, shown: shownFields, repeatable: repeatable as RotatedApiKey };
          // The count of the plan stays the same: the new key takes the place of the old one.
          const retiredRecord = retire(context, old, { rotated_to: record.id, grace_seconds, author });
          const event = keyEvent(context, 'key.rotated', record, { changed_by: author, replaces: id });
          const changes = [replace('keys', retiredRecord, old.version), insert('keys', record), event];
          const result = await write(madeResult, changes);
          if (!isStored(result)) return undefined;
          const end = retiredRecord.status === 'rotating' ? retiredRecord.expires_at : null;
          const facts = { key_id: record.id, start: record.start, replaces: id, until: end };
          logChange(context, 'key.rotated', options, facts);
          return madeResult;
        });
      });
    },

    async revoke(id, actor = {}) {
      await untilWritten(async () => {
        const record = await ownedKey(context, id, actor);
        assertIssues(actor, record);
        if (record.status === 'revoked') return true;
        const revoked_at = nowAfter(context, record.created_at);
        const changed_by = authorOf(context, actor);
        const change = { status: 'revoked', revoked_at, revoked_by: changed_by } as const;
        const event = keyEvent(context, 'key.revoked', { ...record, ...change }, { changed_by });
        const result = await store.write(...endOf(context, record, change), event);
        if (!result.written) return undefined;
        logChange(context, 'key.revoked', actor, { key_id: id, start: record.start });
        return true;
      });
    },
  };
}

/**
 * Creates the steps that end a key and update the count of its account. The steps change the count only if the key is
 * active.
 */
export function endOf(
  context: Pick<Context, 'clock'>,
  record: KeyRecord,
  change: Partial<KeyRecord>,
): readonly Change[] {
  const next = { ...record, ...change, version: record.version + 1 };
  const counter = usageCounter('keys', record.account_id);
  const isCounted = record.status === 'active';
  return [
    replace('keys', next, record.version),
    ...(isCounted ? [{ op: 'add', counter, by: -1, at: now(context) } as const] : []),
  ];
}

function nextRights(
  context: Pick<Context, 'clock'>,
  record: KeyRecord,
  patch: KeyPatch,
): Pick<KeyRecord, 'name' | 'scopes' | 'agent_ids' | 'domains'> {
  const { name = record.name, scopes = record.scopes, agent_ids = record.agent_ids } = patch;
  const { domains = record.domains ?? null } = patch;
  const { environment, expires_at } = record;
  refuseAny([
    ...scopeErrors(environment, scopes),
    ...sameKindErrors(record, scopes),
    ...kindErrors(context, { environment, scopes, agent_ids, domains, expires_at }),
  ]);
  return { name, scopes, agent_ids, ...(domains !== null && { domains }) };
}

/** Returns the errors of a new expiry. Only a member may set it, so that a stolen key cannot extend its own life. */
function renewalOf(
  context: Pick<Context, 'clock'>,
  expires_at: unknown,
  actor: Actor,
): readonly FieldError[] {
  if (expires_at === undefined) return [];
  if (actor.management === undefined) return renewalErrors(context, expires_at);
  return [
    {
      path: '/expires_at',
      code: 'not_allowed',
      message: 'Only a member sets the expiry of a key. Leave it out.',
    },
  ];
}

async function assertMayAsk(
  context: Pick<Context, 'store' | 'session'>,
  id: string,
  actor: Actor,
): Promise<void> {
  if (actor.management !== undefined) assertRotates(actor, await ownedKey(context, id, actor), undefined);
}

function assertActive(context: Pick<Context, 'clock'>, key: KeyRecord): void {
  const status = keyStatusAt(key, now(context));
  if (status !== 'active') throw ended(status);
}

function assertRotates(actor: Actor, old: KeyRecord, expires_at: string | undefined): void {
  if (actor.management === undefined || actor.key_id !== old.id) assertIssues(actor, old);
  if (expires_at === undefined || isManaging(old.scopes)) return;
  const message = 'Only a management key gets another expiry. Leave it out.';
  refuseAny([{ path: '/expires_at', code: 'not_allowed', message }]);
}

function sameKindErrors(record: KeyRecord, scopes: readonly Scope[]): readonly FieldError[] {
  if (isManaging(record.scopes) === isManaging(scopes)) return [];
  const message = 'A key cannot become a management key, or the reverse.';
  return [{ path: '/scopes', code: 'not_allowed', message }];
}

interface Succession {
  readonly author: string;
  readonly options: Actor;
  readonly expires_at: string | undefined;
}

function successorOf(
  context: Pick<Context, 'clock' | 'random'>,
  old: KeyRecord,
  { author: created_by, options, expires_at }: Succession,
): { readonly key: string; readonly record: KeyRecord } {
  const kind = isManaging(old.scopes) ? 'manage' : old.environment;
  const { key, id, digest, start } = createApiKey(kind, context.random);
  const created_at = nowAfter(context, old.created_at);
  const { person: _, ...keptFields } = old;
  const fresh = {
    id,
    digest,
    start,
    version: 1,
    created_at,
    created_by,
    expires_at: expires_at === undefined ? old.expires_at : futureInstant(context, '/expires_at', expires_at),
    ...behindNew(options, old.scopes),
  };
  return {
    key,
    record: {
      ...keptFields,
      ...fresh,
      last_used_at: null,
      changed_at: null,
      changed_by: null,
      revoked_by: null,
    },
  };
}

interface Retirement {
  readonly rotated_to: string;
  readonly grace_seconds: number;
  readonly author: string;
}

function retire(
  context: Pick<Context, 'clock'>,
  old: KeyRecord,
  { rotated_to, grace_seconds, author }: Retirement,
): KeyRecord {
  const next = { ...old, rotated_to, version: old.version + 1 };
  const instant = nowAfter(context, old.created_at);
  if (grace_seconds === 0) return { ...next, status: 'revoked', revoked_at: instant, revoked_by: author };
  const end = formatInstant(Date.parse(instant) + grace_seconds * 1_000);
  const expires_at = old.expires_at !== null && old.expires_at < end ? old.expires_at : end;
  return { ...next, status: 'rotating', expires_at };
}

function sameRights(recordBefore: KeyRecord, recordAfter: KeyRecord): boolean {
  const text = ({ name, scopes, agent_ids, domains }: KeyRecord) =>
    JSON.stringify([name, scopes, agent_ids, domains]);
  return text(recordBefore) === text(recordAfter);
}

function ended(status: ApiKey['status']): IdentityError {
  return conflict(`The key is ${status}. Create another key.`);
}
