/**
 * Writes src/tokens/proof/vectors/proofs.json: valid proofs of possession, and proofs with a single fault each. It uses
 * node:crypto and no code of this package, so that the vectors can test that code. Signatures of ES256 differ from run
 * to run.
 */
import { writeFileSync } from 'node:fs';
import { invalidVectors } from './proof-vectors/invalid.mjs';
import {
  AGENT,
  AUDIENCES,
  INTENT,
  KEYS,
  MAX_SECONDS,
  NOW,
  PUBLIC_KEYS,
  privateJwk,
} from './proof-vectors/parts.mjs';
import { validVectors } from './proof-vectors/valid.mjs';

const document = {
  description:
    'Proofs of possession (typ agent-intent+jwt). state: valid, invalid with its problem, or expired since exp. A vector without required, public_keys or intent has those of defaults. Replay is not judged here.',
  service: { audiences: AUDIENCES, max_seconds: MAX_SECONDS, leeway_seconds: 5 },
  now: NOW,
  defaults: { required: 'optional', public_keys: PUBLIC_KEYS, intent: INTENT },
  agent_id: AGENT,
  private_keys: KEYS.map(privateJwk),
  vectors: [...validVectors(), ...invalidVectors()],
};
const names = document.vectors.map(({ name }) => name);
if (new Set(names).size !== names.length) throw new Error('Two vectors have the same name.');
const path = new URL('../../src/tokens/proof/vectors/proofs.json', import.meta.url);
writeFileSync(path, `${JSON.stringify(document, null, 1)}\n`);
