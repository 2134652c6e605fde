/** The second person that a change of a passport needs, where the passport says so and the change lets more happen. */
import { mustBe } from '../../base/values/expected.ts';
import { invalidRequest } from '../../errors.ts';
import type { PassportRecord } from '../../ports/stored-records.ts';
import type { Comparison } from '../../records/comparison.ts';
import type { PassportPatch } from '../../records.ts';
import type { ApprovedUse, ChangeApprovals } from '../approvals/change-approvals.ts';
import type { Actor } from '../shared/callers.ts';
import { authorOf, type Context } from '../shared/context.ts';
import { letsMoreHappen } from './widening.ts';

/** A change of a passport, and the approval that it names. */
export interface ComparedChange {
  readonly before: PassportRecord;
  readonly after: PassportRecord;
  readonly patch: PassportPatch;
  readonly comparison: Comparison;
  readonly actor: Actor;
  readonly approvalId: string | undefined;
}

/**
 * Returns the use of the approval that lets a change pass; `undefined` for one that needs none. The operator of the
 * storage needs none. Throws `second_person_required` for one that is not approved: it has been asked for then.
 */
export async function secondPerson(
  context: Context,
  approvals: ChangeApprovals,
  { before, after, patch, comparison, actor, approvalId }: ComparedChange,
): Promise<ApprovedUse | undefined> {
  if (before.approval?.changes !== true || actor.operator === true) return undefined;
  if (!letsMoreHappen(before, after, comparison.result)) return undefined;
  const change = { before, patch, comparison, author: authorOf(context, actor) };
  if (approvalId === undefined) throw await approvals.request(change);
  return approvals.use(change, approvalId);
}

/** Throws `invalid_request` for an id of an approval that is not a text. */
export function assertApprovalId(approvalId: unknown): void {
  if (approvalId === undefined || typeof approvalId === 'string') return;
  throw invalidRequest([{ path: '/approvalId', code: 'wrong_type', message: mustBe('/approval_id') }]);
}
