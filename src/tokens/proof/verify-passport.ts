/** Verifies signed passports without the service. Uses the keys and the status list of the issuer. */

import { knownOptions, misconfigured, type OptionNames } from '../../base/known-options.ts';
import { parseInstant } from '../../base/values/instant.ts';
import type { Instant } from '../../records.ts';
import { createFetchBytes } from './fetch-bytes.ts';
import {
  areIssuers,
  type GivenKeys,
  type IssuerKeys,
  jwkList,
  keysByThumbprint,
  resolveKeys,
  WRONG_ISSUERS,
  WRONG_KEYS,
} from './issuer-keys.ts';
import { readPassport, type SignedPassport } from './passport-token.ts';
import { demandSigned } from './read-token.ts';
import { demandValidStatus } from './status-check.ts';

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
