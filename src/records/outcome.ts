/** Outcomes: the results of allowed actions, as keys report them. Types only, no code. */
import type { Environment, Instant, VerdictRecord } from '../records.ts';

/**
 * The outcome of an allowed action.
 *
 * - `succeeded`: the action has ended well.
 * - `failed`: the action has ended with an error. Money may have moved.
 * - `not_attempted`: the action has not begun.
 * - `unknown`: the result is not known.
 */
export type Outcome = 'succeeded' | 'failed' | 'not_attempted' | 'unknown';

/** A report of the outcome of a verdict. */
export interface OutcomeInput {
  /** The `decision_id` of the verdict. */
  readonly decision_id: string;
  /** The `evaluated_at` of the verdict: at most 7 days ago. */
  readonly evaluated_at: Instant;
  /** The `agent_id` of the verdict. */
  readonly agent_id: string;
  /** The outcome. */
  readonly outcome: Outcome;
  /**
   * A code that you choose, such as `timeout`: a lower-case letter, then at most 63 of a-z, 0-9 and _. No free text.
   */
  readonly code?: string;
  /** The `mark` of the verdict, if it has one. A rule of order counts only outcomes with it. */
  readonly mark?: string;
}

/** A list of reports as the body of a request. */
export interface OutcomeList {
  /** The reports, 1 to 100. */
  readonly outcomes: readonly OutcomeInput[];
}

/** The answer to a list of reports. */
export interface OutcomesAccepted {
  /** The number of reports, including repeated reports and reports that fit no verdict. */
  readonly accepted: number;
}

/** The report that counts for a verdict. */
export interface RecordedOutcome {
  /** The outcome. */
  readonly outcome: Outcome;
  /** The code of the reporter; `null` if there is none. */
  readonly code: string | null;
  /** The instant at which the service took the report. */
  readonly reported_at: Instant;
  /** The key that reported it; `null` for the application itself. */
  readonly key_id: string | null;
}

/** A recorded verdict with its outcome. */
export interface RecordedVerdict extends Omit<VerdictRecord, 'permit' | 'mark'> {
  /**
   * The first report that is not `unknown`, otherwise the first report; `null` when none has come. It is the word of a
   * key, and no evidence.
   */
  readonly outcome: RecordedOutcome | null;
}

/** The `data` of an event of an outcome. */
export interface ReportedOutcome extends RecordedOutcome {
  /** The `decision_id` of the verdict. */
  readonly decision_id: string;
  /** The agent of the verdict. */
  readonly agent_id: string;
  /** The environment of the reporting key. */
  readonly environment: Environment;
  /** The `evaluated_at` of the verdict. */
  readonly evaluated_at: Instant;
}
