/**
 * Reads the proof of possession of a request from the field `proof` of the intent, or from the header `Agent-Proof`.
 */

import { MAX_PROOF_LENGTH } from '../base/values/proof-format.ts';
import { type FieldError, refuseAny, wrongField } from '../errors.ts';
import { mustBe } from '../schema/expected.ts';
import { headerOf, isDoubled } from './exchange.ts';

const HEADER = 'agent-proof';

/**
 * Adds the proof in the header to the intent. An empty header counts as absent.
 *
 * @throws {IdentityError} `invalid_request` for a proof that is empty or too long. In process, such a proof leads to a
 * `DENY` instead.
 */
export function withProofOf(rawHeaders: readonly string[], body: unknown): unknown {
  const proof = headerOf(rawHeaders, HEADER);
  if (isDoubled(rawHeaders, HEADER)) throw twice('Send Agent-Proof once.');
  if (proof === undefined || proof === '' || !isObject(body)) return withBoundedProof(body);
  if ('proof' in body) throw twice('Send the proof as this field or as the header Agent-Proof, not as both.');
  return withBoundedProof({ ...body, proof });
}

export function withBoundedTrial(trial: unknown): unknown {
  refuseAny(proofErrors(isObject(trial) && 'intent' in trial ? trial.intent : undefined, '/intent'));
  return trial;
}

export function withBoundedProofs(batch: unknown): unknown {
  const intents: unknown = isObject(batch) && 'intents' in batch ? batch.intents : undefined;
  if (Array.isArray(intents)) {
    refuseAny(intents.flatMap((intent, index) => proofErrors(intent, `/intents/${index}`)));
  }
  return batch;
}

export function withBoundedProof(intent: unknown): unknown {
  refuseAny(proofErrors(intent, ''));
  return intent;
}

function proofErrors(intent: unknown, holder: string): readonly FieldError[] {
  const proof: unknown = isObject(intent) && 'proof' in intent ? intent.proof : undefined;
  if (typeof proof !== 'string' || (proof !== '' && proof.length <= MAX_PROOF_LENGTH)) return [];
  const path = `${holder}/proof`;
  return [{ path, code: proof === '' ? 'too_short' : 'too_long', message: mustBe(path) }];
}

function twice(message: string): Error {
  return wrongField('/proof', 'duplicate', message);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
