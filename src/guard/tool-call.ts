/** The inputs and results of a guard. Types only. */
import type { AskedApproval } from '../base/async/guarded-call.ts';
import type { OutcomeReceiver } from '../base/async/outcome-reports.ts';
import type { Pause } from '../base/async/pause.ts';
import type { Intent, PermitRequest, Reason, VerdictRecord } from '../records.ts';

/** A tool call that a framework is about to make. */
export interface ToolCall {
  /** The name of the tool. */
  readonly name: string;
  /** The arguments. They are copied at once, so later changes have no effect. */
  readonly args: unknown;
  /** The id of the call in the framework. It may be reused in another conversation. */
  readonly id?: string;
  /** Aborts the wait for a verdict. */
  readonly signal?: AbortSignal;
  /** Further data that a tool mapping or `agentId` needs. */
  readonly context?: unknown;
  /**
   * The idempotency key of an earlier run of this call, if this run continues it; see `ToolRun`. The key may be a
   * function of the intent.
   */
  readonly idempotency_key?: string | ((intent: Intent) => string | undefined);
  /**
   * `true` if the framework says that this call continues a stopped call, `false` if the call is new. Absent: the call
   * continues an equal stopped call, if there is one.
   */
  readonly resumes?: boolean;
  /**
   * The id of the approval for this call. You get it from the denial of an earlier, equal call that needs an approver.
   */
  readonly approval_id?: string;
}

/** The run of an allowed call. */
export interface ToolRun {
  /** The evaluated arguments. Pass these to the tool. */
  readonly args: unknown;
  /** The verdict record, with its permit if the call asked for one; `null` for a tool that needs no verdict. */
  readonly record: VerdictRecord | null;
  /**
   * The idempotency key of the run. If the same call runs again with this key, the service does not spend its
   * amount a second time.
   */
  readonly idempotency_key: string;
  /** The intent, if the verdict spent something. */
  readonly intent?: Intent;
  /** `true` if the verdict spent something. Otherwise `done` and `undo` only report the outcome. */
  readonly hasTaken: boolean;
  /**
   * Commits the hold of the call, and reports `succeeded`. Call it after the tool has succeeded, before you return its
   * result. It waits for the report if a rule of order counts the outcome. Never rejects.
   */
  done(): Promise<void>;
  /**
   * Reports `failed`, or `unknown` if it is not known how the tool ended. Call it if the tool has started and did not
   * succeed. With `unknown`, it commits the hold, because the tool may have run; otherwise the hold expires. Only the
   * first outcome of each run is reported. Waits as `done` does. Never rejects.
   */
  failed(outcome?: 'failed' | 'unknown'): Promise<void>;
  /**
   * Ends the run of a tool that has thrown. If the error is the signal of a framework that will call the tool again,
   * ends as `pause` does. Otherwise ends as `failed` does. Returns `true` if the run waits.
   */
  threw(error: unknown): boolean;
  /**
   * Ends this run without an outcome, because the tool waits. Call it if the framework has stopped the tool in order to
   * call it again. The next call with the same name, intent and `id` continues the run and spends nothing again. With
   * `next` set to `any call`, its `id` may differ. With `resumed call`, it must have `resumes: true`.
   */
  pause(next?: Pause): void;
  /**
   * Commits the hold of the call shortly before it ends, unless you call `failed` first. Call it if the tool continues
   * after its function has returned.
   */
  keepHold(): void;
  /**
   * Reports `not_attempted`, and refunds the amount if the verifier can. Call it if the tool did not start. With your
   * own idempotency key it refunds nothing, because the next run with this key uses the amount. Never rejects.
   */
  undo(): Promise<void>;
}

/** The verdict on a tool call. */
export type ToolVerdict =
  | {
      /** The tool may run. */
      readonly allowed: true;
      /**
       * The verdict record. `null` for a tool that runs without a verdict, and in the mode `observe` if there is no
       * verdict.
       */
      readonly record: VerdictRecord | null;
    }
  | {
      /** The tool must not run. */
      readonly allowed: false;
      /** The verdict record. `null` if there is no verdict. */
      readonly record: VerdictRecord | null;
      /** The reasons of the verdict, or a reason of the guard: `verdict_unavailable` or `intent_unreadable`. */
      readonly reasons: readonly Reason[];
      /** The text for the model. It contains no cause of an error, no address and no secret. */
      readonly text: string;
      /**
       * The approval that a person must decide. After it is approved, run the same call again with its id as
       * `approval_id`.
       */
      readonly approval?: AskedApproval;
    };

/** The parts of an intent that the guard cannot derive from the tool call. */
export interface ToolIntent {
  /** The action; default: the prefix and the name of the tool. */
  readonly action?: string;
  /** The target, a DID. */
  readonly target?: string;
  /** The parameters: `amount`, `currency`, and the parameters that your own rules read. */
  readonly parameters?: Intent['parameters'];
  /**
   * A proof of possession by the agent for exactly this intent, if it comes with the call. A client with `agentKey`
   * signs automatically.
   */
  readonly proof?: string;
  /** The seconds for which the amount is held, as in `ToolRule`. */
  readonly hold_seconds?: number;
  /**
   * The user or system for whom the agent acts. Take it from your own session, never from the arguments of the call.
   */
  readonly subject?: string;
  /** Asks for a permit. The call is then allowed only with the token of the permit. */
  readonly permit?: PermitRequest;
}

/**
 * A tool mapping as data. A text that begins with `/` is a JSON Pointer (RFC 6901) into the arguments; it finds only
 * own members of plain data. Any other text is a fixed value.
 */
export interface ToolRule {
  /** The action; default: the prefix and the name of the tool. */
  readonly action?: string;
  /** The target, a DID. If a pointer finds nothing, there is no target. */
  readonly target?: string;
  /** The amount. If a pointer finds nothing, the amount is invalid, so that a call cannot omit it. */
  readonly amount?: string | number;
  /** The currency, ISO 4217. Three letters from the arguments are read in upper case. */
  readonly currency?: string;
  /**
   * The number of decimals if the arguments have minor units: with 2, an amount of 10001 is 100.01.
   * `currency` takes the decimals of the call's currency from ISO 4217. An unknown or missing currency then
   * makes the amount invalid. If you set a number from 0 to 6 and the currency comes from the arguments, list
   * in `currencies` only currencies with that number of decimals.
   */
  readonly decimals?: number | 'currency';
  /**
   * The other parameters, for the conditions of the passport. Up to 32 names with one pointer each, such as `{ to:
   * '/to' }`, or `'all'` for a copy of all arguments. The call is denied as `intent_unreadable` if a value has no JSON
   * form, if two names could be confused, or above 48 KiB.
   */
  readonly parameters?: 'all' | Readonly<Record<string, string>>;
  /** The currencies that the arguments may name. Any other currency makes the amount invalid. */
  readonly currencies?: readonly string[];
  /**
   * `true`: if the pointer of `amount` finds nothing, the intent has no amount. The service then denies the
   * intent if the passport lists its action in `monetary_actions`.
   */
  readonly optionalAmount?: boolean;
  /**
   * The seconds for which the amount of the call is held, 1 to 604,800. The amount is committed after the tool has
   * succeeded, and otherwise expires.
   */
  readonly hold_seconds?: number;
  /**
   * Asks for a permit for this resource, such as `https://pay.example`, or for the resource at a pointer. The call is
   * allowed only with the token of the permit.
   */
  readonly permit?: string;
}

/** A function that turns a call into an intent. The function must be synchronous. If it throws, the call is denied. */
export type ToolMapping = (args: unknown, call: ToolCall) => ToolIntent;

/**
 * The object that a guard asks for verdicts: the service, or a client from `createIdentityClient`.
 *
 * @throws {Error} Any error. The guard then denies the call.
 */
export interface Verifier {
  /** Returns the verdict on an intent. The signal is aborted when the guard no longer waits for it. */
  verify(intent: Intent, options?: VerifierOptions): Promise<VerdictRecord>;
  /** The spends, by `decision_id`. Absent: the guard neither commits nor refunds amounts. */
  readonly spends?: VerifierSpends;
  /** Receives outcomes. Absent: the guard reports no outcomes. */
  readonly outcomes?: OutcomeReceiver;
  /** The approvals, by their id. The option `approvals` of a guard needs them. */
  readonly approvals?: VerifierApprovals;
}

/**
 * The method that a guard needs to read approvals.
 *
 * @throws {Error} Any error. The guard then treats the approval as unreadable.
 */
export interface VerifierApprovals {
  /** Returns the current state of an approval. */
  get(id: string): Promise<{ readonly status: string }>;
}

/**
 * The methods that a guard needs to commit and refund spends.
 *
 * @throws {Error} Any error. The guard tries `commit` again, unless the code is final, such as `spend_lapsed`.
 */
export interface VerifierSpends {
  /** Returns the current state of a spend. */
  get(decisionId: string): Promise<{ readonly status: string }>;
  /** Commits a hold. */
  commit(decisionId: string): Promise<unknown>;
  /** Refunds an amount that is held or spent. */
  release(decisionId: string): Promise<unknown>;
}

/** The options of a request to a verifier. */
export interface VerifierOptions {
  /** Aborted at the deadline, or if the caller aborts the call. */
  readonly signal?: AbortSignal;
  /** The idempotency key. The same intent with this key spends from budgets only once. */
  readonly idempotencyKey?: string;
}
