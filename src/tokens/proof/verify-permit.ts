/** Verifies permits for the resource that carries out the action. */
import { knownOptions, misconfigured, type OptionNames } from '../../base/known-options.ts';
import { isPermitAudience } from '../../base/values/permit-format.ts';
import type { Environment } from '../../records.ts';
import { invalidToken } from './invalid-token.ts';
import {
  areIssuers,
  type GivenKeys,
  isPublicJwk,
  jwkList,
  keepKeys,
  keysByThumbprint,
  resolveKeys,
  WRONG_ISSUERS,
  WRONG_KEYS,
} from './issuer-keys.ts';
import {
  demandAction,
  demandInTime,
  type Permit,
  type PermitAction,
  permitEnd,
  readPermit,
} from './permit-token.ts';
import { demandSigned, thumbprintNamed } from './read-token.ts';
import type { Once } from './remember-once.ts';

/** The trusted issuers, the name of the resource, and the memory of used permits. */
export interface PermitVerifierOptions {
  /** The trusted issuers: DIDs of domains, such as `did:web:example.com`. No other issuer is trusted. */
  readonly issuers: readonly string[];
  /** The name of this resource, by convention its origin, such as `https://pay.example`. */
  readonly audience: string;
  /**
   * The memory of used permits: `rememberOnce()` for one process, or a store that all processes share. It is called
   * last, after all other checks. `false` means that the action is idempotent, so that a permit may be used again.
   */
  readonly once: Once | false;
  /**
   * Confirms that the caller has the agent key with this thumbprint, for example by DPoP or mTLS. It must return
   * exactly `true`. Without this function, permits that are bound to a key are refused.
   */
  readonly confirm?: (jkt: string, token: string) => boolean | Promise<boolean>;
  /** The environment of the permits; default `live`. */
  readonly environment?: Environment;
  /**
   * The keys of the issuers, as a list of JWKs or as a JWK set, such as the answer of `/jwks.json`. They replace the
   * resolution of DIDs. With `keys` the function fetches nothing.
   */
  readonly keys?: GivenKeys;
  /**
   * Fetches DID documents. Default on Node: only from public addresses, at port 443 or from 1,024 on, and from this
   * computer for an issuer on `localhost`. Default elsewhere: the platform's `fetch`.
   */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Returns the time in milliseconds since the Unix epoch, and is called for each permit. Default: the current time.
   */
  readonly at?: () => number;
}

/**
 * Verifies that the token permits exactly this action, and marks the permit as used. A missing token has the problem
 * `malformed`.
 *
 * @throws {IdentityError} `invalid_token` otherwise, with `details.problem`, a `PermitProblem`.
 */
export type PermitVerifier = (token: string | null | undefined, action: PermitAction) => Promise<Permit>;

/**
 * Makes a function that demands a permit: a signed ALLOW for exactly one action, at most 60 s old.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work.
 *
 * @example
 * import { createPermitVerifier, rememberOnce } from 'agent-identity-service/proof';
 *
 * const verifyPermit = createPermitVerifier({
 *   issuers: ['did:web:example.com'],
 *   audience: 'https://pay.example',
 *   once: rememberOnce(),
 * });
 * const payment = { action: 'payments.create', amount: '129.90', currency: 'EUR' };
 * await verifyPermit(null, payment).catch((error) => console.log(error.details.problem)); // malformed
 */
export function createPermitVerifier(options: PermitVerifierOptions): PermitVerifier {
  const { terms, once, confirm, keys, fetch, at = Date.now } = checked(options);
  const keysPromise = keys && keysByThumbprint(jwkList(keys));
  const keptKeys = keepKeys(fetch, resolveKeys);
  return async (token, action) => {
    const read = readPermit(token, terms);
    const { permit } = read;
    const now = at();
    demandInTime(read, now);
    const trustedKeys =
      (await keysPromise) ?? (await keptKeys(permit.issuer, thumbprintNamed(read.token), now));
    await demandSigned(read.token, trustedKeys);
    await demandAction(permit, action);
    const { jkt, decision_id } = permit;
    if (jkt !== undefined) await demandTrue('bound', () => confirm?.(jkt, token as string));
    // The keys and the confirmation may have taken longer than the permit lives.
    const usedAt = at();
    demandInTime(read, usedAt);
    if (once !== false) await demandTrue('used', () => once(decision_id, permitEnd(read), usedAt));
    return permit;
  };
}

const MAKER = 'createPermitVerifier';

const OPTIONS: OptionNames<PermitVerifierOptions> = {
  issuers: true,
  audience: true,
  once: true,
  confirm: true,
  environment: true,
  keys: true,
  fetch: true,
  at: true,
};

function checked(options: PermitVerifierOptions) {
  const {
    issuers,
    audience,
    environment = 'live',
    once,
    ...otherFields
  } = knownOptions(MAKER, options, OPTIONS);
  if (!areIssuers(issuers)) {
    throw misconfigured(MAKER, WRONG_ISSUERS);
  }
  if (!isPermitAudience(audience)) {
    throw misconfigured(MAKER, 'audience must be 1 to 256 printable characters that do not begin with test:');
  }
  if (environment !== 'live' && environment !== 'test')
    throw misconfigured(MAKER, 'environment must be live or test');
  if (once !== false && typeof once !== 'function') {
    throw misconfigured(
      MAKER,
      'once must be a function, such as rememberOnce(), or false where the action is idempotent',
    );
  }
  const { confirm, at, keys } = otherFields;
  if (![confirm, at].every((option) => option === undefined || typeof option === 'function')) {
    throw misconfigured(MAKER, 'confirm and at must be functions');
  }
  if (keys !== undefined && !jwkList(keys).some(isPublicJwk)) {
    throw misconfigured(MAKER, WRONG_KEYS);
  }
  return { ...otherFields, once, terms: { issuers: [...issuers], audience, environment } };
}

async function demandTrue(problem: 'bound' | 'used', ask: () => unknown): Promise<void> {
  let cause: unknown;
  try {
    if ((await ask()) === true) return;
  } catch (error) {
    cause = error;
  }
  throw invalidToken(problem, cause);
}
