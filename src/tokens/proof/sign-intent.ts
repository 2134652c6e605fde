/** Signs intents as JWTs. */
import { toBase64Url } from '../../base/bytes/base64url.ts';
import { knownOptions, misconfigured, type OptionNames } from '../../base/known-options.ts';
import { jsonData, jsonText, MAX_BODY_MEMBERS } from '../../base/values/json-data.ts';
import {
  MAX_PROOF_LENGTH,
  MAX_PROOF_SECONDS,
  PROOF_TYPE,
  PROVED_MEMBERS,
} from '../../base/values/proof-format.ts';
import { wholeNumber } from '../../base/values/whole-number.ts';
import { type IdentityError, invalidRequest } from '../../errors.ts';
import { secureRandom } from '../../platform/random.ts';
import type { PrivateJwk } from '../../platform/signing.ts';
import type { Intent } from '../../records.ts';
import { signCompact } from '../signing/sign-compact.ts';
import { privateKeyOf } from './private-key.ts';

/** The signed parts of an intent: `action`, `target`, `parameters`, `subject`, `session` and `usage`. */
export type SignedIntent = Pick<
  Intent,
  'action' | 'target' | 'parameters' | 'subject' | 'session' | 'usage'
> &
  Partial<Pick<Intent, 'agent_id'>>;

/** The options of a proof of possession. */
export interface SignIntentOptions {
  /** The private key of the agent: `private_jwk` of `generateAgentKey`. */
  readonly key: PrivateJwk;
  /** The agent whose passport has the public key. */
  readonly agent_id: string;
  /** The service that evaluates the intent: its public URL, or another of its names (`proofAudiences`). */
  readonly audience: string;
  /** The validity of the proof in whole seconds, 1 to 3,600; default 60. By default a service accepts at most 300. */
  readonly seconds?: number;
  /**
   * Allows an intent without a target. Danger: an application that gets such a proof can send it to another application
   * of the same service. The other application then acts on the proof.
   */
  readonly anyTarget?: boolean;
}

/** Creates proofs of possession with one key. */
export interface IntentSigner {
  sign(intent: SignedIntent, claims?: GivenClaims): Promise<string>;
}

/** Claims that replace the generated ones: the time in seconds since the Unix epoch, and the id. */
export interface GivenClaims {
  readonly iat?: number;
  readonly jti?: string;
}

/**
 * Creates a proof that this agent asks for exactly this intent. Put the proof in the member `proof` of the intent. The
 * proof is a compact JWS of at most 8,192 characters, valid for one ALLOW. The clock of this computer must be right
 * within 5 s.
 *
 * @throws {IdentityError} `invalid_request` if the intent has no target and `anyTarget` is not true, or if it has no
 * JSON form.
 * @throws {IdentityError} `invalid_configuration` for wrong options.
 */
export async function signIntent(intent: SignedIntent, options: SignIntentOptions): Promise<string> {
  return createIntentSigner(options).sign(intent);
}

const MAKER = 'signIntent';
const OPTIONS: OptionNames<SignIntentOptions> = {
  key: true,
  agent_id: true,
  audience: true,
  seconds: true,
  anyTarget: true,
};

/** Creates a signer that imports the key only once. */
export function createIntentSigner(options: SignIntentOptions): IntentSigner {
  const givenClaims = knownOptions(MAKER, options, OPTIONS);
  const { agent_id, audience, seconds = 60, anyTarget = false } = givenClaims;
  const key = privateKeyOf(givenClaims.key);
  demandText('agent_id', agent_id);
  demandText('audience', audience);
  wholeNumber('signIntent: seconds', seconds, { from: 1, to: MAX_PROOF_SECONDS });
  return {
    async sign(intent, givenClaims = {}) {
      const signedClaims = signedMembers(intent, agent_id, anyTarget);
      const { iat = Math.floor(Date.now() / 1_000), jti = toBase64Url(secureRandom.bytes(16)) } = givenClaims;
      const claims = { iss: agent_id, aud: audience, iat, exp: iat + seconds, jti, intent: signedClaims };
      const header = JSON.stringify({ alg: key.alg, kid: await key.kid(), typ: PROOF_TYPE });
      const proof = await signCompact(header, jsonText(claims), key.sign);
      if (proof.length > MAX_PROOF_LENGTH)
        throw wrong('', 'too_long', `A proof has more than ${MAX_PROOF_LENGTH} characters`);
      return proof;
    },
  };
}

function signedMembers(claims: unknown, agent_id: string, anyTarget: boolean): Record<string, unknown> {
  const intent = jsonData(claims, MAX_BODY_MEMBERS);
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
  if (typeof value !== 'string' || value === '') throw misconfigured(MAKER, `${name} must be a text`);
}

function wrong(path: string, code: string, message: string): IdentityError {
  return invalidRequest([{ path, code, message: `${message}.` }]);
}
