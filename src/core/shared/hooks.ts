/**
 * Calls the hooks of the application for verdicts, approvals and errors. A hook that fails does not change the verdict
 * or the error.
 */

import { IdentityError } from '../../errors.ts';
import type { Approval } from '../../records/approval.ts';
import type { VerdictRecord } from '../../records.ts';
import type { CoreOptions } from '../options.ts';
import type { Context } from './context.ts';

/** Calls the hooks of the application. No method throws. */
export interface Hooks {
  /** Reports a verdict. In the mode `strict`, the verdict has been stored before. */
  report(record: VerdictRecord, latencyUs: number): void;
  tellAsked(approval: Approval): void;
  /** Reports an error, except the error of a malformed intent. */
  fail(error: unknown): void;
  /** Reports that a rule of the application failed, at most once per minute for each rule. */
  failRule(rule: string, cause: unknown): void;
}

/** The time after a logged failure of a hook in which further failures are not logged. */
const QUIET_MS = 60_000;
const MAX_CAUSE = 200;

export function createHooks(
  { log, clock, metrics }: Pick<Context, 'log' | 'clock' | 'metrics'>,
  { onVerdict, onApproval, onError }: Pick<CoreOptions, 'onVerdict' | 'onApproval' | 'onError'>,
): Hooks {
  let quietUntil = Number.NEGATIVE_INFINITY;
  const quietRules = new Map<string, number>();

  function guard(name: string, call: () => unknown): void {
    try {
      const answer = call();
      // An unhandled rejection would end the process.
      if (answer instanceof Promise) answer.catch((error: unknown) => complain(name, error));
    } catch (error) {
      complain(name, error);
    }
  }

  function complain(name: string, error: unknown): void {
    const present = clock.now();
    if (present < quietUntil) return;
    quietUntil = present + QUIET_MS;
    const message = `${name} threw ${error instanceof Error ? error.name : 'something'}.`;
    log({ level: 'error', event: 'hook_failed', message });
  }

  return {
    report(record, latencyUs) {
      if (metrics !== undefined) {
        try {
          metrics.given.onVerdict(record, { latencyUs });
        } catch (error) {
          metrics.fail(error);
        }
      }
      if (onVerdict === undefined) return;
      // A copy, because the caller gets the record.
      const copy = { ...record, reasons: record.reasons.map((reason) => ({ ...reason })) };
      guard('onVerdict', () => onVerdict(copy, { latencyUs }));
    },
    tellAsked(approval) {
      if (onApproval === undefined) return;
      guard('onApproval', () => onApproval(structuredClone(approval)));
    },
    failRule(rule, cause) {
      const present = clock.now();
      if (present < (quietRules.get(rule) ?? Number.NEGATIVE_INFINITY)) return;
      quietRules.set(rule, present + QUIET_MS);
      const [name, text] = cause instanceof Error ? [cause.name, cause.message] : ['a value', String(cause)];
      const message = `The rule ${rule} failed with ${name}: ${text.slice(0, MAX_CAUSE)}`;
      log({ level: 'error', event: 'rule_failed', message });
      if (onError === undefined) return;
      guard('onError', () => onError(new IdentityError('internal', `The rule ${rule} failed.`, { cause })));
    },
    fail(error) {
      if (onError === undefined && metrics === undefined) return;
      if (error instanceof IdentityError && error.code === 'invalid_request') return;
      metrics?.onError(error);
      if (onError === undefined) return;
      guard('onError', () => onError(error));
    },
  };
}
