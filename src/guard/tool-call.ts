/** What a guard is asked and what it answers. Types only. */
import type { AskedApproval } from '../base/guarded-deed.ts';
import type { Intent, Reason, VerdictRecord } from '../records.ts';

/** One call of a tool, as a framework is about to make it. */
export interface ToolCall {
  /** The name of the tool. */
  readonly name: string;
  /** The arguments. They are copied at once: what changes them later is not seen. */
  readonly args: unknown;
  /** The id that the framework gives it. It may come again in another conversation. */
  readonly id?: string;
  /** Ends the wait for a verdict. */
  readonly signal?: AbortSignal;
  /** What else a rule or `agentId` needs to know of the call. */
  readonly context?: unknown;
  /** The key of an earlier run of this call, which the run goes on with; see `ToolRun`. Also by what is asked. */
  readonly idempotency_key?: string | ((intent: Intent) => string | undefined);
  /** The approval that the call uses: that of an earlier, equal call that was denied until a person has decided. */
  readonly approval_id?: string;
}

/** A call that is allowed, whose tool is about to run. */
export interface ToolRun {
  /** The arguments that were judged: the tool gets these. */
  readonly args: unknown;
  /** The idempotency key of the run. A run of the same call that gets it takes nothing again. */
  readonly idempotency_key: string;
  /** What was asked, where the verdict took anything. */
  readonly intent?: Intent;
  /** Whether the verdict took anything: otherwise `done` and `undo` do nothing. */
  readonly hasTaken: boolean;
  /** For a tool that has ended well: commits what is held for the call. Never rejects. */
  done(): Promise<void>;
  /**
   * For a tool that did not begin: gives back what the verdict took, as far as the verifier may. Under a key of the host
   * nothing goes back: the next run under the key uses what was taken. Never rejects.
   */
  undo(): Promise<void>;
}

/** The answer on one call. */
export type ToolVerdict =
  | {
      /** The tool may run. */
      readonly allowed: true;
      /** `null` for a tool that is not judged, and in `observe` where there was no verdict. */
      readonly record: VerdictRecord | null;
    }
  | {
      /** The tool must not run. */
      readonly allowed: false;
      /** `null` where there was no verdict. */
      readonly record: VerdictRecord | null;
      /** Those of the verdict, or the one of the guard: `verdict_unavailable`, `intent_unreadable`. */
      readonly reasons: readonly Reason[];
      /** The text for the model. Holds no cause, no address and no secret. */
      readonly text: string;
      /** The approval that a person is asked for. Once it is approved, run the same call again with its id as `approval_id`. */
      readonly approval?: AskedApproval;
    };

/** What a call means, as far as `createToolGuard` cannot know it by itself. */
export interface ToolIntent {
  /** Default: the prefix and the name of the tool. */
  readonly action?: string;
  /** A DID. */
  readonly target?: string;
  /** `amount`, `currency`, and what rules of the host look at. */
  readonly parameters?: Intent['parameters'];
  /** The agent's proof of exactly this intent, where it comes with the call. A client with `agentKey` signs by itself. */
  readonly proof?: string;
  /** As in a rule. */
  readonly hold_seconds?: number;
}

/**
 * What a call means, as data. A text that begins with `/` is a JSON Pointer (RFC 6901) into the arguments, and reaches
 * own members of plain data only; any other text is meant literally.
 */
export interface ToolRule {
  /** Default: the prefix and the name of the tool. */
  readonly action?: string;
  /** A DID. A pointer that finds nothing names no target. */
  readonly target?: string;
  /** A pointer that finds nothing makes the amount invalid: it cannot be left out. */
  readonly amount?: string | number;
  /** ISO 4217. A text of three letters from the arguments is read in upper case. */
  readonly currency?: string;
  /** The arguments count minor units: with 2 an amount of 10001 is 100.01. 0 to 6. */
  readonly decimals?: number;
  /** A pointer of `amount` that finds nothing sends none; then `monetary_actions` of the passport decides. */
  readonly optionalAmount?: boolean;
  /**
   * For how many seconds what the call spends is held, 1 to 604,800: it is committed when the tool has ended well, and
   * otherwise lapses.
   */
  readonly hold_seconds?: number;
}

/** What a call means, as a function of its arguments. It must answer at once; what it throws denies the call. */
export type ToolMapping = (args: unknown, call: ToolCall) => ToolIntent;

/** Anything that forms verdicts: the service itself, or `createIdentityClient`. */
export interface Verifier {
  /** The verdict on an intent. The signal is aborted when the guard no longer waits for it. */
  verify(intent: Intent, options?: VerifierOptions): Promise<VerdictRecord>;
  /** What was spent or held, by the `decision_id`. Absent: nothing is committed or given back. */
  readonly spends?: VerifierSpends;
}

/** What a guard does with what a verdict has taken. */
export interface VerifierSpends {
  /** Its present state. */
  get(decisionId: string): Promise<{ readonly status: string }>;
  /** Spends what is held. */
  commit(decisionId: string): Promise<unknown>;
  /** Gives back what is held or spent. */
  release(decisionId: string): Promise<unknown>;
}

/** What a guard gives its verifier besides the intent. */
export interface VerifierOptions {
  /** Aborted when the time is over, or the call is given up. */
  readonly signal?: AbortSignal;
  /** The same intent under it takes from budgets only once. */
  readonly idempotencyKey?: string;
}
