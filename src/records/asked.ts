/** The data that `decide` needs in addition to the intent. Types only, no code. */
import type { Amount, Instant } from './value.ts';

/** The used part of each budget in its current window, by the `agent_id` of the passport and the name of the budget. */
export interface SpentBudgets {
  readonly [agent_id: string]: {
    readonly [name: string]: {
      /** The sum that was spent from a budget with a `limit`: an exact decimal in its currency or unit. */
      readonly spent?: Amount;
      /** The number of allowed intents of a budget with a `count`. */
      readonly count?: number;
    };
  };
}

/**
 * The state of each pace and each rule of order, by the `agent_id` of the passport and the name of the rule.
 * `null`: the next intent passes. An instant: no intent passes before it.
 */
export interface AgentHistory {
  readonly [agent_id: string]: { readonly [name: string]: Instant | null };
}

/** The state of the approval that an intent names. */
export interface ApprovalFact {
  /** `approved`: for exactly this intent, and not yet used. `mismatch`: for another intent, or unknown. */
  readonly state: 'approved' | 'pending' | 'rejected' | 'expired' | 'used' | 'mismatch';
}

/** The reason why a proof of possession is not valid: the first of the checks in which it fails. */
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

/** The result of checking the proof of possession of an intent. */
export type ProofFact =
  | {
      /** The proof was signed with a key of the passport, for this service, and has not expired. */
      readonly state: 'valid';
      /** The RFC 7638 thumbprint of that key. */
      readonly kid: string;
      /** `true` if exactly this intent was signed, `false` if the proof covers only the target. */
      readonly bound: boolean;
    }
  | {
      /** The proof has failed a check. */
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
      /** An earlier ALLOW has used the proof. */
      readonly state: 'replayed';
    };
