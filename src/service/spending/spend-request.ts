import type { Change } from '../../ports/storage.ts';
import type { Intent, Reason, VerdictRecord } from '../../records.ts';
import type { PreparedPassport } from '../../verdict/index.ts';
import type { KnownPassport } from '../storage/caches.ts';

/** A step that adds to a counter, up to its `max`. */
export type Addition = Extract<Change, { op: 'add' }> & { readonly max: number };

/** A thing that an ALLOW uses up besides budgets. */
export interface Taking {
  /** The step in the write. */
  readonly change: Addition;
  /** The reasons of the DENY if this step fails. */
  readonly refusal: readonly Reason[];
}

/** The part of an approval in the write. */
export interface ApprovalPart {
  /** The reasons for a DENY if all else fits: the write then only tests that. `undefined` without an objection. */
  readonly refusal: readonly Reason[] | undefined;
  /** The steps in the write. */
  readonly changes: readonly Change[];
}

/** An intent that its passports allow. */
export interface SpendRequest {
  /** The verdict without the budgets. */
  readonly record: VerdictRecord;
  readonly intent: Intent;
  readonly found: Pick<KnownPassport, 'account_id' | 'prepared'>;
  /** The passports of the ancestors, nearest first; absent without a parent. */
  readonly ancestors?: readonly PreparedPassport[] | undefined;
  /** The other steps: the first that fails gives the only reason. A dry run ignores them. */
  readonly takings?: readonly Taking[];
  /** The part of an approval in the verdict. */
  readonly approval?: ApprovalPart;
  /** The end of the permit, in seconds since the Unix epoch; absent without one. */
  readonly permitExp?: number | undefined;
  /** The step that remembers the verdict, in the same write, if anything is spent. */
  readonly remember?: Change | undefined;
}
