/** An access token that is there when it is needed: parallel calls share one login, and one that has ended is replaced. */
import { IdentityError } from '../errors.ts';
import type { RequestOptions } from './transport.ts';

/** Gives calls their token. */
export interface ClientSession {
  /** What `call` gives back; signs in before it where that is needed, and once more where its token has ended. */
  use<Answer>(call: (token: string) => Promise<Answer>, options: RequestOptions): Promise<Answer>;
  /** Calls `call` with the current token and forgets the token; does nothing without a token. */
  end(call: (token: string) => Promise<void>): Promise<void>;
  /** The next call signs in anew. */
  forget(): void;
}

/** A session that `login` opens. */
export function createSession(login: () => Promise<string>): ClientSession {
  let current: Promise<string> | undefined;

  function open(): Promise<string> {
    if (current !== undefined) return current;
    const opened = login();
    current = opened;
    opened.catch(() => forget(opened));
    return opened;
  }

  /** A call that finds its token ended may be late: another has signed in meanwhile. */
  function forget(opened: Promise<string>): void {
    if (current === opened) current = undefined;
  }

  return {
    async use(call, { signal }) {
      signal?.throwIfAborted();
      const opened = open();
      const token = await unlessAborted(opened, signal);
      try {
        return await call(token);
      } catch (error) {
        if (!(error instanceof IdentityError) || error.code !== 'unauthenticated') throw error;
        forget(opened);
      }
      return call(await unlessAborted(open(), signal));
    },

    async end(call) {
      const opened = current;
      current = undefined;
      if (opened !== undefined) await call(await opened);
    },

    forget() {
      current = undefined;
    },
  };
}

/** A session of a token that was given: nothing can take its place. */
export function givenSession(token: string): ClientSession {
  return { use: (call) => call(token), end: (call) => call(token), forget() {} };
}

/** The login is shared, so that a call that is given up must not end it. */
async function unlessAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return promise;
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
