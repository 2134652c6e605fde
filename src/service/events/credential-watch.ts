/** Ends what was opened with a credential once the credential becomes invalid. */
import { formatInstant } from '../../base/values/instant.ts';
import type { Actor, KeyCaller, SessionCaller } from '../shared/callers.ts';
import { type Context, now } from '../shared/context.ts';

/**
 * Calls `end` within a second after the credential of the caller became invalid; the returned function stops the
 * watch. A call in process has no credential.
 */
export type WatchCredential = (actor: Actor, end: () => void) => () => void;

/** The interval of checks: with the time of its reads, each is done within a second. */
const EVERY_MS = 600;
/** The time for which a storage may be down before the credential counts as invalid. */
const PATIENCE_MS = 5_000;

/** Makes a watch over the sessions and keys of `context`. */
export function createCredentialWatch(context: Context): WatchCredential {
  return (actor, end) => {
    const isValid = isSession(actor)
      ? () => isSessionValid(context, actor)
      : isKey(actor)
        ? () => isKeyValid(context, actor)
        : undefined;
    if (isValid === undefined) return () => {};
    let cancel: () => void = () => {};
    let isStopped = false;
    let knownAt = context.caches.monotonic();
    const look = async (): Promise<void> => {
      const valid = await isValid().catch(() => undefined);
      if (isStopped) return;
      const present = context.caches.monotonic();
      if (valid === true) knownAt = present;
      if (valid === false || present - knownAt > PATIENCE_MS) end();
      else cancel = context.after(EVERY_MS, () => void look());
    };
    cancel = context.after(EVERY_MS, () => void look());
    return () => {
      isStopped = true;
      cancel();
    };
  };
}

function isSession(actor: Actor): actor is SessionCaller {
  return 'session_id' in actor;
}

function isKey(actor: Actor): actor is KeyCaller {
  return typeof actor.key_id === 'string' && 'environment' in actor;
}

async function isSessionValid(context: Context, { session_id, account_id }: SessionCaller): Promise<boolean> {
  const { store, clock } = context;
  const session = await store.get('sessions', session_id);
  if (session === undefined || session.revoked_at !== null) return false;
  if (session.expires_at <= formatInstant(clock.now())) return false;
  const account = await store.get('accounts', account_id);
  return account?.disabled_at === null && account.token_version === session.token_version;
}

/** Says whether a key is valid. A key whose agents have changed is not: a new stream then shows the right ones. */
async function isKeyValid(context: Context, caller: KeyCaller): Promise<boolean> {
  const record = await context.store.get('keys', caller.key_id);
  if (record === undefined || record.status === 'revoked' || record.status === 'expired') return false;
  if (record.expires_at !== null && record.expires_at <= now(context)) return false;
  if (!record.scopes.includes('events')) return false;
  if (JSON.stringify(record.agent_ids) !== JSON.stringify(caller.agent_ids)) return false;
  const account = await context.store.get('accounts', caller.account_id);
  // An account that the host manages has no record here.
  return account === undefined || account.disabled_at === null;
}
