/** A deed that runs on ALLOW and on nothing else. */
import { IdentityError, invalidRequest } from '../errors.ts';
import type { Instant, Intent, Reason, VerdictRecord } from '../records.ts';

/** What a person is asked before a deed may run. */
export interface AskedApproval {
  /** `apr_…`: once it is approved, the same intent with this `approval_id` is allowed once. */
  readonly id: string;
  /** Until when it can be decided and used. */
  readonly expires_at: Instant;
}

/** The approval that these reasons ask for; `undefined` where no person was asked. */
export function askedApproval(reasons: readonly Reason[]): AskedApproval | undefined {
  const asked = reasons.find(({ code }) => code === 'approval_required');
  const { approval_id: id, expires_at }: Partial<Reason> = asked ?? {};
  return typeof id === 'string' && typeof expires_at === 'string' ? { id, expires_at } : undefined;
}

/**
 * The sentence, after a space, that says how a `call` or an `intent` goes on that a person is asked about; nothing for any
 * other. The sentence is the same for all but its id.
 */
export function howToGoOn(reasons: readonly Reason[], what: 'call' | 'intent'): string {
  const asked = askedApproval(reasons);
  return asked === undefined
    ? ''
    : ` Once a person has approved ${asked.id}, the same ${what} with this approval_id is allowed once.`;
}

/** The error in the place of a deed that was stopped; `message` says why. `details.approval`: what a person is asked. */
export function toolDenied(
  message: string,
  record: VerdictRecord | null,
  reasons: readonly Reason[],
): IdentityError {
  const approval = askedApproval(reasons);
  const details = { record, reasons, ...(approval && { approval }) };
  return new IdentityError('tool_denied', message, { details });
}

/** The reason where no verdict came, or one that counts no more. It is the same for all, so that none can change it. */
export const UNAVAILABLE: readonly Reason[] = Object.freeze([
  Object.freeze({ code: 'verdict_unavailable', message: 'There is no verdict.' }),
]);

/** Whether an ALLOW, perhaps of a hold, has spent or held something. */
export function hasSpent(hold_seconds: number | undefined, { budgets }: VerdictRecord): boolean {
  return hold_seconds !== undefined || (Array.isArray(budgets) && budgets.length > 0);
}

/** Whether what was taken is still spent or held, by the status of its spend. */
export function isStillThere({ status }: { readonly status: string }): boolean {
  return status === 'held' || status === 'committed';
}

/** How a deed gets its verdict. */
export interface DeedVerdicts {
  readonly verify: (intent: Intent) => Promise<VerdictRecord>;
  /** Whether the spend of this id is still there; absent without an idempotency key: no earlier deed had this verdict. */
  readonly isThere?: ((decisionId: string) => Promise<boolean>) | undefined;
}

/**
 * What `deed` gives back, once `verify` has allowed the intent. Throws `tool_denied` where it does not, or where what the
 * verdict took has gone back since, and `invalid_request` for a question that was asked without acting. What `verify`
 * rejects with is passed on.
 */
export async function guardedDeed<T>(
  { verify, isThere }: DeedVerdicts,
  intent: Intent,
  deed: (record: VerdictRecord) => T | Promise<T>,
): Promise<T> {
  // Asked before it is counted, and again of the answer: what is read twice may have changed between.
  const { dry_run, hold_seconds }: Partial<Intent> = Object(intent);
  if (dry_run === true) throw dryRun();
  const record = await verify(intent);
  if (record.dry_run !== false) throw dryRun();
  const { verdict, reasons } = record;
  if (verdict !== 'ALLOW' || reasons.length > 0) {
    const why = reasons.map(({ message }) => message).join(' ');
    throw toolDenied(why + howToGoOn(reasons, 'intent'), record, reasons);
  }
  // An ALLOW that is repeated under a key says nothing of what has become of its spend since.
  if (isThere !== undefined && hasSpent(hold_seconds, record) && !(await isThere(record.decision_id))) {
    throw toolDenied('What was spent under this key went back: use another key.', null, UNAVAILABLE);
  }
  return deed(record);
}

function dryRun(): IdentityError {
  const message = 'A deed needs a verdict that is not a dry run.';
  return invalidRequest([{ path: '/dry_run', code: 'not_allowed', message }]);
}
