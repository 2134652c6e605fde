import type { Change } from '../../ports/storage.ts';
import type { Intent, Reason, VerdictRecord } from '../../records.ts';
import type { PreparedPassport } from '../../verdict/index.ts';
import type { KnownPassport } from '../storage/caches.ts';

/** A step that adds to a counter up to its `max`. */
export type Addition = Extract<Change, { op: 'add' }> & { readonly max: number };

/** One thing that an ALLOW takes besides budgets. */
export interface Taking {
  /** The step of the write. */
  readonly change: Addition;
  /** Why the verdict is DENY where this step fails. */
  readonly refusal: readonly Reason[];
}

/** The part of an approval in the write. */
export interface ApprovalPart {
  /** Why the verdict is DENY, once all else fits: then it is only asked whether it fits. `undefined`: nothing is in the way. */
  readonly refusal: readonly Reason[] | undefined;
  /** Steps of the write. */
  readonly changes: readonly Change[];
}

/** An intent that is allowed as far as its passport alone decides. */
export interface SpendRequest {
  /** The verdict without the budgets. */
  readonly record: VerdictRecord;
  readonly intent: Intent;
  readonly found: Pick<KnownPassport, 'account_id' | 'prepared'>;
  /** The passports above it, nearest first; absent: none. */
  readonly ancestors?: readonly PreparedPassport[] | undefined;
  /** What is taken besides budgets; the first that fails answers alone. A dry run does not look at them. */
  readonly takings?: readonly Taking[];
  /** The part of an approval in the verdict. */
  readonly approval?: ApprovalPart;
  /** What remembers the verdict, in the same write, if anything is taken. */
  readonly remember?: Change | undefined;
}
