/** The end of sessions: of one, or of all of an account. */
import type { Actor, SessionCaller } from '../shared/callers.ts';
import { accountOf, authorOf, type Context, nowAfter } from '../shared/context.ts';
import { logSecurityEvent } from '../shared/security-log.ts';
import { replace, untilWritten } from '../storage/store.ts';

/** Ends the session that the actor came with, if it came with one, or every session of its account. */
export type EndSessions = (
  actor: Actor & Pick<Partial<SessionCaller>, 'session_id'>,
  everywhere: boolean,
) => Promise<void>;

/** Makes the function that ends the sessions of one service. */
export function createEndSessions(context: Context): EndSessions {
  const { store } = context;

  /** Ends the sessions of this `token_version`, or of the present one: each token contains the version of its issue. */
  async function endAll(account_id: string, token_version?: number): Promise<void> {
    let ended = token_version;
    await untilWritten(async () => {
      const account = await store.get('accounts', account_id);
      ended ??= account?.token_version;
      // Another call has ended them all in the meantime: sessions that were opened since then stay valid.
      if (account === undefined || account.token_version !== ended) return true;
      const next = { ...account, version: account.version + 1, token_version: account.token_version + 1 };
      const result = await store.write(replace('accounts', next, account.version));
      return result.written ? true : undefined;
    });
  }

  return async (actor, everywhere) => {
    const account_id = accountOf(context, actor);
    const { session_id, request_id } = actor;
    const session = session_id === undefined ? undefined : await store.get('sessions', session_id);
    if (everywhere) {
      await endAll(account_id, session?.token_version);
      const facts = { account_id, by: authorOf(context, actor), request_id };
      return logSecurityEvent(context, 'account.sessions_ended', facts);
    }
    if (session === undefined || session.account_id !== account_id || session.revoked_at !== null) return;
    const revoked_at = nowAfter(context, session.created_at);
    const ended = { ...session, version: session.version + 1, revoked_at };
    await store.write(replace('sessions', ended, session.version));
  };
}
