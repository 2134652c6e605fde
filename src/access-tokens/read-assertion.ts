/** Reads the assertions of trusted issuers (RFC 7523). Their keys and signatures are checked later. */
import { MAX_ACCESS_TOKEN_LENGTH, resourceNamed } from '../base/values/access-token.ts';
import { CLOCK_LEEWAY_SECONDS } from '../base/values/clock-leeway.ts';
import { isSubject } from '../base/values/subject.ts';
import { isIssuerText } from '../base/values/trusted-issuer.ts';
import type { IdentityError } from '../errors.ts';
import { isAssertionAlgorithm } from '../platform/assertion-signatures.ts';
import type { AssertionAlgorithm, TrustedIssuer } from '../records.ts';
import { type CompactParts, type JsonMembers, openCompact } from '../tokens/signing/compact.ts';
import { refused } from './read-request.ts';

/** An assertion before the check of its key and its signature. */
export interface ReadAssertion {
  /** `user` for an assertion about a user (ID-JAG), else `workload`. */
  readonly use: TrustedIssuer['use'];
  readonly iss: string;
  readonly sub: string;
  readonly jti: string;
  /** The expiry in seconds since the Unix epoch. */
  readonly exp: number;
  readonly alg: AssertionAlgorithm;
  readonly kid: string | undefined;
  readonly parts: CompactParts;
  readonly claims: JsonMembers;
}

export interface AssertionTerms {
  /** The accepted values of `aud`: the issuer and its token endpoint. */
  readonly audiences: readonly string[];
  /** The present instant in milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface UserLimits {
  readonly resource: string | undefined;
  readonly scope: readonly string[] | undefined;
  readonly jkt: string | undefined;
}

/** The `typ` of an assertion about a user (ID-JAG). */
const USER_TYPE = 'oauth-id-jag+jwt';
const WORKLOAD_TYPES: readonly unknown[] = [undefined, 'JWT'];
/**
 * The header members that are refused. They name a key that is not trusted, or require a feature that this code does
 * not have.
 */
const REFUSED_MEMBERS = ['crit', 'jwk', 'jku', 'x5u'] as const;
const MAX_SECONDS = 3_600;
/** The maximum number of seconds by which `iat` and `nbf` may be ahead (FAPI 2.0). */
const AHEAD_SECONDS = 10;
const MAX_JTI = 256;
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;

/** Reads an assertion without checking the key and the signature; throws `invalid_grant`. */
export function readAssertion(text: string, { audiences, at }: AssertionTerms): ReadAssertion {
  const parts = openCompact(text, MAX_ACCESS_TOKEN_LENGTH);
  const [header, claims] = [parts?.header(), parts?.claims()];
  if (parts === undefined || header === undefined || claims === undefined) throw invalidGrant();
  const { alg, kid, typ } = header;
  const isUser = typ === USER_TYPE;
  if (!isUser && !WORKLOAD_TYPES.includes(typ)) throw invalidGrant();
  if (REFUSED_MEMBERS.some((name) => name in header) || !isAssertionAlgorithm(alg)) throw invalidGrant();
  if (kid !== undefined && typeof kid !== 'string') throw invalidGrant();
  const { iss, sub, jti, exp } = claims;
  if (typeof iss !== 'string' || !isIssuerText(iss) || !isSubject(sub)) throw invalidGrant();
  if (typeof jti !== 'string' || jti.length < 1 || jti.length > MAX_JTI) throw invalidGrant();
  if (!isFor(claims, audiences) || !isInTime(claims, at, MAX_SECONDS)) throw invalidGrant();
  const use = isUser ? 'user' : 'workload';
  return { use, iss, sub, jti, exp: Math.ceil(exp as number), alg, kid, parts, claims };
}

export function userLimits({ claims }: ReadAssertion, agent_id: string): UserLimits {
  const { client_id, scope, cnf } = claims;
  if (client_id !== agent_id || 'authorization_details' in claims) throw invalidGrant();
  if (scope !== undefined && typeof scope !== 'string') throw invalidGrant();
  return {
    resource: resourceOf({ claims }),
    scope: scope?.split(' '),
    jkt: cnf === undefined ? undefined : thumbprintIn(cnf),
  };
}

export function resourceOf({ claims }: Pick<ReadAssertion, 'claims'>): string | undefined {
  const { resource } = claims;
  if (resource === undefined) return undefined;
  const onlyValue: unknown = Array.isArray(resource) && resource.length === 1 ? resource[0] : resource;
  const name = typeof onlyValue === 'string' ? resourceNamed(onlyValue) : undefined;
  if (name === undefined) throw invalidGrant();
  return name;
}

/** Creates the error for a refused assertion. The error is the same for every cause. */
export function invalidGrant(decision_id?: string): IdentityError {
  return refused('invalid_grant', 'The assertion is not accepted.', decision_id);
}

function isFor({ aud }: JsonMembers, audiences: readonly string[]): boolean {
  const onlyValue: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  return typeof onlyValue === 'string' && audiences.includes(onlyValue);
}

/** Says whether the assertion is valid at `time`, and ends at most `maxSeconds` later. */
export function isInTime({ exp, iat, nbf = 0 }: JsonMembers, time: number, maxSeconds: number): boolean {
  const now = time / 1_000;
  if (![exp, iat, nbf].every((claim) => typeof claim === 'number' && Number.isFinite(claim) && claim >= 0))
    return false;
  const end = exp as number;
  if (end <= now - CLOCK_LEEWAY_SECONDS || end > now + maxSeconds + CLOCK_LEEWAY_SECONDS) return false;
  return Math.max(iat as number, nbf as number) <= now + AHEAD_SECONDS;
}

/** Returns the thumbprint in `cnf`; throws for a binding that this service cannot check. */
function thumbprintIn(cnf: unknown): string {
  const { jkt, ...otherFields } = Object(cnf) as Readonly<Record<string, unknown>>;
  if (typeof jkt !== 'string' || !THUMBPRINT.test(jkt) || Object.keys(otherFields).length > 0)
    throw invalidGrant();
  return jkt;
}
