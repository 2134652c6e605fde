/** Verification of signed passports without the service: by the keys of the issuer and its status list. */

import { knownOptions, type OptionNames } from '../base/known-options.ts';
import { parseInstant } from '../base/values/instant.ts';
import { IdentityError } from '../errors.ts';
import type { Instant } from '../records.ts';
import { createFetchBytes } from './fetch-bytes.ts';
import { type IssuerKeys, isIssuer, keysByThumbprint, resolveKeys } from './issuer-keys.ts';
import { readPassport, type SignedPassport } from './passport-token.ts';
import { demandSigned } from './read-token.ts';
import { demandValidStatus } from './status-check.ts';

/** The trusted issuers, and the options of the check. */
export interface VerifyPassportOptions {
  /** The trusted issuers: DIDs of domains, such as `did:web:example.com`. No other issuer is trusted. */
  readonly issuers: readonly string[];
  /**
   * The keys of the issuers, as a list of JWKs or as a JWK set, such as that of `/jwks.json`. They replace the
   * resolution of DIDs: with them, and `status: false`, nothing is fetched.
   */
  readonly keys?: readonly object[] | { readonly keys: readonly object[] };
  /**
   * Fetches DID documents and status lists, and nothing else. Default: on Node from public addresses only, at port 443
   * or from 1,024 on, and for an issuer on `localhost` from this machine; elsewhere the platform's `fetch`.
   */
  readonly fetch?: typeof globalThis.fetch;
  /** The instant of the check: milliseconds since the Unix epoch, or RFC 3339 text. Default: now. */
  readonly at?: number | Instant;
  /** False: does not check whether the passport is revoked or suspended. Default `true`. */
  readonly status?: boolean;
}

/**
 * Verifies a token of `POST /passports/{agent_id}/sign` and returns its passport. Rejects with `invalid_token` for
 * every other token, with `details.problem`; with `invalid_configuration` for options that cannot work. A passport that
 * was revoked or suspended more than 70 s ago is refused: a status list is at most 60 s old, and the clocks and the
 * fetch have 5 s each.
 */
export async function verifyPassport(token: string, options: VerifyPassportOptions): Promise<SignedPassport> {
  const { issuers, keys, fetch, at, status = true } = await checked(options);
  const now = Math.floor((typeof at === 'string' ? Number(parseInstant(at)) : (at ?? Date.now())) / 1_000);
  if (!Number.isSafeInteger(now)) throw misconfigured('at must be an instant');
  const read = await readPassport(token, issuers, now);
  const { issuer } = read.passport;
  const fetchBytes = createFetchBytes(issuer, fetch);
  const trusted = keys ?? (await resolveKeys(issuer, fetchBytes));
  await demandSigned(read.token, trusted);
  if (status) await demandValidStatus(read.status, { keys: trusted, fetchBytes, now });
  return read.passport;
}

const OPTIONS: OptionNames<VerifyPassportOptions> = {
  ...{ issuers: true, keys: true, fetch: true, at: true, status: true },
};

type Checked = Omit<VerifyPassportOptions, 'keys'> & { readonly keys: IssuerKeys | undefined };

async function checked(options: VerifyPassportOptions): Promise<Checked> {
  const { issuers, keys: given, status, ...rest } = knownOptions('verifyPassport', options, OPTIONS);
  if (!Array.isArray(issuers) || issuers.length === 0 || !issuers.every(isIssuer)) {
    throw misconfigured('issuers must be a list of DIDs of domains, such as did:web:example.com');
  }
  if (status !== undefined && typeof status !== 'boolean') throw misconfigured('status must be a boolean');
  return {
    ...rest,
    issuers: [...issuers],
    keys: given && (await givenKeys(given)),
    ...(status === false && { status }),
  };
}

async function givenKeys(given: NonNullable<VerifyPassportOptions['keys']>): Promise<IssuerKeys> {
  const list: unknown = Array.isArray(given) ? given : (given as { readonly keys: unknown }).keys;
  const keys = Array.isArray(list) ? await keysByThumbprint(list) : undefined;
  if (keys !== undefined && keys.size > 0) return keys;
  throw misconfigured('keys must be JWKs on Ed25519 or P-256, or a JWK set of them');
}

function misconfigured(problem: string): IdentityError {
  return new IdentityError('invalid_configuration', `verifyPassport: ${problem}.`);
}
