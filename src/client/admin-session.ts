/** Opens the session of an account over HTTP, with a password or a token. */

import { orAborted } from '../base/async/or-aborted.ts';
import { misconfigured } from '../base/known-options.ts';
import type { LogoutInput } from '../core.ts';
import { IdentityError } from '../errors.ts';
import { checkedManagementKey, checkedSecret } from './address.ts';
import type { ClientCredential } from './requests.ts';
import { checkedSignal, type RequestOptions, type Transport } from './transport.ts';

export const MAKER = 'createAdminClient';

interface AdminSession {
  readonly session: ClientSession;
  readonly credential: ClientCredential;
  readonly changed: (password: string) => void;
}

const NO_SESSION: ClientSession = {
  use: () => Promise.reject(misconfigured(MAKER, 'a management key has no session')),
  async end() {},
  forget() {},
};

function credentialOf(session: ClientSession): ClientCredential {
  return { use: (call, options) => session.use((token) => call(bearer(token)), options) };
}

export function sessionOf(
  credentials: Partial<Record<'email' | 'password' | 'accessToken' | 'apiKey', unknown>>,
  { send, notThisAnswer }: Transport,
): AdminSession {
  const { email, accessToken, apiKey } = credentials;
  let { password } = credentials;
  if (apiKey !== undefined) {
    if ([email, password, accessToken].some((credential) => credential !== undefined))
      throw misconfigured(MAKER, 'apiKey stands for email and password');
    const headers = { 'x-api-key': checkedManagementKey(MAKER, apiKey) };
    return { session: NO_SESSION, credential: { use: (call) => call(headers) }, changed() {} };
  }
  if (accessToken !== undefined) {
    if (email !== undefined || password !== undefined)
      throw misconfigured(MAKER, 'accessToken stands for email and password');
    const session = givenSession(checkedSecret(MAKER, 'accessToken', 'an access token', accessToken));
    return { session, credential: credentialOf(session), changed() {} };
  }
  for (const [name, value] of Object.entries({ email, password })) {
    if (typeof value !== 'string' || value === '')
      throw misconfigured(MAKER, `${name} is missing; or give an accessToken`);
  }
  const session = createSession(async () => {
    const body = JSON.stringify({ email, password });
    const call = { method: 'POST', path: '/auth/login', body, success: 200, isRepeatable: false } as const;
    const { access_token } = Object(await send(call).catch(explained)) as { access_token?: unknown };
    // The error of fetch for a bad header would contain its value.
    if (typeof access_token !== 'string' || !/^[\x21-\x7e]+$/.test(access_token)) throw notThisAnswer();
    return access_token;
  });
  return {
    session,
    credential: credentialOf(session),
    changed(next) {
      password = next;
      session.forget();
    },
  };
}

export async function logout(
  { send }: Transport,
  session: ClientSession,
  options: (RequestOptions & LogoutInput) | undefined,
): Promise<void> {
  const endedOptions = checkedSignal(options, { everywhere: true });
  const call = { method: 'POST', path: '/auth/logout', success: 204, isRepeatable: false } as const;
  if (options?.everywhere === true) {
    const body = JSON.stringify({ everywhere: true });
    // The sessions to end may all belong to other clients: this one is opened for the call.
    const request = { ...call, body, ...endedOptions };
    await session.use((token) => send({ ...request, headers: bearer(token) }), endedOptions);
    return session.forget();
  }
  await session.end(async (token) => {
    await send({ ...call, ...endedOptions, headers: bearer(token) }).catch((error: unknown) => {
      const hasEnded = error instanceof IdentityError && error.code === 'unauthenticated';
      if (!hasEnded) throw error;
    });
  });
}

function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

function explained(error: unknown): never {
  if (!(error instanceof IdentityError) || error.code !== 'not_found') throw error;
  const message =
    'This service takes no e-mail and password: its application signs people in. Call service.as() in process, or run the command with --storage and --account.';
  throw new IdentityError('not_found', message, { cause: error, details: error.details });
}

// Obtains an access token on demand. Parallel calls share one login, and an expired token is replaced.

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

function givenSession(token: string): ClientSession {
  return { use: (call) => call(token), end: (call) => call(token), forget() {} };
}
