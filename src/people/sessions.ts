/** Sessions: signed tokens. Their records are read on every request and never cached. */

import { formatInstant } from '../base/values/instant.ts';
import type { Credentials } from '../core/accounts/account-record.ts';
import type { SessionRecord } from '../core/accounts/collections.ts';
import { findLogin, liveSession, type SignedIn, storedAccount } from '../core/members/members.ts';
import {
  type Actor,
  type OwnSession,
  type SessionCaller,
  type Traced,
  tokenRefused,
} from '../core/shared/callers.ts';
import { accountOf, authorOf, type Context, now, nowAfter } from '../core/shared/context.ts';
import { eventOf } from '../core/shared/outbox.ts';
import { logSecurityEvent } from '../core/shared/security-log.ts';
import { insert, replace, untilWritten } from '../core/storage/store.ts';
import type { Visitor } from '../credential/fair-queue.ts';
import { randomId } from '../credential/random-id.ts';
import { SESSION_SECONDS, type SessionTokens, sessionTokens } from '../credential/session.ts';
import { IdentityError } from '../errors.ts';
import { check } from '../schema/check.ts';
import { endMemberSessions } from './member-record.ts';
import type { CallerOrigin, Throttle } from './throttle.ts';
import { loginRequestSchema, logoutRequestSchema } from './validators.generated.ts';

/** The parts of the service that this file uses. */
type Needs = Pick<
  Context,
  | 'store'
  | 'clock'
  | 'random'
  | 'nextEventName'
  | 'secretWatch'
  | 'passwords'
  | 'session'
  | 'auditDays'
  | 'log'
>;

/** The result of a login. */
export interface Session {
  /** The JWT for `Authorization: Bearer …`. */
  readonly access_token: string;
  /** The scheme of the `Authorization` header. */
  readonly token_type: 'bearer';
  /** The lifetime of the token in seconds. */
  readonly expires_in: number;
}

/** Says which sessions end. */
export interface LogoutInput {
  /** `true` to end every session of the member; by default only the present session ends. */
  readonly everywhere?: boolean;
}

/** Opens, checks and ends sessions. */
export interface Sessions {
  /**
   * Signs a member in. A call in process has no client and no limit.
   *
   * @throws {IdentityError} `not_found` if the service has no logins.
   * @throws {IdentityError} `invalid_credentials` for a wrong e-mail or password, or a disabled account.
   * @throws {IdentityError} `rate_limited` after too many failures of `client`.
   * @throws {IdentityError} `overloaded` if too many passwords wait for their check.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   * @throws {IdentityError} `invalid_configuration` if other nodes have another `session.secret`.
   */
  login(credentials: Credentials, client?: CallerOrigin): Promise<Session>;
  /**
   * Returns the member of a token.
   *
   * @throws {IdentityError} `unauthenticated` for every invalid token.
   * @throws {IdentityError} `invalid_configuration` as `login`.
   */
  authenticate(token: string): Promise<OwnSession>;
  /**
   * Ends the session, or every session of its member, at once on every node.
   *
   * @throws {IdentityError} `unauthenticated` for every invalid token.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   * @throws {IdentityError} `invalid_configuration` as `login`.
   */
  logout(token: string, input?: LogoutInput, trace?: Traced): Promise<void>;
}

/** Opens, checks and ends sessions, with additional methods for the service itself. */
export interface SessionsInside extends Sessions {
  open(signedIn: SignedIn): Promise<Session>;
  readonly end: EndSessions;
}

/** The accepted difference between the clocks of two nodes. */
const LEEWAY_MS = 5_000;

const NO_LOGINS = 'This service has no logins: give it session.secret.';

export function createSessions(context: Needs, throttle: Throttle): SessionsInside {
  const { store, clock, session, secretWatch } = context;
  const tokens = session && sessionTokens({ ...session, clock });

  async function authenticate(token: string): Promise<OwnSession> {
    await secretWatch.assertShared();
    const claims = await tokens?.read(token);
    if (claims === undefined) throw tokenRefused();
    const { account_id, session_id } = claims;
    const live = await liveSession(context, claims, LEEWAY_MS);
    if (live === undefined) throw tokenRefused();
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
      id,
      account_id,
      version: 1,
      created_at: now(context),
      member_id: member.id,
      member_version: member.token_version,
      token_version: account.token_version,
      revoked_at: null,
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
      const { email } = check<Credentials>(loginRequestSchema, credentials);
      return open(
        await throttle.attempt(email, client, (visitor) =>
          memberOfCredentials(context, credentials, visitor),
        ),
      );
    },

    async logout(token, input = {}, trace = {}) {
      const { everywhere = false } = check<LogoutInput>(logoutRequestSchema, input);
      await end({ ...(await authenticate(token)), request_id: trace.request_id ?? null }, everywhere);
    },

    end,
  };
}

/**
 * Returns the member with these credentials, and the account.
 *
 * @throws {IdentityError} `invalid_credentials`, the same for a wrong e-mail and a wrong password.
 */
async function memberOfCredentials(
  context: Needs,
  credentials: Credentials,
  visitor: Visitor,
): Promise<SignedIn> {
  const { passwords } = context;
  const { email, password } = check<Credentials>(loginRequestSchema, credentials);
  const login = await findLogin(context, email);
  const matches =
    login === undefined
      ? await passwords.verifyNothing(password, visitor)
      : await passwords.verify(password, login.password_hash, visitor);
  if (login !== undefined && matches && login.account.disabled_at === null) {
    return { account: login.account, member: login.member };
  }
  throw new IdentityError('invalid_credentials', 'The e-mail or the password is wrong.');
}

/**
 * Ends the session of the actor, if the actor has one. With `everywhere`, ends every session of the member instead. If
 * the actor names no member, `everywhere` ends all sessions of the account.
 */
export type EndSessions = (
  actor: Actor & Pick<Partial<SessionCaller>, 'session_id'>,
  everywhere: boolean,
) => Promise<void>;

function createEndSessions(context: Needs): EndSessions {
  const { store } = context;

  /** Ends the sessions of all members by raising the version of the account, which each token contains. */
  async function endAll(account_id: string): Promise<void> {
    let endedVersion: number | undefined;
    await untilWritten(async () => {
      const account = await store.get('accounts', account_id);
      endedVersion ??= account?.token_version;
      // Another call has ended them all in the meantime: sessions that were opened since then stay valid.
      if (account === undefined || account.token_version !== endedVersion) return true;
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
      const author = authorOf(context, actor);
      if (member_id === undefined) await endAll(account_id);
      else {
        await storedAccount(context, account_id);
        const version = session?.member_version;
        await endMemberSessions(context, { id: member_id, account_id }, { by: author, version });
      }
      return logSecurityEvent(context, 'account.sessions_ended', { account_id, by: author, request_id });
    }
    if (session === undefined || session.account_id !== account_id || session.revoked_at !== null) return;
    const revoked_at = nowAfter(context, session.created_at);
    const endedSession = { ...session, version: session.version + 1, revoked_at };
    await store.write(replace('sessions', endedSession, session.version));
  };
}
