/** The questions and answers of a guard. Types only. */
import type { AskedApproval } from '../base/async/guarded-deed.ts';
import type { OutcomeReceiver } from '../base/async/outcome-reports.ts';
import type { Pause } from '../base/async/pause.ts';
import type { Intent, PermitRequest, Reason, VerdictRecord } from '../records.ts';

/** A call of a tool that a framework is about to make. */
export interface ToolCall {
  /** The name of the tool. */
  readonly name: string;
  /** The arguments. They are copied at once: later changes have no effect. */
  readonly args: unknown;
  /** The id of the call in the framework. It may be reused in another conversation. */
  readonly id?: string;
  /** Ends the wait for a verdict. */
  readonly signal?: AbortSignal;
  /** Further data that a rule or `agentId` needs. */
  readonly context?: unknown;
  /**
   * The key of an earlier run of this call, which this run continues; see `ToolRun`. It may be a function of the
   * intent.
   */
  readonly idempotency_key?: string | ((intent: Intent) => string | undefined);
  /**
   * `true` if the framework says that this call continues a call that it has stopped; `false` if the call is new.
   * Absent: the call continues a stopped call that is equal to it.
   */
  readonly resumes?: boolean;
  /**
   * The approval that the call uses. An earlier, equal call was denied until an approver decided, and has this
   * approval.
   */
  readonly approval_id?: string;
}

/** An allowed call, whose tool is about to run. */
export interface ToolRun {
  /** The arguments that were evaluated: the tool gets these. */
  readonly args: unknown;
  /** The verdict record, with its permit if the call asked for one; `null` for a tool that needs no verdict. */
  readonly record: VerdictRecord | null;
  /** The idempotency key of the run. Another run of the same call with this key takes nothing again. */
  readonly idempotency_key: string;
  /** The intent, when the verdict took something. */
  readonly intent?: Intent;
  /** True when the verdict took something; otherwise `done` and `undo` only report the outcome. */
  readonly hasTaken: boolean;
  /**
   * Commits the hold of the call, and reports `succeeded`. Call it after the tool has succeeded, before you return its
   * result. It waits if a rule of order counts the report. Never rejects.
   */
  done(): Promise<void>;
  /**
   * Reports `failed`, or `unknown` when nothing says how the tool ended. Call it when the tool has begun and did not
   * succeed. Of each run only the first outcome is reported. Waits as `done` does. Never rejects.
   */
  failed(outcome?: 'failed' | 'unknown'): Promise<void>;
  /**
   * Ends the run of a tool that has thrown. If the error is the signal of a framework that will call the tool again,
   * it ends as `pause` does, otherwise as `failed` does. Returns whether the run waits.
   */
  threw(error: unknown): boolean;
  /**
   * Ends this run without an outcome, because the tool waits. Call it when the framework has stopped the tool in order
   * to call it again. The next call with the same name, intent and `id` continues the run and takes nothing again. With
   * `next` as `any call` its `id` may differ; with `resumed call` it must have `resumes: true`.
   */
  pause(next?: Pause): void;
  /**
   * Commits the hold of the call shortly before it ends, unless you call `failed` first. Call it when the tool
   * continues after its function has returned.
   */
  keepHold(): void;
  /**
   * Reports `not_attempted`, and returns the amount of the verdict, if the verifier may. Call it if the tool did not
   * start. With your own key it returns nothing, because the next run under the key uses the amount. Never rejects.
   */
  undo(): Promise<void>;
}

/** The answer to a call. */
export type ToolVerdict =
  | {
      /** The tool may run. */
      readonly allowed: true;
      /** The verdict record; `null` for a tool that is not evaluated, and in `observe` without a verdict. */
      readonly record: VerdictRecord | null;
    }
  | {
      /** The tool must not run. */
      readonly allowed: false;
      /** The verdict record; `null` without a verdict. */
      readonly record: VerdictRecord | null;
      /** The reasons of the verdict, or the reason of the guard: `verdict_unavailable`, `intent_unreadable`. */
      readonly reasons: readonly Reason[];
      /** The text for the model. It contains no cause, no address and no secret. */
      readonly text: string;
      /**
       * The approval that a person is asked for. Once it is approved, run the same call again with its id as
       * `approval_id`.
       */
      readonly approval?: AskedApproval;
    };

/** The intent of a call, as far as `createToolGuard` cannot derive it. */
export interface ToolIntent {
  /** The action; default: the prefix and the name of the tool. */
  readonly action?: string;
  /** The target, a DID. */
  readonly target?: string;
  /** The parameters: `amount`, `currency`, and the parameters that your own rules read. */
  readonly parameters?: Intent['parameters'];
  /**
   * The agent's proof of exactly this intent, if it comes with the call. A client with `agentKey` signs
   * automatically.
   */
  readonly proof?: string;
  /** The seconds of a hold, as in a rule. */
  readonly hold_seconds?: number;
  /** The user or system for whom the agent acts. Take it from your own session, never from the arguments. */
  readonly subject?: string;
  /** The permit to ask for. The call is allowed with its token alone. */
  readonly permit?: PermitRequest;
}

/**
 * A rule that turns a call into an intent. A text that begins with `/` is a JSON Pointer (RFC 6901) into the arguments,
 * and finds own members of plain data only; any other text is literal.
 */
export interface ToolRule {
  /** The action; default: the prefix and the name of the tool. */
  readonly action?: string;
  /** The target, a DID. If a pointer finds nothing, there is no target. */
  readonly target?: string;
  /** The amount. A pointer that finds nothing makes the amount invalid, so that it cannot be left out. */
  readonly amount?: string | number;
  /** The currency, ISO 4217. Three letters from the arguments are read in upper case. */
  readonly currency?: string;
  /**
   * The decimals of minor units in the arguments: with 2 an amount of 10001 is 100.01. `currency` takes the decimals
   * of ISO 4217 for the currency of the call; an unknown or missing currency makes the amount invalid. A number, 0 to
   * 6, needs `currencies` if the currency comes from the arguments.
   */
  readonly decimals?: number | 'currency';
  /**
   * The other parameters, which conditions of the passport read: up to 32 names with a pointer each, such as
   * `{ to: '/to' }`, or `'all'` for a copy of all arguments. The call is `intent_unreadable` if JSON cannot carry a value,
   * if two names could be confused, or above 48 KiB.
   */
  readonly parameters?: 'all' | Readonly<Record<string, string>>;
  /** The currencies that the arguments may name. Any other currency makes the amount invalid. */
  readonly currencies?: readonly string[];
  /** Lets a pointer of `amount` that finds nothing send no amount; then `monetary_actions` of the passport decides. */
  readonly optionalAmount?: boolean;
  /**
   * The seconds for which the amount of the call is held, 1 to 604,800: it is committed when the tool has succeeded,
   * and otherwise lapses.
   */
  readonly hold_seconds?: number;
  /**
   * Asks for a permit for this resource, such as `https://pay.example`, or for the resource at a pointer. The call is
   * allowed only with the token of the permit.
   */
  readonly permit?: string;
}

/** A function that turns a call into an intent. It must be synchronous; an exception denies the call. */
export type ToolMapping = (args: unknown, call: ToolCall) => ToolIntent;

/** A source of verdicts: the service itself, or `createIdentityClient`. */
export interface Verifier {
  /** Returns the verdict on an intent. The signal is aborted when the guard no longer waits for it. */
  verify(intent: Intent, options?: VerifierOptions): Promise<VerdictRecord>;
  /** The spends, by `decision_id`. Absent: the guard neither commits nor returns amounts. */
  readonly spends?: VerifierSpends;
  /** The receiver of outcomes. Absent: nothing is reported. */
  readonly outcomes?: OutcomeReceiver;
  /** The approvals, by their id. The option `approvals` of a guard needs them. */
  readonly approvals?: VerifierApprovals;
}

/** The operation of a guard on approvals. */
export interface VerifierApprovals {
  /** Returns an approval as it is now. */
  get(id: string): Promise<{ readonly status: string }>;
}

/** The operations of a guard on spends. */
export interface VerifierSpends {
  /** Returns the current state of a spend. */
  get(decisionId: string): Promise<{ readonly status: string }>;
  /** Commits a hold. */
  commit(decisionId: string): Promise<unknown>;
  /** Gives back a held or spent amount. */
  release(decisionId: string): Promise<unknown>;
}

/** The options of a question to a verifier. */
export interface VerifierOptions {
  /** Aborted at the deadline, or if the caller gives up. */
  readonly signal?: AbortSignal;
  /** The idempotency key: the same intent with this key takes from budgets once. */
  readonly idempotencyKey?: string;
}
