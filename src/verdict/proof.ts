/** Proofs of possession: what a passport asks for, and what the proof of a question came to. */
import type { Instant, ProofRequirement, Reason } from '../records.ts';
import { demand, isRecord, NOTHING } from './read.ts';

/** What is wrong with a proof: the first check that it failed. */
export type ProofProblem =
  | 'malformed'
  | 'type'
  | 'algorithm'
  | 'key'
  | 'claims'
  | 'audience'
  | 'time'
  | 'intent'
  | 'signature';

/** What the proof of an intent came to. */
export type ProofFact =
  | {
      /** Signed with a key of the passport, for this service, and in its time. */
      readonly state: 'valid';
      /** The RFC 7638 thumbprint of that key. */
      readonly kid: string;
      /** Whether exactly this intent was signed; else it names the target of the intent. */
      readonly bound: boolean;
    }
  | {
      /** A check failed. */
      readonly state: 'invalid';
      /** The first one. */
      readonly problem: ProofProblem;
    }
  | {
      /** It is past its end. */
      readonly state: 'expired';
      /** Its end. */
      readonly since: Instant;
    }
  | {
      /** An ALLOW has used it before. */
      readonly state: 'replayed';
    };

/** @internal The reasons about a proof: those before the rules of the host, and those behind them. */
export interface ProofReasons {
  readonly before: readonly Reason[];
  readonly after: readonly Reason[];
}

/** @internal How much a passport asks for, as a number that a verdict compares; 0: nothing. */
export const REQUIREMENTS: Readonly<Record<ProofRequirement, number>> = {
  optional: 0,
  identity: 1,
  intent: 2,
};

/** @internal The codes of these reasons, each with its sentence, in the order in which they are listed. */
export const PROOF_MESSAGES = {
  proof_required: 'A proof is required.',
  proof_invalid: 'The proof is invalid.',
  proof_expired: 'The proof is expired.',
  proof_replayed: 'The proof was used before.',
} as const;

/** @internal The reason for a proof that an ALLOW has used. */
export const PROOF_REPLAYED: Reason = reason('proof_replayed', {});

const NO_PROOF: ProofReasons = { before: [], after: [] };

const { intent: INTENT } = REQUIREMENTS;
const NAMES = Object.keys(REQUIREMENTS);

/** @internal The reasons about a proof, which is judged whether it is asked for or not. Throws for any other value. */
export function proofReasons(required: number, given: unknown): ProofReasons {
  // Otherwise a member that was added to `Object.prototype` would be read as a proof.
  demand(NOTHING.proof === undefined);
  if (given === undefined) {
    if (required === 0) return NO_PROOF;
    return before('proof_required', { proof: NAMES[required] ?? '' });
  }
  demand(isRecord(given));
  const fact: { readonly [name: string]: unknown } = Object.setPrototypeOf({ ...given }, null);
  const { state, kid, bound, problem, since } = fact;
  switch (state) {
    case 'valid':
      demand(typeof kid === 'string' && typeof bound === 'boolean');
      return required === INTENT && !bound ? before('proof_invalid', { problem: 'intent' }) : NO_PROOF;
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
