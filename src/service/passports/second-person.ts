/** The second person that a change of a passport needs, where the passport says so and the change lets more happen. */
import { mustBe } from '../../base/values/expected.ts';
import { invalidRequest } from '../../errors.ts';
import type { PassportPatch } from '../../records.ts';
import type { ApprovedUse, ChangeApprovals } from '../approvals/change-approvals.ts';
import type { Actor } from '../shared/callers.ts';
import { authorOf, type Context } from '../shared/context.ts';
import type { ComparedChange } from './compared-change.ts';
import { differenceBetween } from './reviewed.ts';

/** A compared change of a passport, and the approval that it names. */
export interface AskedChange {
  readonly compared: ComparedChange;
  readonly patch: PassportPatch;
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
  { compared, patch, actor, approvalId }: AskedChange,
): Promise<ApprovedUse | undefined> {
  const { before, after, since, whole: comparison, isWider } = compared;
  if (before.approval?.changes !== true || actor.operator === true || !isWider) return undefined;
  const difference = differenceBetween(since, after);
  const author = authorOf(context, actor);
  const change = { before, patch, since: since.version, difference, comparison, author };
  if (approvalId === undefined) throw await approvals.request(change);
  return approvals.use(change, approvalId);
}

/** Throws `invalid_request` for an id of an approval that is not a text. */
export function assertApprovalId(approvalId: unknown): void {
  if (approvalId === undefined || typeof approvalId === 'string') return;
  throw invalidRequest([{ path: '/approvalId', code: 'wrong_type', message: mustBe('/approval_id') }]);
}
