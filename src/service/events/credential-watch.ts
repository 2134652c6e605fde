/** Ends what was opened with a credential once the credential becomes invalid. */
import { liveSession } from '../logins/logins.ts';
import type { Actor, KeyCaller, OwnSession, SessionCaller } from '../shared/callers.ts';
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

/** The time after which the host is asked again: the client comes back, and a person who has signed out does not. */
const HOST_LOGIN_MS = 60_000;

/** Makes a watch over the sessions and keys of `context`. */
export function createCredentialWatch(context: Context): WatchCredential {
  return (actor, end) => {
    const isValid = checkOf(context, actor);
    if (isValid === undefined) return () => {};
    const cancelEnd = isHostLogin(actor) ? context.after(HOST_LOGIN_MS, end) : () => {};
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
      cancelEnd();
      cancel();
    };
  };
}

/** Returns the check of the credential of an actor; `undefined` if it has none. */
function checkOf(context: Context, actor: Actor): (() => Promise<boolean>) | undefined {
  if (isHostLogin(actor)) return () => mayHostLogin(context, actor);
  if (isSession(actor)) return () => isSessionValid(context, actor);
  return isKey(actor) ? () => isKeyValid(context, actor) : undefined;
}

function isHostLogin(actor: Actor): actor is SessionCaller {
  return 'session_id' in actor && actor.session_id === null;
}

function isSession(actor: Actor): actor is OwnSession {
  return 'session_id' in actor;
}

function isKey(actor: Actor): actor is KeyCaller {
  return typeof actor.key_id === 'string' && 'environment' in actor;
}

/** Says whether a session is valid. One whose member has another role is not: a new stream is then asked for. */
async function isSessionValid(context: Context, caller: OwnSession): Promise<boolean> {
  const live = await liveSession(context, caller, 0);
  return live !== undefined && live.member.role === caller.role;
}

/** Says whether the account is enabled and its member still there. The role is asked of the host with each stream. */
async function mayHostLogin({ store }: Context, { account_id, member_id }: SessionCaller): Promise<boolean> {
  const [account, member] = await Promise.all([
    store.get('accounts', account_id),
    store.get('members', member_id),
  ]);
  return account?.disabled_at === null && member?.status === 'active';
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
