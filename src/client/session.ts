/** Obtains an access token on demand. Parallel calls share one login, and an expired token is replaced. */
import { orAborted } from '../base/async/or-aborted.ts';
import { IdentityError } from '../errors.ts';
import type { RequestOptions } from './transport.ts';

export interface ClientSession {
  /** Returns the result of `call`. Signs in first if necessary, and again if the token has expired. */
  use<Answer>(call: (token: string) => Promise<Answer>, options: RequestOptions): Promise<Answer>;
  /** Calls `call` with the present token and forgets the token. Without a token it does nothing. */
  end(call: (token: string) => Promise<void>): Promise<void>;
  forget(): void;
}

export function createSession(login: () => Promise<string>): ClientSession {
  let current: Promise<string> | undefined;

  function open(): Promise<string> {
    if (current !== undefined) return current;
    const tokenPromise = login();
    current = tokenPromise;
    tokenPromise.catch(() => forget(tokenPromise));
    return tokenPromise;
  }

  /** Forgets only this token. By the time a call finds its token expired, another call may have signed in already. */
  function forget(openedPromise: Promise<string>): void {
    if (current === openedPromise) current = undefined;
  }

  return {
    async use(call, { signal }) {
      signal?.throwIfAborted();
      const openedPromise = open();
      // The login is shared: a call that is given up does not end it.
      const token = await orAborted(openedPromise, signal);
      try {
        return await call(token);
      } catch (error) {
        if (!(error instanceof IdentityError) || error.code !== 'unauthenticated') throw error;
        forget(openedPromise);
      }
      return call(await orAborted(open(), signal));
    },

    async end(call) {
      const session = current;
      current = undefined;
      if (session !== undefined) await call(await session);
    },

    forget() {
      current = undefined;
    },
  };
}

export function givenSession(token: string): ClientSession {
  return { use: (call) => call(token), end: (call) => call(token), forget() {} };
}
