/** Sessions: stored records behind signed tokens, read on every request and never cached. */

import { formatInstant } from '../../base/instant.ts';
import { randomId } from '../../credential/random-id.ts';
import { SESSION_SECONDS } from '../../credential/session.ts';
import { IdentityError } from '../../errors.ts';
import { check } from '../../schema/check.ts';
import type { SessionCaller } from '../shared/callers.ts';
import { type Context, now, nowAfter } from '../shared/context.ts';
import { insert, replace } from '../storage/store.ts';
import type { AccountsInside, Credentials } from './accounts.ts';
import type { Client, Throttle } from './throttle.ts';

/** The answer to a login. */
export interface Session {
  /** JWT for `Authorization: Bearer …`. */
  readonly access_token: string;
  /** How to send it. */
  readonly token_type: 'bearer';
  /** Seconds. */
  readonly expires_in: number;
}

/** Opens, checks and ends sessions. */
export interface Sessions {
  /** `rate_limited` after too many failures of `client`; in process, without one, nothing is limited. */
  login(credentials: Credentials, client?: Client): Promise<Session>;
  /** Who the token belongs to, or `unauthenticated` for every way it can be wrong. */
  authenticate(token: string): Promise<SessionCaller>;
  /** Ends the session at once, on every node. Ending it twice is fine. */
  logout(token: string): Promise<void>;
}

/** The sessions of one service. */
export function createSessions(context: Context, accounts: AccountsInside, throttle: Throttle): Sessions {
  const { store, tokens, secretWatch } = context;

  async function authenticate(token: string): Promise<SessionCaller> {
    await secretWatch.assertShared();
    const claims = await tokens?.read(token);
    if (claims === undefined) throw refused();
    const { account_id, session_id } = claims;
    const session = await store.get('sessions', session_id);
    if (session === undefined || session.account_id !== account_id) throw refused();
    if (session.revoked_at !== null || session.expires_at <= formatInstant(context.clock.now() - 5_000)) {
      throw refused();
    }
    const account = await store.get('accounts', account_id);
    if (account === undefined || account.disabled_at !== null) throw refused();
    if (account.token_version !== session.token_version) throw refused();
    return { account_id, session_id, plan: account.plan };
  }

  return {
    authenticate,

    async login(credentials, client) {
      if (tokens === undefined) throw new IdentityError('not_found', 'This service has no logins.');
      await secretWatch.assertShared();
      const { email } = check<Credentials>('LoginRequest', credentials);
      const account = await throttle.attempt(email, client, (visitor) =>
        accounts.authenticate(credentials, visitor),
      );
      const id = randomId('ses', context.random);
      const result = await store.write(
        insert('sessions', {
          id,
          account_id: account.id,
          version: 1,
          created_at: now(context),
          token_version: account.token_version,
          expires_at: formatInstant(context.clock.now() + SESSION_SECONDS * 1000),
          revoked_at: null,
        }),
      );
      if (!result.written) throw new IdentityError('internal', 'The session could not be stored.');
      const access_token = await tokens.issue({ account_id: account.id, session_id: id });
      return { access_token, token_type: 'bearer', expires_in: SESSION_SECONDS };
    },

    async logout(token) {
      const { session_id } = await authenticate(token);
      const session = await store.get('sessions', session_id);
      if (session === undefined || session.revoked_at !== null) return;
      const ended = {
        ...session,
        version: session.version + 1,
        revoked_at: nowAfter(context, session.created_at),
      };
      await store.write(replace('sessions', ended, session.version));
    },
  };
}

function refused(): IdentityError {
  return new IdentityError('unauthenticated', 'The access token is missing, expired or not valid.');
}
