/** The methods of links for one account. */
import { knownOptions } from '../base/known-options.ts';
import type { Session } from '../core/accounts/sessions.ts';
import type { CallOptions } from '../core/shared/callers.ts';
import type { ReadLink } from '../records/member.ts';
import type { AcceptInput, LinkInput, Links } from './links.ts';

/** The methods of links for one account: of `service.as(…)` and of the admin client. */
export interface AccountLinks {
  /**
   * Returns what a link is for, to the person who has it. The link stays unused. The request is sent without the
   * session.
   */
  readLink(input: LinkInput, options?: CallOptions): Promise<ReadLink>;
  /**
   * Uses a link. From now on, the person signs in with the given password, and gets a session. The request is sent
   * once, without the session of this client, which stays open.
   */
  acceptLink(input: AcceptInput, options?: CallOptions): Promise<Session>;
}

/** Returns the methods of links. They ignore the actor, because the link identifies the person. */
export function accountLinks({ readLink, acceptLink }: Links): AccountLinks {
  return { readLink: withSignal('readLink', readLink), acceptLink: withSignal('acceptLink', acceptLink) };
}

function withSignal<Input, Answer>(name: string, method: (input: Input) => Promise<Answer>) {
  return async (input: Input, options: CallOptions = {}): Promise<Answer> => {
    knownOptions<CallOptions>(name, options, { signal: true }).signal?.throwIfAborted();
    return method(input);
  };
}
