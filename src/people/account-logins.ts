/** The methods of links and sessions for one account. */
import { knownOptions } from '../base/known-options.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import type { ReadLink } from '../records/member.ts';
import type { AcceptInput, LinkInput, Links } from './links.ts';
import type { EndSessions, LogoutInput, Session } from './sessions.ts';

/** The methods of links and sessions for one account. `service.as(…)` and the admin client have these methods. */
export interface AccountLogins {
  /**
   * Returns the purpose of a link, for the person who has it. The link stays unused. The request is sent without the
   * session.
   *
   * @throws {IdentityError} `not_found` if the link is used, replaced or expired.
   * @throws {IdentityError} `rate_limited` over HTTP, after 50 links of an address in 15 minutes.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  readLink(input: LinkInput, options?: CallOptions): Promise<ReadLink>;
  /**
   * Uses a link. From now on, the person signs in with the given password, and gets a session. The request is sent
   * once, without the session of this client, which stays open.
   *
   * @throws {IdentityError} `not_found` as `readLink`.
   * @throws {IdentityError} `already_exists` if another login has the e-mail.
   * @throws {IdentityError} `plan_limit_reached` if the account already has 1,000 members.
   * @throws {IdentityError} `rate_limited` as `readLink`.
   * @throws {IdentityError} `overloaded` if too many passwords wait for their check.
   * @throws {IdentityError} `invalid_request` for a password or an e-mail that breaks a rule.
   */
  acceptLink(input: AcceptInput, options?: CallOptions): Promise<Session>;
  /**
   * Ends the session, if there is one. With `everywhere`, ends every session of the member, including sessions of
   * other clients. A later call signs in again, if that is possible.
   *
   * @throws {IdentityError} `unauthenticated` in a client that cannot sign in again, for `everywhere`.
   */
  logout(options?: CallOptions & LogoutInput): Promise<void>;
}

/** Returns the methods for one actor. The methods of links ignore the actor, because the link identifies the person. */
export function accountLogins(
  { readLink, acceptLink }: Links,
  end: EndSessions,
  actor: Actor,
): AccountLogins {
  return {
    readLink: withSignal('readLink', readLink),
    acceptLink: withSignal('acceptLink', acceptLink),
    async logout(options = {}) {
      const names = { everywhere: true, signal: true } as const;
      const { everywhere = false, signal } = knownOptions('logout', options, names);
      signal?.throwIfAborted();
      await end(actor, everywhere);
    },
  };
}

function withSignal<Input, Answer>(name: string, method: (input: Input) => Promise<Answer>) {
  return async (input: Input, options: CallOptions = {}): Promise<Answer> => {
    knownOptions<CallOptions>(name, options, { signal: true }).signal?.throwIfAborted();
    return method(input);
  };
}
