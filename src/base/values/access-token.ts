/** Access tokens of agents: their issuers, resources and scopes. */
import { isAction } from './action.ts';

/** The type in the header of a token (RFC 9068). */
export const ACCESS_TOKEN_TYPE = 'at+jwt';

/** The type of the assertion by which an agent authenticates (RFC 7523). */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The grant by an assertion of a trusted issuer (RFC 7523). */
export const ASSERTION_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The profile of assertions about users (ID-JAG). */
export const USER_PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag';

export const ASSERTION_ALGORITHMS: readonly string[] = ['EdDSA', 'Ed25519', 'ES256'];

/** The seconds for which public documents of an issuer may be kept. */
export const ISSUER_MAX_AGE_SECONDS = 300;

/** The longest token, and the longest assertion, in characters. */
export const MAX_ACCESS_TOKEN_LENGTH = 8_192;

/** The seconds for which a token is valid. */
export const ACCESS_TOKEN_SECONDS = { least: 60, most: 300 } as const;

export const TOKEN_ACTION = 'oauth:token';

const ISSUERS = '/issuers/';

/** The prefix of the audience of a token in the environment `test`. */
export const TEST_RESOURCE = 'test:';

const MAX_RESOURCE = 512;
const MAX_SCOPE = 1_024;
const MAX_ACTIONS = 64;
/** The hosts that may use http. */
const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);

/** Returns the issuer of a domain: an address below the public URL of the service. */
export function issuerOf(publicUrl: string, domain: string): string {
  return `${publicUrl}${ISSUERS}${domain.replace('%3A', ':')}`;
}

/** Returns the domain, as passports spell it, of the last part of the path of an issuer. */
export function issuerDomain(part: string): string {
  return part.replace(':', '%3A');
}

/**
 * Returns the name of a resource: its URL, a bare origin without the slash at the end. `undefined` for a text that is no
 * resource, or that is spelt otherwise than `new URL(text).href`.
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

/** Returns the target of the intent for a token: the DID of the host of the resource. */
export function resourceTarget(resource: string): string {
  return `did:web:${new URL(resource).host.replace(':', '%3A')}`;
}

/** Returns the actions of a scope; `undefined` for a text that is no list of different actions. */
export function actionsOfScope(text: string): readonly string[] | undefined {
  if (text.length > MAX_SCOPE) return undefined;
  const actions = text.split(' ');
  return actions.length <= MAX_ACTIONS && actions.every(isAction) ? [...new Set(actions)] : undefined;
}
