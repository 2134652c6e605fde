/** Reads the claims of an access token, before its signature is checked. */

import {
  ACCESS_TOKEN_SECONDS,
  ACCESS_TOKEN_TYPE,
  MAX_ACCESS_TOKEN_LENGTH,
  TEST_RESOURCE,
} from '../base/values/access-token.ts';
import { parseAgentId } from '../base/values/agent-id.ts';
import { CLOCK_LEEWAY_SECONDS } from '../base/values/clock-leeway.ts';
import type { Environment } from '../records.ts';
import { isCoordinate } from './proof/coordinate.ts';
import { invalidToken } from './proof/invalid-token.ts';
import { claimMembers, isSeconds, type ReadToken, readToken } from './proof/read-token.ts';

/** The agent that a token names, and its rights at this resource. */
export interface Access {
  /** The agent, `did:web:<domain>:agents:<name>`. */
  readonly agent_id: string;
  /** The user for whom the agent acts. `null` without a user. */
  readonly subject: string | null;
  /** The issuer of the user's login. `null` without a user. */
  readonly subject_issuer: string | null;
  /** The granted actions. */
  readonly scope: readonly string[];
  /** The expiry in seconds since the Unix epoch. */
  readonly expires_at: number;
  /** The id `dec_…` of the verdict that allowed the token. */
  readonly jti: string;
  /** The thumbprint of the key to which the token is bound. `null` for an unbound token. */
  readonly jkt: string | null;
  readonly issuer: string;
}

/** An access token that was read. Its signature is not yet checked. */
export interface UnverifiedAccess {
  readonly token: ReadToken;
  readonly access: Access;
  readonly iat: number;
}

/** The accepted issuers with their domains, and the resource that checks the token. */
interface AccessTerms {
  readonly issuers: ReadonlyMap<string, string>;
  readonly resource: string;
  readonly environment: Environment;
}

/**
 * Reads a token from one of the issuers for this resource.
 *
 * @throws {IdentityError} `invalid_token` for any other token.
 */
export function readAccessToken(text: string, terms: AccessTerms): UnverifiedAccess {
  return accessIn(readToken(text, ACCESS_TOKEN_TYPE, MAX_ACCESS_TOKEN_LENGTH), terms);
}

/**
 * Reads the claims of a token.
 *
 * @throws {IdentityError} `invalid_token` if they are not valid.
 */
export function accessIn(
  token: ReadToken,
  { issuers, resource, environment }: AccessTerms,
): UnverifiedAccess {
  const { iss, aud, iat, exp, nbf, jti, client_id, scope = '', cnf } = token.claims;
  const domain = typeof iss === 'string' ? issuers.get(iss) : undefined;
  if (typeof iss !== 'string' || domain === undefined) throw invalidToken('issuer');
  if (typeof client_id !== 'string' || parseAgentId(client_id, { allowLocalhost: true })?.domain !== domain)
    throw invalidToken('claims');
  if (aud !== (environment === 'test' ? `${TEST_RESOURCE}${resource}` : resource))
    throw invalidToken('audience');
  const isTimed = isSeconds(iat) && isSeconds(exp) && exp > iat && exp - iat <= ACCESS_TOKEN_SECONDS.most;
  if (!isTimed || nbf !== undefined || typeof jti !== 'string' || jti === '' || typeof scope !== 'string')
    throw invalidToken('claims');
  const access: Access = {
    agent_id: client_id,
    ...userOf(token.claims, client_id),
    scope: scope === '' ? [] : scope.split(' '),
    expires_at: exp,
    jti,
    jkt: cnf === undefined ? null : boundKey(cnf),
    issuer: iss,
  };
  return { token, access, iat };
}

/** Throws `time` if the token is not valid at `now`, in milliseconds since the Unix epoch. */
export function demandAccessInTime({ access, iat }: UnverifiedAccess, now: number): void {
  const begin = (iat - CLOCK_LEEWAY_SECONDS) * 1_000;
  const end = (access.expires_at + CLOCK_LEEWAY_SECONDS) * 1_000;
  if (!(now >= begin && now < end)) throw invalidToken('time');
}

/** Returns the user of a token. If there is a user, the agent is the actor (RFC 8693 section 4.1). */
function userOf(
  { sub, act, subject_issuer }: ReadToken['claims'],
  client_id: string,
): Pick<Access, 'subject' | 'subject_issuer'> {
  if (act === undefined) {
    if (sub !== client_id || subject_issuer !== undefined) throw invalidToken('claims');
    return { subject: null, subject_issuer: null };
  }
  const { sub: actor, ...otherFields } = claimMembers(act);
  const isNamed = typeof sub === 'string' && sub !== '' && typeof subject_issuer === 'string';
  if (!isNamed || actor !== client_id || Object.keys(otherFields).length > 0) throw invalidToken('claims');
  return { subject: sub, subject_issuer };
}

function boundKey(cnf: unknown): string {
  const { jkt, ...otherFields } = claimMembers(cnf);
  if (!isCoordinate(jkt) || Object.keys(otherFields).length > 0) throw invalidToken('claims');
  return jkt as string;
}

// Finds the verified access token of a tool call, in the data that the MCP SDKs pass to tools.

const accesses = new WeakMap<object, Access>();

/** Stores that this object, the `extra` of an `authInfo`, belongs to a verified token. */
export function rememberAccess(extra: object, access: Access): void {
  accesses.set(extra, access);
}

/**
 * Returns the agent, the user and the scope of the token of a call, for the option `access` of `createToolGuard`.
 * Returns `undefined` unless the context of the call has an `authInfo` from a token verifier of this process.
 */
export function accessOf(call: { readonly context?: unknown }): Access | undefined {
  const { authInfo } = Object(call.context) as { readonly authInfo?: unknown };
  const { extra } = Object(authInfo) as { readonly extra?: unknown };
  return accesses.get(Object(extra));
}
