/** Evaluates proofs of possession: which proof a passport requires, and whether the given proof is sufficient. */
import type { ProofRequirement, Reason } from '../records.ts';
import { demand, isRecord, NOTHING } from './read.ts';

/** @internal The reasons about a proof, in two lists: before and after the reasons of the application's rules. */
export interface ProofReasons {
  readonly before: readonly Reason[];
  readonly after: readonly Reason[];
}

/** @internal The strength of each requirement as a number for comparisons. 0: no proof. */
export const REQUIREMENTS: Readonly<Record<ProofRequirement, number>> = {
  optional: 0,
  identity: 1,
  intent: 2,
};

/** @internal The messages of the reasons about proofs by code, in the order in which reasons are listed. */
export const PROOF_MESSAGES = {
  proof_required: 'A proof is required.',
  proof_invalid: 'The proof is invalid.',
  proof_expired: 'The proof is expired.',
  proof_replayed: 'The proof was used before.',
} as const;

/** @internal The reason for a proof that an earlier `ALLOW` has used. */
export const PROOF_REPLAYED: Reason = reason('proof_replayed', {});

const NO_PROOF: ProofReasons = { before: [], after: [] };

const { intent: INTENT } = REQUIREMENTS;
const NAMES = Object.keys(REQUIREMENTS);

/**
 * @internal Returns the reasons about a proof. A given proof is evaluated even if the passport requires none. Throws if
 * `value` is not a {@link ProofFact}.
 */
export function proofReasons(requiredCount: number, value: unknown): ProofReasons {
  // Otherwise a member that was added to `Object.prototype` would be read as a proof.
  demand(NOTHING.proof === undefined);
  if (value === undefined) {
    if (requiredCount === 0) return NO_PROOF;
    return before('proof_required', { proof: NAMES[requiredCount] ?? '' });
  }
  demand(isRecord(value));
  const fact: { readonly [name: string]: unknown } = Object.setPrototypeOf({ ...value }, null);
  const { state, kid, bound, problem, since } = fact;
  switch (state) {
    case 'valid':
      demand(typeof kid === 'string' && typeof bound === 'boolean');
      return requiredCount === INTENT && !bound ? before('proof_invalid', { problem: 'intent' }) : NO_PROOF;
    case 'invalid':
      demand(typeof problem === 'string');
      return before('proof_invalid', { problem });
    case 'expired':
      demand(typeof since === 'string');
      return before('proof_expired', { since });
    default:
      demand(state === 'replayed');
      return { ...NO_PROOF, after: [PROOF_REPLAYED] };
  }
}

function before(code: keyof typeof PROOF_MESSAGES, facts: Readonly<Record<string, string>>): ProofReasons {
  return { ...NO_PROOF, before: [reason(code, facts)] };
}

function reason(code: keyof typeof PROOF_MESSAGES, facts: Readonly<Record<string, string>>): Reason {
  return Object.freeze({ code, message: PROOF_MESSAGES[code], ...facts });
}
