/** Sessions: signed tokens whose records are read on every request and never cached. */

import { formatInstant } from '../../base/values/instant.ts';
import { randomId } from '../../credential/random-id.ts';
import { SESSION_SECONDS } from '../../credential/session.ts';
import { IdentityError } from '../../errors.ts';
import { check } from '../../schema/check.ts';
import type { Traced } from '../shared/call-options.ts';
import type { SessionCaller } from '../shared/callers.ts';
import { type Context, now } from '../shared/context.ts';
import { insert } from '../storage/store.ts';
import type { Credentials } from './account-record.ts';
import type { AccountsInside } from './accounts.ts';
import { createEndSessions, type EndSessions } from './end-sessions.ts';
import type { CallerOrigin, Throttle } from './throttle.ts';

/** The answer to a login. */
export interface Session {
  /** The JWT for `Authorization: Bearer …`. */
  readonly access_token: string;
  /** The scheme of the header. */
  readonly token_type: 'bearer';
  /** The lifetime in seconds. */
  readonly expires_in: number;
}

/** The sessions to end. */
export interface LogoutInput {
  /** `true` for every session of the account; default: this one. */
  readonly everywhere?: boolean;
}

/** Opens, checks and ends sessions. */
export interface Sessions {
  /** Logs in; `rate_limited` after too many failures of `client`. A call in process has no client and no limit. */
  login(credentials: Credentials, client?: CallerOrigin): Promise<Session>;
  /** Returns the account of a token; throws `unauthenticated` for every invalid token. */
  authenticate(token: string): Promise<SessionCaller>;
  /** Ends the session at once on every node, or every session of its account; `unauthenticated` if it has ended. */
  logout(token: string, input?: LogoutInput, traced?: Traced): Promise<void>;
}

/** The same for the service itself. */
export interface SessionsInside extends Sessions {
  readonly end: EndSessions;
}

const NO_LOGINS = 'This service has no logins: give it session.secret.';

/** Makes the sessions of one service. */
export function createSessions(
  context: Context,
  accounts: AccountsInside,
  throttle: Throttle,
): SessionsInside {
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

  const end = createEndSessions(context);

  return {
    authenticate,

    async login(credentials, client) {
      if (tokens === undefined) throw new IdentityError('not_found', NO_LOGINS);
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

    async logout(token, given = {}, traced = {}) {
      const { everywhere = false } = check<LogoutInput>('LogoutRequest', given);
      await end({ ...(await authenticate(token)), request_id: traced.request_id ?? null }, everywhere);
    },

    end,
  };
}

function refused(): IdentityError {
  return new IdentityError('unauthenticated', 'The access token is missing, expired or not valid.');
}
