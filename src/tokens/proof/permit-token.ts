import { toHex } from '../../base/bytes/hex.ts';
import { knownOptions, misconfigured, type OptionNames } from '../../base/known-options.ts';
import { parseAgentId } from '../../base/values/agent-id.ts';
import { CLOCK_LEEWAY_SECONDS } from '../../base/values/clock-leeway.ts';
import { MAX_ANCESTORS } from '../../base/values/field-limits.ts';
import { formatInstant } from '../../base/values/instant.ts';
import { wholeIntent } from '../../base/values/json-data.ts';
import { canonicalJson } from '../../base/values/json-values.ts';
import { amountText, currencyDecimals, readAmount } from '../../base/values/money.ts';
import { isPlainObject } from '../../base/values/plain-data.ts';
import {
  isPermitAudience,
  MAX_PERMIT_LENGTH,
  MAX_PERMIT_SECONDS,
  PERMIT_TYPE,
  TEST_AUDIENCE,
} from '../../base/values/proof-format.ts';
import { isCanonicalAmount } from '../../base/values/signed-passport.ts';
import type { Environment, Instant, Intent } from '../../records.ts';
import type { JsonMembers } from '../signing/compact.ts';
import { isCoordinate } from './coordinate.ts';
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
  claimMembers,
  demandOwnKey,
  demandSigned,
  isSeconds,
  type ReadToken,
  readToken,
  thumbprintNamed,
} from './read-token.ts';
import type { Once } from './remember-once.ts';

/** An action that an agent may take once, as its service has evaluated it. */
export interface Permit {
  /** The id `dec_…` of the verdict and of this permit. Use it as the idempotency key when you carry out the action. */
  readonly decision_id: string;
  /** The agent that is permitted to act. */
  readonly agent_id: string;
  /** The signer: `did:web:<domain>`. */
  readonly issuer: string;
  /** The expiry of the permit, at most 60 s after the verdict. */
  readonly expires_at: Instant;
  /** The thumbprint of the agent key to which the permit is bound. Absent if the permit is not bound. */
  readonly jkt?: string;
  /**
   * A checkpoint of the evidence log of the account that issued the permit. Keep the checkpoint, so that you can prove
   * later changes of the log.
   */
  readonly log?: PermitLog;
  /** The environment of the verdict. */
  readonly environment: Environment;
  /** The permitted action. */
  readonly action: string;
  /** The target. Absent if the intent has none. */
  readonly target?: string;
  /** The amount as canonical decimal text, such as `129.9`. Absent if the intent has none. */
  readonly amount?: string;
  /** The currency. Absent if the intent has none. */
  readonly currency?: string;
  /** The SHA-256 of the intent (RFC 8785) in hex: agent, action, target, parameters and subject. */
  readonly digest: string;
  /** The version of the evaluated passport. */
  readonly passport_version: number;
  /** The versions of the ancestors' passports, nearest first. Absent for an agent without a parent. */
  readonly ancestor_versions?: readonly number[];
}

/** A checkpoint of an evidence log. */
export interface PermitLog {
  /** The name of the log. */
  readonly origin: string;
  /** The number of entries in the log. */
  readonly size: number;
  /** The root hash of the log's tree, in base64. */
  readonly root: string;
}

/** A permit that was read. Its signature is not yet checked. */
interface UnverifiedPermit {
  readonly token: ReadToken;
  readonly permit: Permit;
  readonly iat: number;
  readonly exp: number;
}

/** The accepted issuers, and the resource that checks the permit. */
interface PermitTerms {
  readonly issuers: readonly string[];
  readonly audience: string;
  readonly environment: Environment;
}

const DECISION_ID = /^dec_[0-9A-Za-z]{26}$/;
const DIGEST = /^[0-9a-f]{64}$/;
const ROOT = /^[A-Za-z0-9+/]{43}=$/;
const REQUIRED = ['environment', 'action', 'digest', 'passport_version'];

/**
 * The members of the claim `permit`. A token with an unknown member is refused, because the member could restrict the
 * permit.
 */
const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  environment: (value) => value === 'live' || value === 'test',
  action: isText,
  target: isText,
  amount: isCanonicalAmount,
  currency: (value) => typeof value === 'string' && currencyDecimals(value) !== undefined,
  digest: (value) => typeof value === 'string' && DIGEST.test(value),
  passport_version: isVersion,
  ancestor_versions: (value) => {
    return Array.isArray(value) && value.length <= MAX_ANCESTORS && value.every(isVersion);
  },
};

/** Reads a permit from one of the issuers for this resource. */
function readPermit(text: unknown, terms: PermitTerms): UnverifiedPermit {
  const token = readToken(text, PERMIT_TYPE, MAX_PERMIT_LENGTH);
  const { iss, sub, aud, iat, exp, nbf, jti, cnf, permit, log } = token.claims;
  if (typeof iss !== 'string' || !terms.issuers.includes(iss)) throw invalidToken('issuer');
  demandOwnKey(token, iss);
  const name = typeof sub === 'string' ? parseAgentId(sub, { allowLocalhost: true }) : undefined;
  demand(name !== undefined && `did:web:${name.domain}` === iss);
  demand(typeof aud === 'string' && typeof jti === 'string' && DECISION_ID.test(jti));
  // No permit begins later than at `iat`.
  demand(isSeconds(iat) && isSeconds(exp) && nbf === undefined);
  const [start, end] = [iat, exp] as [number, number];
  demand(end > start && end - start <= MAX_PERMIT_SECONDS);
  const fields = permitFields(permit);
  const optionalFields = {
    decision_id: jti as string,
    agent_id: sub as string,
    issuer: iss,
    expires_at: formatInstant(end * 1_000),
    ...(cnf !== undefined && { jkt: confirmedKey(cnf) }),
    ...(log !== undefined && { log: checkpointOf(log) }),
  };
  const expectedText = terms.environment === 'test' ? `${TEST_AUDIENCE}${terms.audience}` : terms.audience;
  if (aud !== expectedText || fields.environment !== terms.environment) throw invalidToken('audience');
  return { token, permit: { ...optionalFields, ...fields }, iat: start, exp: end };
}

/**
 * Returns the instant from which every verifier refuses the permit. The instant allows for the accepted clock error.
 */
function permitEnd({ exp }: UnverifiedPermit): number {
  return (exp + CLOCK_LEEWAY_SECONDS) * 1_000;
}

/** Throws `time` if the permit is not valid at `now`, in milliseconds since the Unix epoch. */
function demandInTime(token: UnverifiedPermit, now: number): void {
  const begin = (token.iat - CLOCK_LEEWAY_SECONDS) * 1_000;
  if (!(now >= begin && now < permitEnd(token))) throw invalidToken('time');
}

function permitFields(value: unknown): Omit<Permit, 'decision_id' | 'agent_id' | 'issuer' | 'expires_at'> {
  const members = claimMembers(value);
  const names = Object.keys(members);
  demand(REQUIRED.every((name) => names.includes(name)));
  demand(names.every((name) => Object.hasOwn(CHECKS, name) && CHECKS[name]?.(members[name])));
  // The members are checked one by one.
  return members as unknown as Permit;
}

/** Returns the thumbprint of the bound key (RFC 7800; RFC 9449 section 6.1). */
function confirmedKey(cnf: unknown): string {
  const { jkt, ...otherFields } = claimMembers(cnf);
  demand(isCoordinate(jkt) && Object.keys(otherFields).length === 0);
  return jkt as string;
}

function checkpointOf(log: unknown): PermitLog {
  const members: JsonMembers = claimMembers(log);
  const { origin, size, root, ...otherFields } = members;
  demand(isText(origin) && isSeconds(size) && typeof root === 'string' && ROOT.test(root));
  demand(Object.keys(otherFields).length === 0);
  return { origin: origin as string, size: size as number, root: root as string };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isVersion(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function demand(holds: boolean): void {
  if (!holds) throw invalidToken('claims');
}

/**
 * The action that the resource is about to carry out. The resource takes it from the request, never from the permit.
 * The permit and this object must have the same members. With `intent`, all parameters are also compared.
 */
export type PermitAction =
  | {
      readonly action: string;
      readonly target?: string | undefined;
      /** An exact decimal, as text or number: `'129.90'` and `129.9` are equal. */
      readonly amount?: string | number | undefined;
      readonly currency?: string | undefined;
    }
  | { readonly intent: Intent };

type Members = Readonly<Record<string, unknown>>;

const MEMBERS: readonly string[] = ['action', 'target', 'amount', 'currency'];

/** Throws `invalid_token` with the problem `deed` if the permit is not for exactly this action. */
async function demandAction(permit: Permit, action: PermitAction): Promise<void> {
  if (!(await isPermitted(permit, action))) throw invalidToken('deed');
}

async function isPermitted(permit: Permit, permitAction: unknown): Promise<boolean> {
  if (typeof permitAction !== 'object' || permitAction === null || !isPlainObject(permitAction)) return false;
  const members: Members = { ...permitAction };
  const names = Object.keys(members);
  if (names.length === 1 && names[0] === 'intent')
    return (await digestOf(members['intent'])) === permit.digest;
  if (!names.every((name) => MEMBERS.includes(name)) || members['action'] === undefined) return false;
  const { action, target, amount, currency } = members;
  const isEqual = action === permit.action && target === permit.target && currency === permit.currency;
  return isEqual && canonicalAmount(amount) === permit.amount;
}

/**
 * Returns canonical decimal text. Returns `undefined` without an amount, and `null` if the value is not an exact
 * decimal.
 */
function canonicalAmount(value: unknown): string | undefined | null {
  if (value === undefined) return undefined;
  const amount = readAmount(value);
  return amount === null ? null : amountText(amount);
}

async function digestOf(intent: unknown): Promise<string | undefined> {
  try {
    const bytes = new TextEncoder().encode(canonicalJson(wholeIntent(intent as Intent)));
    return toHex(new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes)));
  } catch {
    // This is no intent that a service could have evaluated.
    return undefined;
  }
}

// Verifies permits for the resource that carries out the action.

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
