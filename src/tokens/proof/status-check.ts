/** Checks the status of a signed passport in the status list that the passport names (Token Status List). */
import { CLOCK_LEEWAY_SECONDS } from '../../base/values/clock-leeway.ts';
import { readStatusListClaim, STATUS_LIST_TYPE, TOKEN_STATUS } from '../signing/status-list.ts';
import type { FetchBytes } from './fetch-bytes.ts';
import { invalidToken } from './invalid-token.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import { demandSigned, isSeconds, readToken } from './read-token.ts';

/** The address of a status list, and the index of the token in the list. */
export interface StatusReference {
  readonly idx: number;
  readonly uri: string;
}

/** The inputs of a status check. */
export interface StatusTerms {
  /** The keys of the passport's issuer. One of them must have signed the list. */
  readonly keys: IssuerKeys;
  readonly fetchBytes: FetchBytes;
  /** The current time, in seconds since the Unix epoch. */
  readonly now: number;
}

/** The maximum length of a list, equal to the size limit of a fetched document. */
const MAX_LIST_LENGTH = 256 * 1024;

const LATE_SECONDS = CLOCK_LEEWAY_SECONDS + 5;

/**
 * Throws unless the list says that the token is valid. The problem is `revoked`, `suspended`, or `status` for anything
 * else.
 */
export async function demandValidStatus(reference: StatusReference, terms: StatusTerms): Promise<void> {
  const status = await statusOf(reference, terms).catch((cause: unknown) => {
    throw invalidToken('status', cause);
  });
  if (status === TOKEN_STATUS.valid) return;
  if (status === TOKEN_STATUS.invalid) throw invalidToken('revoked');
  throw invalidToken(status === TOKEN_STATUS.suspended ? 'suspended' : 'status');
}

/** Returns `true` if a list may be fetched from this address: over TLS, or from a service on this computer. */
export function isStatusUri(uri: unknown): uri is string {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return false;
  const { href, protocol, hostname, username, password, hash } = new URL(uri);
  if (href !== uri || `${username}${password}${hash}` !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost');
}

async function statusOf(
  { idx, uri }: StatusReference,
  { keys, fetchBytes, now }: StatusTerms,
): Promise<number | undefined> {
  const text = new TextDecoder().decode(await fetchBytes(uri));
  const list = readToken(text, STATUS_LIST_TYPE, MAX_LIST_LENGTH);
  await demandSigned(list, keys);
  const { sub, iat, exp, ttl, status_list } = list.claims;
  if (sub !== uri || !isSeconds(iat) || !isSeconds(exp) || !isSeconds(ttl)) throw invalidToken('claims');
  // A list that is older than it allows may hide a later revocation.
  const end = Math.min(exp + CLOCK_LEEWAY_SECONDS, iat + ttl + LATE_SECONDS);
  if (iat > now + CLOCK_LEEWAY_SECONDS || now >= end) throw invalidToken('time');
  return (await readStatusListClaim(status_list))?.at(idx);
}
