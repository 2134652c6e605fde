/** Signed intents: a JWT that carries the intent. */
import { toBase64Url } from '../base/base64url.ts';
import { jsonData, jsonText, MAX_BODY_MEMBERS } from '../base/json-data.ts';
import { knownOptions, type OptionNames } from '../base/known-options.ts';
import { MAX_PROOF_LENGTH, MAX_PROOF_SECONDS, PROOF_TYPE, PROVED_MEMBERS } from '../base/proof-format.ts';
import { wholeNumber } from '../base/whole-number.ts';
import { IdentityError, invalidRequest } from '../errors.ts';
import { secureRandom } from '../platform/random.ts';
import type { PrivateJwk } from '../platform/signing.ts';
import type { Intent } from '../records.ts';
import { signCompact } from '../signing/sign-compact.ts';
import { privateKeyOf } from './private-key.ts';

/** What of an intent is signed: `action`, `target` and `parameters`. */
export type SignedIntent = Pick<Intent, 'action' | 'target' | 'parameters'> &
  Partial<Pick<Intent, 'agent_id'>>;

/** Who proves, to whom, and for how long. */
export interface SignIntentOptions {
  /** The private key of the agent: `private_jwk` of `generateAgentKey`. */
  readonly key: PrivateJwk;
  /** The agent whose passport has the public key. */
  readonly agent_id: string;
  /** The service that judges: its public URL, or another name it is known by (`proofAudiences`). */
  readonly audience: string;
  /**
   * How long the proof is valid, whole seconds from 1 to 3,600; default 60. A service takes 300 unless
   * it is set up otherwise.
   */
  readonly seconds?: number;
  /**
   * Signs an intent without a target. A host that gets such a proof can pass it on to another host of the same service,
   * which takes the action then.
   */
  readonly anyTarget?: boolean;
}

/** Makes proofs with one key. */
export interface IntentSigner {
  sign(intent: SignedIntent, given?: GivenClaims): Promise<string>;
}

/** Claims that are otherwise made: the time in seconds since the epoch, and the id. */
export interface GivenClaims {
  readonly iat?: number;
  readonly jti?: string;
}

/**
 * A proof that this agent means exactly this intent, for the member `proof` of the intent: a compact JWS of at most
 * 8,192 characters that is good for one ALLOW. The clock of this machine must be right within 5 s. `invalid_request`
 * for an intent without a target, unless `anyTarget` is true, and for one that JSON does not carry;
 * `invalid_configuration` for what is wrong in the options.
 */
export async function signIntent(intent: SignedIntent, options: SignIntentOptions): Promise<string> {
  return createIntentSigner(options).sign(intent);
}

const OPTIONS: OptionNames<SignIntentOptions> = {
  ...{ key: true, agent_id: true, audience: true, seconds: true, anyTarget: true },
};

/** A signer that imports the key once. */
export function createIntentSigner(options: SignIntentOptions): IntentSigner {
  const given = knownOptions('signIntent', options, OPTIONS);
  const { agent_id, audience, seconds = 60, anyTarget = false } = given;
  const key = privateKeyOf(given.key);
  demandText('agent_id', agent_id);
  demandText('audience', audience);
  wholeNumber('signIntent: seconds', seconds, { from: 1, to: MAX_PROOF_SECONDS });
  return {
    async sign(intent, given = {}) {
      const signed = signedMembers(intent, agent_id, anyTarget);
      const { iat = Math.floor(Date.now() / 1_000), jti = toBase64Url(secureRandom.bytes(16)) } = given;
      const claims = { iss: agent_id, aud: audience, iat, exp: iat + seconds, jti, intent: signed };
      const header = JSON.stringify({ alg: key.alg, kid: await key.kid(), typ: PROOF_TYPE });
      const proof = await signCompact(header, jsonText(claims), key.sign);
      if (proof.length > MAX_PROOF_LENGTH)
        throw wrong('', 'too_long', `A proof has more than ${MAX_PROOF_LENGTH} characters`);
      return proof;
    },
  };
}

/** A copy of what the proof covers. */
function signedMembers(given: unknown, agent_id: string, anyTarget: boolean): Record<string, unknown> {
  const intent = jsonData(given, MAX_BODY_MEMBERS);
  if (typeof intent !== 'object' || intent === null || Array.isArray(intent)) {
    throw wrong('', 'wrong_type', 'This is not an intent');
  }
  const members = intent as Readonly<Record<string, unknown>>;
  if (members['agent_id'] !== undefined && members['agent_id'] !== agent_id) {
    throw wrong('/agent_id', 'not_allowed', 'This must be the agent that signs');
  }
  if (typeof members['action'] !== 'string') throw wrong('/action', 'required', 'An intent has an action');
  if (members['target'] === undefined && !anyTarget) {
    const message =
      'A proof needs a target, so that it cannot be passed on to another host; or set anyTarget: true';
    throw wrong('/target', 'required', message);
  }
  return Object.fromEntries(
    PROVED_MEMBERS.filter((name) => members[name] !== undefined).map((name) => [name, members[name]]),
  );
}

function demandText(name: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') throw misconfigured(`${name} must be a text`);
}

function misconfigured(problem: string): IdentityError {
  return new IdentityError('invalid_configuration', `signIntent: ${problem}.`);
}

function wrong(path: string, code: string, message: string): IdentityError {
  return invalidRequest([{ path, code, message: `${message}.` }]);
}
