/** Outcomes: the results of allowed actions, reported with API keys. Types only, no code. */
import type { Environment, Instant, VerdictRecord } from '../records.ts';

/**
 * The outcome of an allowed action.
 *
 * - `succeeded`: the action has succeeded.
 * - `failed`: the action has ended with an error. Money may have moved.
 * - `not_attempted`: the action was not started.
 * - `unknown`: the result is not known.
 */
export type Outcome = 'succeeded' | 'failed' | 'not_attempted' | 'unknown';

/** A report of the outcome of a verdict's action. */
export interface OutcomeInput {
  /** The `decision_id` of the verdict. */
  readonly decision_id: string;
  /** The `evaluated_at` of the verdict: at most 7 days ago. */
  readonly evaluated_at: Instant;
  /** The `agent_id` of the verdict. */
  readonly agent_id: string;
  /** The outcome. */
  readonly outcome: Outcome;
  /** A code that you choose, such as `timeout`: a lower-case letter, then at most 63 of a-z, 0-9 and _. */
  readonly code?: string;
  /** The `mark` of the verdict, if it has one. Without it, a rule of order does not count the outcome. */
  readonly mark?: string;
}

/** A list of reports as the body of a request. */
export interface OutcomeList {
  /** The reports, 1 to 100. */
  readonly outcomes: readonly OutcomeInput[];
}

/** The answer to a list of reports. */
export interface OutcomesAccepted {
  /** The number of reports, including repeated reports and reports without a matching verdict. */
  readonly accepted: number;
}

/** The report that counts for a verdict. */
export interface RecordedOutcome {
  /** The outcome. */
  readonly outcome: Outcome;
  /** The code from the report. `null` if it has none. */
  readonly code: string | null;
  /** The instant at which the service accepted the report. */
  readonly reported_at: Instant;
  /** The API key that reported the outcome. `null` for the application itself. */
  readonly key_id: string | null;
}

/** A recorded verdict with its outcome. */
export interface RecordedVerdict extends Omit<VerdictRecord, 'permit' | 'mark'> {
  /**
   * The first report that is not `unknown`, otherwise the first report. `null` if there is no report. A report is a
   * statement of an API key's owner, not evidence.
   */
  readonly outcome: RecordedOutcome | null;
}

/** The `data` of an outcome event. */
export interface ReportedOutcome extends RecordedOutcome {
  /** The `decision_id` of the verdict. */
  readonly decision_id: string;
  /** The agent of the verdict. */
  readonly agent_id: string;
  /** The environment of the API key that reported it. */
  readonly environment: Environment;
  /** The `evaluated_at` of the verdict. */
  readonly evaluated_at: Instant;
}
