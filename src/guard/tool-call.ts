/** What a guard is asked and what it answers. Types only. */
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
      /** What the model is told. Holds no cause, no address and no secret. */
      readonly text: string;
    };

/** What a call means, of what `createToolGuard` does not know by itself. */
export interface ToolIntent {
  /** Default: the prefix and the name of the tool. */
  readonly action?: string;
  /** A DID. */
  readonly target?: string;
  /** `amount`, `currency`, and what rules of the host look at. */
  readonly parameters?: Intent['parameters'];
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
}

/** What a call means, as a function of its arguments. It must answer at once; what it throws denies the call. */
export type ToolMapping = (args: unknown, call: ToolCall) => ToolIntent;

/** Whatever forms verdicts: the service itself, or `createIdentityClient`. */
export interface Verifier {
  /** The verdict on an intent. The signal ends when nobody waits for it any longer. */
  verify(intent: Intent, options?: VerifierOptions): Promise<VerdictRecord>;
}

/** What a guard gives its verifier besides the intent. */
export interface VerifierOptions {
  /** Aborted when the time is over, or the call is given up. */
  readonly signal?: AbortSignal;
}
