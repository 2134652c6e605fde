/** Adds proofs of possession to the intents that a client sends. */

import { knownOptions, type OptionNames } from '../base/known-options.ts';
import { jsonText } from '../base/values/json-data.ts';
import type { Intent } from '../records.ts';
import type { PrivateJwk } from '../tokens/proof/index.ts';
import { createIntentSigner } from '../tokens/proof/sign-intent.ts';

import type { Body } from './requests.ts';

/** The agent key with which a client signs its intents. */
export interface ClientAgentKey {
  /** The private key: `private_jwk` from `generateAgentKey` of `agent-identity-service/proof`. */
  readonly private_jwk: PrivateJwk;
  /** The agent whose passport contains the public key. */
  readonly agent_id: string;
  /** The name of the service in proofs, the claim `aud`; default: `baseUrl`. */
  readonly audience?: string;
  /**
   * `true` to sign intents without a target as well. Any other host that uses the same service can reuse such a proof.
   */
  readonly anyTarget?: boolean;
}

/** Returns an intent with a new proof. An intent that has a proof is returned unchanged. */
export type AgentSigner = (intent: Intent) => Promise<Intent>;

const NAMES: OptionNames<ClientAgentKey> = {
  private_jwk: true,
  agent_id: true,
  audience: true,
  anyTarget: true,
};

/**
 * Creates the signer of a client; `undefined` without a key.
 *
 * @throws {IdentityError} `invalid_configuration` for an invalid key.
 */
export function agentSignerOf(maker: string, option: unknown, baseUrl: string): AgentSigner | undefined {
  if (option === undefined) return undefined;
  const agentKey = knownOptions(maker, option as ClientAgentKey, NAMES, 'agentKey.');
  const { private_jwk: key, audience = baseUrl, ...options } = agentKey;
  const signer = createIntentSigner({ ...options, key, audience });
  return async (intent) =>
    intent.proof === undefined ? { ...intent, proof: await signer.sign(intent) } : intent;
}

/**
 * Returns the body of an intent. It is signed again for each attempt, because the first attempt may have used up its
 * proof.
 */
export function signedText(signer: AgentSigner | undefined, intent: Intent): Body {
  return signer === undefined ? intent : async () => jsonText(await signer(intent));
}

/** Returns the body of a batch, signed again for each attempt. The service refuses anything that is not a batch. */
export function signedBatch(signer: AgentSigner | undefined, batch: unknown): Body {
  const { intents } = Object(batch) as { readonly intents?: unknown };
  if (signer === undefined || !Array.isArray(intents)) return batch;
  return async () => jsonText({ ...Object(batch), intents: await Promise.all(intents.map(signer)) });
}
