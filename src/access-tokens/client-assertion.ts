/** The assertion with which an agent authenticates itself: `private_key_jwt` (RFC 7523). */

import { MAX_ACCESS_TOKEN_LENGTH } from '../base/values/access-token.ts';
import { parseAgentId } from '../base/values/agent-id.ts';
import { CLOCK_LEEWAY_SECONDS } from '../base/values/signed-passport.ts';
import type { SigningAlgorithm } from '../ports/signer.ts';
import type { AgentKey } from '../records/key.ts';
import { algorithmNamed } from '../signing/algorithm.ts';
import { type CompactParts, type JsonMembers, openCompact } from '../signing/compact.ts';

/** An assertion whose key and signature are not checked yet. */
export interface ReadAssertion {
  readonly agent_id: string;
  readonly jti: string;
  /** The end in seconds since the Unix epoch. */
  readonly exp: number;
  readonly parts: CompactParts;
  readonly alg: SigningAlgorithm;
  readonly kid: unknown;
}

/** The terms that an assertion must meet. */
export interface AssertionTerms {
  /** The issuer, which `aud` names. */
  readonly issuer: string;
  /** The domain of the issuer. */
  readonly domain: string;
  /** The parameter `client_id` of the request, if there is one. */
  readonly client_id: string | undefined;
  /** The present in milliseconds since the Unix epoch. */
  readonly at: number;
}

const HEADER_MEMBERS: ReadonlySet<string> = new Set(['alg', 'kid', 'typ']);
const TYPES: ReadonlySet<unknown> = new Set([undefined, 'JWT', 'client-authentication+jwt']);
const MAX_SECONDS = 300;
/** The most seconds for which `iat` and `nbf` may be ahead (FAPI 2.0). */
const AHEAD_SECONDS = 10;
const MAX_JTI = 256;

/** Reads everything but the key and the signature; `undefined` for an assertion that authenticates nobody. */
export function readAssertion(text: string, terms: AssertionTerms): ReadAssertion | undefined {
  const parts = openCompact(text, MAX_ACCESS_TOKEN_LENGTH);
  const [header, claims] = [parts?.header(), parts?.claims()];
  if (parts === undefined || header === undefined || claims === undefined) return undefined;
  if (!Object.keys(header).every((name) => HEADER_MEMBERS.has(name))) return undefined;
  const alg = algorithmNamed(header['alg']);
  if (alg === undefined || !TYPES.has(header['typ'])) return undefined;
  const { sub, jti, exp } = claims;
  if (typeof sub !== 'string' || !isNamed(claims, sub, terms) || !isInTime(claims, terms.at))
    return undefined;
  if (typeof jti !== 'string' || jti.length < 1 || jti.length > MAX_JTI) return undefined;
  return { agent_id: sub, jti, exp: Math.ceil(exp as number), parts, alg, kid: header['kid'] };
}

function isNamed(
  { iss, aud }: JsonMembers,
  sub: string,
  { issuer, domain, client_id }: AssertionTerms,
): boolean {
  if (iss !== sub || aud !== issuer || (client_id !== undefined && client_id !== sub)) return false;
  return parseAgentId(sub, { allowLocalhost: true })?.domain === domain;
}

function isInTime({ exp, iat = 0, nbf = 0 }: JsonMembers, at: number): boolean {
  const now = at / 1_000;
  if (![exp, iat, nbf].every((one) => typeof one === 'number' && Number.isFinite(one) && one >= 0))
    return false;
  const end = exp as number;
  if (end <= now - CLOCK_LEEWAY_SECONDS || end > now + MAX_SECONDS + CLOCK_LEEWAY_SECONDS) return false;
  return Math.max(iat as number, nbf as number) <= now + AHEAD_SECONDS;
}

/** Returns the key of the agent that an assertion names; without a name, its only key of that algorithm. */
export function keyNamed(
  { agent_id, alg, kid }: Pick<ReadAssertion, 'agent_id' | 'alg' | 'kid'>,
  keys: readonly AgentKey[],
): AgentKey | undefined {
  const fitting = keys.filter((key) => key.alg === alg);
  if (kid === undefined) return fitting.length === 1 ? fitting[0] : undefined;
  return fitting.find((key) => kid === key.kid || kid === `${agent_id}#${key.kid}`);
}
