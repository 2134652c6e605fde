import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Intent, Passport } from '../../../src/records.ts';
import type { PrivateJwk } from '../../../src/tokens/proof/index.ts';
import type { AgentKey } from '../../../src/types.ts';
import type { ProofFact } from '../../../src/verdict/index.ts';

/** One of the vectors. */
export type Vector = {
  readonly name: string;
  readonly proof: string;
  readonly required?: Passport['proof'];
  readonly public_keys?: readonly AgentKey[];
  readonly intent?: Omit<Intent, 'agent_id'>;
} & ProofFact;

interface Vectors {
  readonly service: { readonly audiences: readonly string[]; readonly max_seconds: number };
  readonly now: number;
  readonly agent_id: string;
  readonly private_keys: readonly PrivateJwk[];
  readonly defaults: {
    readonly required: 'optional';
    readonly public_keys: readonly AgentKey[];
    readonly intent: Omit<Intent, 'agent_id'>;
  };
  readonly vectors: readonly Vector[];
}

/** Where they are published. */
export const VECTORS_FILE: string = fileURLToPath(
  new URL('../../../src/tokens/proof/vectors/proofs.json', import.meta.url),
);

export const VECTORS: Vectors = JSON.parse(readFileSync(VECTORS_FILE, 'utf8'));

/** What a vector is asked with. */
export function questionOf({ required, public_keys, intent }: Partial<Vector>): {
  readonly passport: Passport;
  readonly intent: Intent;
  readonly at: number;
} {
  const { defaults, agent_id, now } = VECTORS;
  const proof = required ?? defaults.required;
  return {
    passport: { agent_id, proof, public_keys: public_keys ?? defaults.public_keys } as unknown as Passport,
    intent: { agent_id, ...(intent ?? defaults.intent) },
    at: now * 1_000,
  };
}

/** The fact that a vector promises. */
export function factOf(vector: Vector): ProofFact {
  const { name: _, proof: __, required: ___, public_keys: ____, intent: _____, ...fact } = vector;
  return fact;
}
