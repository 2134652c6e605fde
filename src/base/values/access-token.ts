/** Names and reads the issuers, resources and scopes of the access tokens of agents. */
import { isAction } from './action.ts';

/** The `typ` in the header of an access token (RFC 9068). */
export const ACCESS_TOKEN_TYPE = 'at+jwt';

/** The type of the assertion with which an agent authenticates (RFC 7523). */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The grant type for an assertion of a trusted issuer (RFC 7523). */
export const ASSERTION_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The profile of assertions about users (ID-JAG). */
export const USER_PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag';

export const ASSERTION_ALGORITHMS: readonly string[] = ['EdDSA', 'Ed25519', 'ES256'];

export const ISSUER_MAX_AGE_SECONDS = 300;

export const MAX_ACCESS_TOKEN_LENGTH = 8_192;

export const ACCESS_TOKEN_SECONDS = { least: 60, most: 300 } as const;

export const TOKEN_ACTION = 'oauth:token';

const ISSUERS = '/issuers/';

/** The prefix of the audience of a token in the environment `test`. */
export const TEST_RESOURCE = 'test:';

const MAX_RESOURCE = 512;
const MAX_SCOPE = 1_024;
const MAX_ACTIONS = 64;
const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);

export function issuerOf(publicUrl: string, domain: string): string {
  return `${publicUrl}${ISSUERS}${domain.replace('%3A', ':')}`;
}

/** Returns the domain in the last part of an issuer's path, exactly as in the field `domain` of passports. */
export function issuerDomain(part: string): string {
  return part.replace(':', '%3A');
}

/**
 * Returns the canonical name of a resource, which is its URL; an origin has no slash at the end. Returns `undefined` if
 * the text is not a resource, or not spelt like `new URL(text).href`.
 */
export function resourceNamed(text: string): string | undefined {
  const url = text.length > MAX_RESOURCE || /[?#]/.test(text) ? null : urlOf(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hostname.startsWith('['))
    return undefined;
  const isLocal = url.protocol === 'http:' && LOCAL_HOSTS.has(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) return undefined;
  if (url.pathname === '/') return text === url.href || text === url.origin ? url.origin : undefined;
  return text === url.href ? text : undefined;
}

function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

export function resourceTarget(resource: string): string {
  return `did:web:${new URL(resource).host.replace(':', '%3A')}`;
}

export function actionsOfScope(text: string): readonly string[] | undefined {
  if (text.length > MAX_SCOPE) return undefined;
  const actions = text.split(' ');
  return actions.length <= MAX_ACTIONS && actions.every(isAction) ? [...new Set(actions)] : undefined;
}
