/** From the headers to who calls, or the error that says why not. */
import { IdentityError, invalidRequest } from '../errors.ts';
import { type IdentityService, requireScope, within } from '../service/index.ts';
import type { Callers, Credential, Endpoint } from './endpoint.ts';
import type { Headers } from './exchange.ts';

/** Who calls, and the text of the credential that says so. */
export interface Authenticated {
  readonly caller: Callers[Credential];
  readonly credential: string;
}

const NOBODY: Authenticated = { caller: undefined, credential: '' };

/** The two credentials never replace each other: a token is no key, and a key is no token. */
export async function authenticate(
  service: IdentityService,
  endpoint: Endpoint,
  headers: Headers,
): Promise<Authenticated> {
  if (endpoint.credential === 'none') return NOBODY;
  const key = endpoint.credential === 'session' ? undefined : readKey(headers);
  const token = endpoint.credential === 'key' ? undefined : readToken(headers);
  if (key !== undefined && token !== undefined) {
    throw invalidRequest([
      { path: '', code: 'two_credentials', message: 'Send an access token or an API key, not both.' },
    ]);
  }
  if (key !== undefined) {
    const caller = await service.authenticateKey(key);
    if (endpoint.scope !== undefined) requireScope(caller, endpoint.scope);
    return { caller, credential: key };
  }
  if (token !== undefined) {
    const caller = await within(service.deadlineMs, () => service.authenticateSession(token));
    return { caller, credential: token };
  }
  throw new IdentityError('unauthenticated', MISSING[endpoint.credential]);
}

const MISSING = {
  session: 'Send an access token: Authorization: Bearer <token>.',
  key: 'Send an API key: X-API-Key: <key>.',
  either: 'Send an access token or an API key.',
} as const;

// A face that joins doubled headers does it with a comma, which no key and no token has.
function readKey(headers: Headers): string | undefined {
  const key = headers.first('x-api-key');
  if (headers.doubled('x-api-key') || key?.includes(',')) throw twice('X-API-Key');
  return key;
}

function readToken(headers: Headers): string | undefined {
  const header = headers.first('authorization') ?? '';
  const scheme = /^bearer +/i.exec(header);
  const token = scheme === null ? undefined : header.slice(scheme[0].length).trim();
  if (headers.doubled('authorization') || token?.includes(',')) throw twice('Authorization');
  return token;
}

function twice(header: string): IdentityError {
  return invalidRequest([{ path: '', code: 'two_credentials', message: `Send ${header} once.` }]);
}
