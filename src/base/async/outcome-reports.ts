/**
 * Reports the outcomes of verdicts in the background. A failed report never fails the action.
 *
 * A rule of order in a passport needs or forbids earlier actions. The action waits for its report only if
 * such a rule counts its outcome.
 */
import type { Outcome, OutcomeInput } from '../../records/outcome.ts';
import type { VerdictRecord } from '../../records.ts';

/**
 * A receiver of reports: the service itself, or a client from `createIdentityClient`.
 *
 * @throws {Error} Any error. The report is sent again later, unless the code is final, such as `invalid_request`.
 */
export interface OutcomeReceiver {
  /** Accepts 1 to 100 reports. */
  report(outcomes: readonly OutcomeInput[]): Promise<unknown>;
  /** The number of milliseconds for which reports are collected before they are sent; default 0. */
  readonly collectMs?: number;
}

/**
 * Reports the outcome of a verdict. Only the first call has an effect. If a rule of order counts the outcome, returns a
 * promise that resolves after the receiver has answered or failed. The promise never rejects.
 */
export type ReportOutcome = (outcome: Outcome) => Promise<void> | undefined;

export type ReportsOn = (record: VerdictRecord | null) => ReportOutcome;

/** The maximum number of waiting reports. Further reports are dropped. */
const MAX_WAITING = 1_000;
const AT_ONCE = 100;
const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** The errors after which another attempt would fail in the same way. */
const FINAL: readonly unknown[] = ['invalid_request', 'insufficient_scope', 'unauthenticated'];

const NOTHING: ReportOutcome = () => undefined;

export const NO_REPORTS: ReportsOn = () => NOTHING;

/** Creates the function that reports to a receiver. `warn` is called only for the first failure. */
export function createOutcomeReports(
  receiver: OutcomeReceiver | undefined,
  warn: (message: string) => void,
): ReportsOn {
  if (typeof receiver?.report !== 'function') return NO_REPORTS;
  const { collectMs = 0 } = receiver;
  let waiting: OutcomeInput[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSending = false;
  let isEnded = false;
  let failures = 0;

  function fail(message: string): void {
    if (failures === 0) warn(message);
    failures += 1;
  }

  function push(report: OutcomeInput): void {
    if (isEnded) return;
    if (waiting.length >= MAX_WAITING) fail('Too many reports of outcomes wait: some are left out.');
    else waiting.push(report);
    if (failures === 0 && (collectMs === 0 || waiting.length >= AT_ONCE)) void send();
    else later(collectMs);
  }

  /**
   * Sends a report at once, for an outcome that a rule of order counts. After a temporary failure, it sends
   * the report again later.
   */
  async function sendNow(report: OutcomeInput): Promise<void> {
    if (isEnded) return;
    try {
      await receiver?.report([report]);
    } catch (error) {
      const { code } = Object(error);
      fail('Reports of outcomes could not be sent.');
      isEnded = code === 'not_found';
      if (!FINAL.includes(code)) push(report);
    }
  }

  function later(ms: number): void {
    timer ??= setTimeout(() => void send(), ms);
  }

  async function send(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (isSending) return;
    isSending = true;
    const sentInputs = waiting.slice(0, AT_ONCE);
    try {
      await receiver?.report(sentInputs);
      waiting = waiting.slice(sentInputs.length);
      failures = 0;
    } catch (error) {
      handle(Object(error).code, sentInputs.length);
    }
    isSending = false;
    if (waiting.length > 0) retry();
  }

  function handle(code: unknown, sentCount: number): void {
    fail('Reports of outcomes could not be sent.');
    // A service of before outcomes has no such endpoint.
    isEnded = code === 'not_found';
    if (isEnded) waiting = [];
    else if (FINAL.includes(code)) waiting = waiting.slice(sentCount);
  }

  function retry(): void {
    later(failures === 0 ? 0 : Math.min(RETRY_MS * 2 ** Math.min(failures, 10), LONGEST_RETRY_MS));
    // A process that has nothing else to do does not wait for a service that is down.
    if (failures > 0) (timer as { unref?: () => void } | undefined)?.unref?.();
  }

  return (record) => {
    if (record === null || record.verdict !== 'ALLOW' || record.dry_run) return NOTHING;
    const { decision_id, evaluated_at, agent_id, mark } = record;
    let isReported = false;
    return (outcome) => {
      if (isReported) return undefined;
      isReported = true;
      const report = { decision_id, evaluated_at, agent_id, outcome };
      if (mark !== undefined && (outcome === 'succeeded' || outcome === 'failed')) {
        return sendNow({ ...report, mark });
      }
      push(report);
      return undefined;
    };
  };
}
