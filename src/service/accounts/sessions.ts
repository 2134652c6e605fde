/** Sessions: signed tokens whose records are read on every request and never cached. */

import { formatInstant } from '../../base/values/instant.ts';
import { randomId } from '../../credential/random-id.ts';
import { SESSION_SECONDS, type SessionTokens } from '../../credential/session.ts';
import { IdentityError } from '../../errors.ts';
import { check } from '../../schema/check.ts';
import { liveSession, type SignedIn } from '../logins/logins.ts';
import type { Traced } from '../shared/call-options.ts';
import type { OwnSession } from '../shared/callers.ts';
import { type Context, now } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';
import { insert } from '../storage/store.ts';
import type { Credentials } from './account-record.ts';
import type { AccountsInside } from './accounts.ts';
import type { SessionRecord } from './collections.ts';
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
  /** `true` for every session of the member; default: this one. */
  readonly everywhere?: boolean;
}

/** Opens, checks and ends sessions. */
export interface Sessions {
  /** Logs in; `rate_limited` after too many failures of `client`. A call in process has no client and no limit. */
  login(credentials: Credentials, client?: CallerOrigin): Promise<Session>;
  /** Returns the member of a token; throws `unauthenticated` for every invalid token. */
  authenticate(token: string): Promise<OwnSession>;
  /** Ends the session at once on every node, or every session of its member; `unauthenticated` if it has ended. */
  logout(token: string, input?: LogoutInput, traced?: Traced): Promise<void>;
}

/** The same for the service itself. */
export interface SessionsInside extends Sessions {
  /** Opens a session of a member that has shown that it is the one. */
  open(who: SignedIn): Promise<Session>;
  readonly end: EndSessions;
}

/** The accepted difference between the clocks of two nodes. */
const LEEWAY_MS = 5_000;

const NO_LOGINS = 'This service has no logins: give it session.secret.';

/** Makes the sessions of one service. */
export function createSessions(
  context: Context,
  accounts: AccountsInside,
  throttle: Throttle,
): SessionsInside {
  const { store, tokens, secretWatch } = context;

  async function authenticate(token: string): Promise<OwnSession> {
    await secretWatch.assertShared();
    const claims = await tokens?.read(token);
    if (claims === undefined) throw refused();
    const { account_id, session_id } = claims;
    const live = await liveSession(context, claims, LEEWAY_MS);
    if (live === undefined) throw refused();
    const { account, member } = live;
    return { account_id, session_id, member_id: member.id, role: member.role, plan: account.plan };
  }

  const end = createEndSessions(context);

  function assertLogins(): SessionTokens {
    if (tokens === undefined) throw new IdentityError('not_found', NO_LOGINS);
    return tokens;
  }

  async function open({ account, member }: SignedIn): Promise<Session> {
    const issuer = assertLogins();
    const [id, account_id] = [randomId('ses', context.random), account.id];
    const record: SessionRecord = {
      ...{ id, account_id, version: 1, created_at: now(context) },
      ...{ member_id: member.id, member_version: member.token_version },
      ...{ token_version: account.token_version, revoked_at: null },
      expires_at: formatInstant(context.clock.now() + SESSION_SECONDS * 1000),
    };
    const data = { member_id: member.id, method: member.login ?? 'password' };
    const event = eventOf(context, 'member.signed_in', { account_id, data });
    const result = await store.write(insert('sessions', record), event);
    if (!result.written) throw new IdentityError('internal', 'The session could not be stored.');
    const access_token = await issuer.issue({ account_id, session_id: id });
    return { access_token, token_type: 'bearer', expires_in: SESSION_SECONDS };
  }

  return {
    authenticate,
    open,

    async login(credentials, client) {
      assertLogins();
      await secretWatch.assertShared();
      const { email } = check<Credentials>('LoginRequest', credentials);
      return open(
        await throttle.attempt(email, client, (visitor) => accounts.authenticate(credentials, visitor)),
      );
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
