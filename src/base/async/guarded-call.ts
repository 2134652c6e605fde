/** Runs a function only if the verdict is ALLOW. */
import { IdentityError, invalidRequest, unfit } from '../../errors.ts';
import type { Instant, Intent, Reason, VerdictRecord } from '../../records.ts';
import type { ReportsOn } from './outcome-reports.ts';
import { pauseOf } from './pause.ts';

/** The approval that a person must give before a call may run. */
export interface AskedApproval {
  /** The id `apr_…`. After the approval, the same intent with this `approval_id` is allowed once. */
  readonly id: string;
  /** The instant until which the approval can be decided and used. */
  readonly expires_at: Instant;
  /** The page where a person decides, if the guard has the option `approvals.url`. */
  readonly url?: string;
}

/** Returns the approval that these reasons ask for; `undefined` if they ask for none. */
export function askedApproval(reasons: readonly Reason[]): AskedApproval | undefined {
  const reason = reasons.find(({ code }) => code === 'approval_required');
  const { approval_id: id, expires_at }: Partial<Reason> = reason ?? {};
  return typeof id === 'string' && typeof expires_at === 'string' ? { id, expires_at } : undefined;
}

/**
 * Returns a sentence to append to a message, with a space before it. The sentence says how to continue a `call` or
 * `intent` that waits for an approval. Returns `''` if nothing waits.
 */
export function howToGoOn(reasons: readonly Reason[], kind: 'call' | 'intent'): string {
  const approval = askedApproval(reasons);
  return approval === undefined
    ? ''
    : ` Once a person has approved ${approval.id}, the same ${kind} with this approval_id is allowed once.`;
}

/**
 * Creates the error for a call that was stopped; `message` says why. `details.approval` is the approval that a person
 * must give.
 */
export function toolDenied(
  message: string,
  record: VerdictRecord | null,
  reasons: readonly Reason[],
  approval: AskedApproval | undefined = askedApproval(reasons),
): IdentityError {
  const details = { record, reasons, ...(approval && { approval }) };
  return new IdentityError('tool_denied', message, { details });
}

/**
 * The reasons if there is no verdict, or the verdict is no longer valid. The list is frozen because all callers share
 * it.
 */
export const UNAVAILABLE: readonly Reason[] = Object.freeze([
  Object.freeze({ code: 'verdict_unavailable', message: 'There is no verdict.' }),
]);

/** Says whether an ALLOW has spent or held an amount. */
export function hasSpent(hold_seconds: number | undefined, { budgets }: VerdictRecord): boolean {
  return hold_seconds !== undefined || (Array.isArray(budgets) && budgets.length > 0);
}

/** Says whether the amounts are still spent or held, according to the status of their spend. */
export function isStillThere({ status }: { readonly status: string }): boolean {
  return status === 'held' || status === 'committed';
}

/** The functions that a guarded call needs. */
export interface GuardVerdicts {
  readonly verify: (intent: Intent) => Promise<VerdictRecord>;
  /**
   * Says whether the spend of a verdict (the amount that it took from budgets) still exists, because a spend can be
   * refunded. The function is absent for a call without an idempotency key, whose verdict is always new.
   */
  readonly isThere?: ((decisionId: string) => Promise<boolean>) | undefined;
  readonly reportsOn: ReportsOn;
}

/**
 * Runs `callback` if `verify` allows the intent, reports its outcome, and returns its result. Passes on the errors of
 * `verify`.
 *
 * @throws {IdentityError} `tool_denied` if the verdict is DENY, or if the spend of a repeated ALLOW was refunded.
 * @throws {IdentityError} `invalid_request` for a dry run.
 * @throws {IdentityError} `invalid_configuration` if `callback` is not a function. `verify` is not called then.
 */
export async function guardedCall<T>(
  { verify, isThere, reportsOn }: GuardVerdicts,
  intent: Intent,
  callback: (record: VerdictRecord) => T | Promise<T>,
): Promise<T> {
  assertFunction('guard(intent, callback)', callback);
  // Checked before the question is counted, and again in the answer: an intent with getters can change in between.
  const { dry_run, hold_seconds }: Partial<Intent> = Object(intent);
  if (dry_run === true) throw dryRun();
  const record = await verify(intent);
  if (record.dry_run !== false) throw dryRun();
  const { verdict, reasons } = record;
  if (verdict !== 'ALLOW' || reasons.length > 0) {
    const why = reasons.map(({ message }) => message).join(' ');
    throw toolDenied(why + howToGoOn(reasons, 'intent'), record, reasons);
  }
  // An ALLOW that is repeated under a key does not show whether its spend has changed since.
  if (isThere !== undefined && hasSpent(hold_seconds, record) && !(await isThere(record.decision_id))) {
    throw toolDenied('The spend under this key was refunded. Use another key.', null, UNAVAILABLE);
  }
  const report = reportsOn(record);
  let result: T;
  try {
    result = await callback(record);
  } catch (error) {
    // A framework that has stopped the function will call it again: there is no outcome yet.
    if (pauseOf(error) === undefined) await report('failed');
    throw error;
  }
  await report('succeeded');
  return result;
}

/** Throws `invalid_configuration` unless `callback` is a function. Run it before a verdict takes from a budget. */
export function assertFunction(call: string, callback: unknown): void {
  if (typeof callback === 'function') return;
  throw unfit(`${call} needs a function as its second argument.`);
}

function dryRun(): IdentityError {
  const message = 'A guard needs a verdict that is not a dry run.';
  return invalidRequest([{ path: '/dry_run', code: 'not_allowed', message }]);
}
