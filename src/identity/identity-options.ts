/** Checks the options of `identity`. */
import { knownOptions, type OptionNames } from '../base/known-options.ts';
import { MAX_TOKEN_SECONDS, MIN_TOKEN_SECONDS, TOKEN_SECONDS } from '../base/values/signed-passport.ts';
import { wholeNumber } from '../base/values/whole-number.ts';
import { unfit } from '../errors.ts';
import type { Signer, SigningAlgorithm } from '../ports/signer.ts';

/** The options of `identity`. */
export interface IdentityOptions {
  /**
   * The secret that encrypts the private keys in the storage, at least 32 bytes of UTF-8 and the same on every node.
   * Default: `session.secret`, together with `session.previousSecret`.
   */
  readonly secret?: string;
  /**
   * Earlier secrets with which keys may still be encrypted. `signing-key reseal` encrypts the keys with the
   * present secret.
   *
   * Without `secret`, the keys and the sessions share `session.secret`. The service then accepts
   * these earlier secrets for sessions too, as it accepts `session.previousSecret`. List the old secret here
   * before you start with a new session secret.
   */
  readonly previousSecrets?: readonly string[];
  /** Signs with its own keys, such as a hardware module. The storage then has no signing keys. */
  readonly signer?: Signer;
  /** The algorithm of new signing keys; default `EdDSA` (Ed25519). */
  readonly alg?: SigningAlgorithm;
  /**
   * The public address of the API, such as `https://id.example.com/api`: an http or https URL without credentials,
   * query and fragment. Proofs of possession name this address in `aud`. Signing passports requires it, because a
   * signed passport links to its status there.
   */
  readonly publicUrl?: string;
  /**
   * The number of seconds for which a signed passport is valid if the request does not say, 60 to 86,400; default
   * 3,600.
   */
  readonly tokenSeconds?: number;
  /** The number of seconds for which third parties may cache a DID document, 0 to 86,400; default 300. */
  readonly didMaxAgeSeconds?: number;
}

/** The options with their defaults. `publicUrl` has no trailing slash. */
export type CheckedIdentity = IdentityOptions &
  Required<Pick<IdentityOptions, 'alg' | 'tokenSeconds' | 'didMaxAgeSeconds'>>;

const NAMES: OptionNames<IdentityOptions> = {
  secret: true,
  previousSecrets: true,
  signer: true,
  alg: true,
  publicUrl: true,
  tokenSeconds: true,
  didMaxAgeSeconds: true,
};

const MAX_AGE_SECONDS = 86_400;

/** Checks the options, and throws `invalid_configuration` for those that cannot work. */
export function checkedIdentity(options: IdentityOptions): CheckedIdentity {
  const outer = ['proofAudiences', 'proofMaxSeconds'].find((name) => Object.hasOwn(Object(options), name));
  if (outer !== undefined) throw unfit(`identity: ${outer} is an option of createIdentityService.`);
  const { publicUrl, ...checkedOptions } = knownOptions('identity', options, NAMES);
  const { alg = 'EdDSA', tokenSeconds = TOKEN_SECONDS, didMaxAgeSeconds = 300 } = checkedOptions;
  if (alg !== 'EdDSA' && alg !== 'ES256') throw unfit('identity.alg must be EdDSA or ES256.');
  const range = { from: MIN_TOKEN_SECONDS, to: MAX_TOKEN_SECONDS };
  return {
    ...checkedOptions,
    alg,
    tokenSeconds: wholeNumber('identity.tokenSeconds', tokenSeconds, range),
    didMaxAgeSeconds: wholeNumber('identity.didMaxAgeSeconds', didMaxAgeSeconds, {
      from: 0,
      to: MAX_AGE_SECONDS,
    }),
    ...(publicUrl !== undefined && { publicUrl: checkedPublicUrl(publicUrl) }),
  };
}

function checkedPublicUrl(text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  const isAddress = url !== undefined && /^https?:$/.test(url.protocol);
  if (!isAddress || `${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw unfit('identity.publicUrl must be an http or https URL without credentials, query and fragment.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
