import { knownOptions, misconfigured, type OptionNames } from '../../base/known-options.ts';
import { parseAgentId } from '../../base/values/agent-id.ts';
import { CLOCK_LEEWAY_SECONDS } from '../../base/values/clock-leeway.ts';
import { formatInstant, parseInstant } from '../../base/values/instant.ts';
import { toAmount } from '../../base/values/money.ts';
import { MAX_TOKEN_SECONDS, PASSPORT_TYPE, PASSPORT_VCT } from '../../base/values/signed-passport.ts';
import type { AgentKey } from '../../records/key.ts';
import type { Instant, Passport } from '../../records.ts';
import { PASSPORT_CLAIMS } from '../../schema/passport-fields.ts';
import { algorithmOf } from '../signing/algorithm.ts';
import type { JsonMembers } from '../signing/compact.ts';
import { readStatusListClaim, STATUS_LIST_TYPE, TOKEN_STATUS } from '../signing/status-list.ts';
import { createFetchBytes, type FetchBytes } from './fetch-bytes.ts';
import { invalidToken } from './invalid-token.ts';
import {
  areIssuers,
  type GivenKeys,
  type IssuerKeys,
  jwkList,
  keysByThumbprint,
  publicJwkOf,
  resolveKeys,
  WRONG_ISSUERS,
  WRONG_KEYS,
} from './issuer-keys.ts';
import {
  claimMembers,
  demandOwnKey,
  demandSigned,
  isSeconds,
  type ReadToken,
  readToken,
} from './read-token.ts';
import { digestThumbprint } from './thumbprint.ts';

/**
 * A passport that its issuer has signed. `decide` of `agent-identity-service/verdict` accepts it. Its `expires_at` is
 * the expiry of the token. Its `created_at` and `updated_at` are the instant of signing. Fields that the token does not
 * contain, such as `description` and `metadata`, are absent.
 */
export interface SignedPassport extends Passport {
  /** The signer: `did:web:<domain>`. */
  readonly issuer: string;
  /** The unique id of this token, `tok_…`. */
  readonly token_id: string;
  /** The expiry of the token. */
  readonly expires_at: Instant;
}

/** A signed passport that was read. Its signature and status are not yet checked. */
interface ReadPassport {
  readonly token: ReadToken;
  readonly passport: SignedPassport;
  readonly status: StatusReference;
}

/** The maximum length of a token. The longest passport of a service, with 256 entries in each list, is shorter. */
const MAX_LENGTH = 512 * 1024;

const TOKEN_ID = /^tok_[0-9A-Za-z]{22}$/;
const REQUIRED = ['version', 'allowed_actions', 'monetary_limit_per_txn'];
const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  ...PASSPORT_CLAIMS,
  version: (value) => Number.isSafeInteger(value) && (value as number) >= 1,
};

/** Reads a signed passport of one of the issuers. `now` is in seconds since the Unix epoch. */
async function readPassport(text: unknown, issuers: readonly string[], now: number): Promise<ReadPassport> {
  const token = readToken(text, PASSPORT_TYPE, MAX_LENGTH);
  const { iss, sub, jti, vct, cnf } = token.claims;
  if (typeof iss !== 'string' || !issuers.includes(iss)) throw invalidToken('issuer');
  const name = typeof sub === 'string' ? parseAgentId(sub, { allowLocalhost: true }) : undefined;
  if (name === undefined || `did:web:${name.domain}` !== iss) throw invalidToken('claims');
  if (vct !== PASSPORT_VCT || typeof jti !== 'string' || !TOKEN_ID.test(jti)) throw invalidToken('claims');
  demandOwnKey(token, iss);
  const times = timesOf(token.claims, now);
  const keys = cnf === undefined ? {} : { public_keys: [await confirmedKey(cnf)] };
  const status = statusReference(token.claims['status']);
  const passport = {
    agent_id: sub as string,
    ...name,
    ...passportFields(token.claims['passport']),
    ...keys,
    ...times,
    issuer: iss,
    token_id: jti,
  };
  // `passportFields` has checked that the fields are there.
  return { token, passport: passport as unknown as SignedPassport, status };
}

function timesOf({ iat, nbf = iat, exp }: JsonMembers, now: number) {
  if (!isSeconds(iat) || !isSeconds(nbf) || !isSeconds(exp)) throw invalidToken('claims');
  if (exp <= iat || exp <= nbf || exp - iat > MAX_TOKEN_SECONDS) throw invalidToken('claims');
  const start = Math.max(iat, nbf);
  if (now < start - CLOCK_LEEWAY_SECONDS || now >= exp + CLOCK_LEEWAY_SECONDS) throw invalidToken('time');
  const signed_at = formatInstant(iat * 1_000);
  return {
    status: 'active',
    created_at: signed_at,
    updated_at: signed_at,
    ...(nbf !== iat && { not_before: formatInstant(nbf * 1_000) }),
    expires_at: formatInstant(exp * 1_000),
    suspended_until: null,
    suspended_by: null,
    suspension_reason: null,
    revoked_at: null,
    revoked_by: null,
    revocation_reason: null,
  };
}

/**
 * Returns the permissions in the token. Refuses a token with an unknown member, because this member could restrict the
 * permissions.
 */
function passportFields(value: unknown) {
  const members = claimMembers(value);
  const names = Object.keys(members);
  const isWhole = REQUIRED.every((name) => names.includes(name));
  const isKnown = names.every((name) => Object.hasOwn(CHECKS, name) && CHECKS[name]?.(members[name]));
  if (!isWhole || !isKnown) throw invalidToken('claims');
  return { ...members, monetary_limit_per_txn: toAmount(members['monetary_limit_per_txn'] as string) };
}

/** Returns the agent's key (RFC 7800 section 3.2). */
async function confirmedKey(cnf: unknown): Promise<AgentKey> {
  const { jwk, ...otherFields } = claimMembers(cnf);
  const key = publicJwkOf(jwk);
  if (key === undefined || Object.keys(otherFields).length > 0) throw invalidToken('claims');
  return { ...key, kid: await digestThumbprint(key), alg: algorithmOf(key) };
}

function statusReference(status: unknown): StatusReference {
  const { idx, uri } = claimMembers(claimMembers(status)['status_list']);
  if (!isSeconds(idx) || !isStatusUri(uri)) throw invalidToken('claims');
  return { idx, uri };
}

// Verifies signed passports without the service. Uses the keys and the status list of the issuer.

/** The trusted issuers, and the options of the check. */
export interface VerifyPassportOptions {
  /** The trusted issuers: DIDs of domains, such as `did:web:example.com`. No other issuer is trusted. */
  readonly issuers: readonly string[];
  /**
   * The keys of the issuers, as a list of JWKs or as a JWK set, such as the answer of `/jwks.json`. They replace the
   * resolution of DIDs. With `keys` and `status: false` the function fetches nothing.
   */
  readonly keys?: GivenKeys;
  /**
   * Fetches DID documents and status lists. Default on Node: only from public addresses, at port 443 or from 1,024 on,
   * and from this computer for an issuer on `localhost`. Default elsewhere: the platform's `fetch`.
   */
  readonly fetch?: typeof globalThis.fetch;
  /** The instant of the check: milliseconds since the Unix epoch, or RFC 3339 text. Default: now. */
  readonly at?: number | Instant;
  /** `false`: does not check whether the passport is revoked or suspended. Default: `true`. */
  readonly status?: boolean;
}

/**
 * Verifies a token of `POST /passports/{agent_id}/sign` and returns its passport. Refuses a passport that was revoked
 * or suspended more than 70 s ago. The 70 s are at most 60 s for the status list, and 5 s each for the clocks and the
 * fetch.
 *
 * @throws {IdentityError} `invalid_token` if the token is not valid or its passport is refused, with `details.problem`.
 * @throws {IdentityError} `invalid_configuration` for options that cannot work.
 */
export async function verifyPassport(token: string, options: VerifyPassportOptions): Promise<SignedPassport> {
  const { issuers, keys, fetch, at, status = true } = await checked(options);
  const now = Math.floor((typeof at === 'string' ? Number(parseInstant(at)) : (at ?? Date.now())) / 1_000);
  if (!Number.isSafeInteger(now)) throw misconfigured(MAKER, 'at must be an instant');
  const read = await readPassport(token, issuers, now);
  const { issuer } = read.passport;
  const fetchBytes = createFetchBytes(issuer, fetch);
  const trustedKeys = keys ?? (await resolveKeys(issuer, fetchBytes));
  await demandSigned(read.token, trustedKeys);
  if (status) await demandValidStatus(read.status, { keys: trustedKeys, fetchBytes, now });
  return read.passport;
}

const MAKER = 'verifyPassport';
const OPTIONS: OptionNames<VerifyPassportOptions> = {
  issuers: true,
  keys: true,
  fetch: true,
  at: true,
  status: true,
};

type Checked = Omit<VerifyPassportOptions, 'keys'> & { readonly keys: IssuerKeys | undefined };

async function checked(options: VerifyPassportOptions): Promise<Checked> {
  const { issuers, keys, status, ...otherFields } = knownOptions(MAKER, options, OPTIONS);
  if (!areIssuers(issuers)) throw misconfigured(MAKER, WRONG_ISSUERS);
  if (status !== undefined && typeof status !== 'boolean')
    throw misconfigured(MAKER, 'status must be a boolean');
  return {
    ...otherFields,
    issuers: [...issuers],
    keys: keys && (await givenKeys(keys)),
    ...(status === false && { status }),
  };
}

async function givenKeys(keySource: GivenKeys): Promise<IssuerKeys> {
  const keys = await keysByThumbprint(jwkList(keySource));
  if (keys.size === 0) throw misconfigured(MAKER, WRONG_KEYS);
  return keys;
}

// Checks the status of a signed passport in the status list that the passport names (Token Status List).

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
async function demandValidStatus(reference: StatusReference, terms: StatusTerms): Promise<void> {
  const status = await statusOf(reference, terms).catch((cause: unknown) => {
    throw invalidToken('status', cause);
  });
  if (status === TOKEN_STATUS.valid) return;
  if (status === TOKEN_STATUS.invalid) throw invalidToken('revoked');
  throw invalidToken(status === TOKEN_STATUS.suspended ? 'suspended' : 'status');
}

/** Returns `true` if a list may be fetched from this address: over TLS, or from a service on this computer. */
function isStatusUri(uri: unknown): uri is string {
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
