/** Finds the caller of a request from its headers. Throws an error with the cause otherwise. */

import { isManagementKey } from '../base/values/scopes.ts';
import { trimWhiteSpace } from '../base/values/white-space.ts';
import { type KeyCaller, type ManagementCaller, type SessionCaller, tokenRefused } from '../core.ts';
import { IdentityError, wrongField } from '../errors.ts';
import type { HostPeopleRooms } from '../people/index.ts';
import type { Endpoint } from './endpoint.ts';
import { type ApiRequest, type Exchange, headerOf, isDoubled } from './exchange.ts';
import { askApplication } from './host-login.ts';

/**
 * The credential of a request. `text` is empty for `host`, because the application has then checked the
 * member with its own login.
 */
export interface Shown {
  readonly kind: 'key' | 'token' | 'host';
  readonly text: string;
}

const BY_HOST: Shown = { kind: 'host', text: '' };

/**
 * Reads the credential that the endpoint needs: an API key or an access token. Returns `undefined` if it needs none. A
 * credential of the wrong kind counts as missing. If the application has its own login, no token is read. An API key
 * then has priority over the login, because a login by cookie comes with every request.
 */
export function readCredential(
  { credential, bearerKeys = false }: Endpoint,
  { rawHeaders, hostLogin }: Pick<ApiRequest, 'rawHeaders' | 'hostLogin'>,
): Shown | undefined {
  if (credential === 'none') return undefined;
  const key = credential === 'session' ? readManagementKey(rawHeaders) : readKey(rawHeaders);
  if (hostLogin !== undefined && credential !== 'key') {
    return key === undefined ? BY_HOST : { kind: 'key', text: key };
  }
  const token = credential === 'key' && !bearerKeys ? undefined : readToken(rawHeaders);
  if (key !== undefined && token !== undefined) throw wrongField('', 'two_credentials', bothText(bearerKeys));
  if (key !== undefined) return { kind: 'key', text: key };
  if (token !== undefined) return { kind: bearerKeys ? 'key' : 'token', text: token };
  throw new IdentityError('unauthenticated', MISSING[bearerKeys ? 'bearerKey' : credential]);
}

export function authenticate(
  { request, service, deadlines, requestId }: Exchange,
  { kind, text }: Shown,
  { credential }: Pick<Endpoint, 'credential'>,
): Promise<KeyCaller | SessionCaller | ManagementCaller> {
  if (kind === 'key' && credential !== 'key' && isManagementKey(text))
    return deadlines.limit(() => service.serving.authenticateManagement(text, { request_id: requestId }));
  if (kind === 'key') return service.serving.authenticateKey(text, { request_id: requestId });
  if (kind === 'host' && request.hostLogin !== undefined)
    return askApplication({ request, deadlines }, request.hostLogin);
  const { authenticateSession } = service as Partial<HostPeopleRooms>;
  // INVARIANT: without the capability `people`, no token is valid.
  if (authenticateSession === undefined) throw tokenRefused();
  return deadlines.limit(() => authenticateSession(text));
}

function bothText(bearerKeys: boolean): string {
  return bearerKeys ? 'Send the API key once.' : 'Send an access token or an API key, not both.';
}

const MISSING = {
  session: 'Send an access token: Authorization: Bearer <token>.',
  key: 'Send an API key: X-API-Key: <key>.',
  either: 'Send an access token or an API key.',
  bearerKey: 'Send an API key: X-API-Key: <key>, or Authorization: Bearer <key>.',
} as const;

// A header sent twice is joined with a comma, which no key and no token contains.
function readKey(rawHeaders: readonly string[]): string | undefined {
  const key = headerOf(rawHeaders, 'x-api-key');
  if (key?.includes(',')) throw twice('X-API-Key');
  return key;
}

/** Reads the API key for an endpoint that accepts only management keys. Any other key counts as absent. */
function readManagementKey(rawHeaders: readonly string[]): string | undefined {
  return isManagementKey(headerOf(rawHeaders, 'x-api-key')) ? readKey(rawHeaders) : undefined;
}

function readToken(rawHeaders: readonly string[]): string | undefined {
  const header = headerOf(rawHeaders, 'authorization') ?? '';
  const scheme = /^bearer /i.exec(header);
  const token = scheme === null ? undefined : trimWhiteSpace(header.slice(scheme[0].length));
  if (isDoubled(rawHeaders, 'authorization') || token?.includes(',')) throw twice('Authorization');
  return token;
}

function twice(header: string): IdentityError {
  return wrongField('', 'two_credentials', `Send ${header} once.`);
}
