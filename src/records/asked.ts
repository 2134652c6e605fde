/** The facts that the input of `decide` has in addition to the intent. Types only, no code. */
import type { Amount, Instant } from './value.ts';

/** The use of each budget in its current window, by the `agent_id` of the passport and the name of the budget. */
export interface SpentBudgets {
  readonly [agent_id: string]: {
    readonly [name: string]: {
      /** The sum spent from a budget with a `limit`: an exact decimal in its currency or unit. */
      readonly spent?: Amount;
      /** The number of allowed intents of a budget with a `count`. */
      readonly count?: number;
    };
  };
}

/**
 * The history of the agents, by the `agent_id` of the passport and the name of each of its paces and rules of order. `null`:
 * one more intent passes. An instant: none passes before it.
 */
export interface AgentHistory {
  readonly [agent_id: string]: { readonly [name: string]: Instant | null };
}

/** The state of the approval that an intent names. */
export interface ApprovalFact {
  /** `approved`: for exactly this intent, and not used yet. `mismatch`: for another intent, or unknown. */
  readonly state: 'approved' | 'pending' | 'rejected' | 'expired' | 'used' | 'mismatch';
}

/** The first check that a proof failed. */
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

/** The result of checking the proof of an intent. */
export type ProofFact =
  | {
      /** Signed with a key of the passport, for this service, and not expired. */
      readonly state: 'valid';
      /** The RFC 7638 thumbprint of that key. */
      readonly kid: string;
      /** True when exactly this intent was signed; false when the proof covers only the target. */
      readonly bound: boolean;
    }
  | {
      /** A check failed. */
      readonly state: 'invalid';
      /** The first check that failed. */
      readonly problem: ProofProblem;
    }
  | {
      /** The proof has expired. */
      readonly state: 'expired';
      /** The instant at which it expired. */
      readonly since: Instant;
    }
  | {
      /** An ALLOW has used the proof before. */
      readonly state: 'replayed';
    };
