/** Checks proofs of possession, and makes the step that uses one up. */

import { createBoundedMap } from '../../base/bounded-map.ts';
import { toBase64Url } from '../../base/bytes/base64url.ts';
import { instantSpeller } from '../../base/values/instant.ts';
import { hashing } from '../../platform/index.ts';
import { importPublicKey, toPublicJwk, verifyBytes } from '../../platform/signing.ts';
import type { AgentKey } from '../../records/key.ts';
import type { ProofFact } from '../../verdict/index.ts';
import { PROOF_REPLAYED } from '../../verdict/proof.ts';
import type { ProofTerms } from '../shared/context.ts';
import type { Taking } from '../spending/spending.ts';
import { invalid, type Proved, readProof, type UnverifiedProof } from './read-proof.ts';

/** A checked proof. */
export interface CheckedProof {
  readonly fact: ProofFact;
  /** The step that uses up a valid proof, in the write of the ALLOW. */
  readonly takings: readonly Taking[];
}

/** Checks a proof. Never rejects because the proof is wrong. */
export type ProofCheck = (text: string, proved: Proved) => Promise<CheckedProof>;

/** The most imported keys that are kept. */
const MAX_KEYS = 10_000;

/**
 * The time after its `exp` for which the use of a proof is remembered. A node whose clock is 5 s slow accepts the proof
 * until 10 s after `exp`, when a clock that is 5 s fast shows 15 s.
 */
const REMEMBERED_SECONDS = 30;

/** Makes the check of one service. */
export function createProofCheck(terms: ProofTerms): ProofCheck {
  const signatures = createAgentSignatures();
  const useOf = createProofUses();

  return async (text, proved) => {
    const proof = readProof(text, proved, terms);
    if (proof.state !== 'unverified') return { fact: proof, takings: [] };
    if (!(await signatures(proof))) return { fact: invalid('signature'), takings: [] };
    const { key, bound } = proof;
    return {
      fact: { state: 'valid', kid: key.kid, bound },
      takings: [useOf(proof, proved.passport.agent_id, proved.at)],
    };
  };
}

/** Says whether a key of an agent made a signature. Never rejects. */
export type AgentSignatures = (signed: Pick<UnverifiedProof, 'parts' | 'key'>) => Promise<boolean>;

/** Makes the check of signatures of one service, which keeps the keys that it imports. */
export function createAgentSignatures(): AgentSignatures {
  const imported = createBoundedMap<string, Promise<CryptoKey>>(MAX_KEYS);

  /** Imports a key, and keeps it by its members: a changed key is another one. */
  function importedKey(key: AgentKey): Promise<CryptoKey> {
    const jwk = toPublicJwk(key);
    const name = JSON.stringify(jwk);
    const known = imported.get(name);
    if (known !== undefined) return known;
    const importing = importPublicKey(key.alg, jwk);
    imported.set(name, importing);
    return importing;
  }

  return async ({ parts, key }) => {
    try {
      return await verifyBytes(key.alg, await importedKey(key), parts.signed(), parts.signature());
    } catch {
      // A key or an algorithm that the runtime does not support proves nothing.
      return false;
    }
  };
}

/** Makes the step that counts the use of a proof, for all nodes together. `at` is in milliseconds. */
export type ProofUse = (proof: Pick<UnverifiedProof, 'jti' | 'exp'>, agent_id: string, at: number) => Taking;

/** Makes the steps of one service. */
export function createProofUses(): ProofUse {
  const [spellNow, spellEnd] = [instantSpeller(), instantSpeller()];
  return ({ jti, exp }, agent_id, at) => {
    const name = toBase64Url(hashing.sha256(`${agent_id}\n${jti}`));
    return {
      change: {
        op: 'add',
        counter: `proof:${name}`,
        by: 1,
        max: 1,
        at: spellNow(at),
        expires_at: spellEnd((exp + REMEMBERED_SECONDS) * 1_000),
      },
      refusal: [PROOF_REPLAYED],
    };
  };
}
