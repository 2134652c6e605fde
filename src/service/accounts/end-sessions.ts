/** The end of sessions: of one, of all of a member, or of all of an account. */
import { accountWithFounder, endMemberSessions } from '../logins/logins.ts';
import type { Actor, SessionCaller } from '../shared/callers.ts';
import { accountOf, authorOf, type Context, nowAfter } from '../shared/context.ts';
import { logSecurityEvent } from '../shared/security-log.ts';
import { replace, untilWritten } from '../storage/store.ts';

/**
 * Ends the session that the actor came with, if it came with one, or every session of the member; of the account if no
 * member is named.
 */
export type EndSessions = (
  actor: Actor & Pick<Partial<SessionCaller>, 'session_id'>,
  everywhere: boolean,
) => Promise<void>;

/** Makes the function that ends the sessions of one service. */
export function createEndSessions(context: Context): EndSessions {
  const { store } = context;

  /** Ends the sessions of all members: each token contains the version of the account at its issue. */
  async function endAll(account_id: string): Promise<void> {
    let ended: number | undefined;
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
    const { session_id, request_id, member_id } = actor;
    const session = typeof session_id !== 'string' ? undefined : await store.get('sessions', session_id);
    if (everywhere) {
      const by = authorOf(context, actor);
      if (member_id === undefined) await endAll(account_id);
      else {
        await accountWithFounder(context, account_id);
        const version = session?.member_version ?? session?.token_version;
        await endMemberSessions(context, { id: member_id, account_id }, { by, version });
      }
      return logSecurityEvent(context, 'account.sessions_ended', { account_id, by, request_id });
    }
    if (session === undefined || session.account_id !== account_id || session.revoked_at !== null) return;
    const revoked_at = nowAfter(context, session.created_at);
    const ended = { ...session, version: session.version + 1, revoked_at };
    await store.write(replace('sessions', ended, session.version));
  };
}
