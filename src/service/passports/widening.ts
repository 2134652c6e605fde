/** The changes of a passport that count as widening: their author is barred from approving what the passport asks. */
import { APPROVAL_BY, APPROVAL_COUNT } from '../../base/values/approval.ts';
import { PROOF_REQUIREMENTS } from '../../base/values/vocabulary.ts';
import type { ComparisonResult } from '../../records/comparison.ts';
import type { PassportRecord, StoredApprovalRequirement } from './collections.ts';

/**
 * Says whether the author of a change becomes the widener of the passport. A passport from before wideners were kept
 * takes for it the author who first bars people by it.
 */
export function widens(before: PassportRecord, after: PassportRecord, result: ComparisonResult): boolean {
  const isFirst = (before.widened_by ?? null) === null;
  const isBarred = isAnother(after.approval) && !isAnother(before.approval);
  return letsMoreHappen(before, after, result) || (isFirst && isBarred);
}

/**
 * Says whether a change lets more happen: by its comparison, or because it makes weaker who may act or approve, also
 * where the passport allows nothing now.
 */
export function letsMoreHappen(
  before: PassportRecord,
  after: PassportRecord,
  result: ComparisonResult,
): boolean {
  if (result === 'wider' || result === 'crossing') return true;
  return hasNewKey(before, after) || proofOf(after) < proofOf(before) || hasWeakerPeople(before, after);
}

function hasNewKey(before: PassportRecord, after: PassportRecord): boolean {
  const known = new Set((before.public_keys ?? []).map(({ kid }) => kid));
  return (after.public_keys ?? []).some(({ kid }) => !known.has(kid));
}

function proofOf({ proof = 'optional' }: PassportRecord): number {
  return PROOF_REQUIREMENTS.indexOf(proof);
}

function hasWeakerPeople({ approval: before }: PassportRecord, { approval: after }: PassportRecord): boolean {
  return (
    countOf(after) < countOf(before) ||
    (isAnother(before) && !isAnother(after)) ||
    (before?.changes === true && after?.changes !== true)
  );
}

function countOf(approval: StoredApprovalRequirement | undefined): number {
  return approval?.count ?? APPROVAL_COUNT.default;
}

function isAnother(approval: StoredApprovalRequirement | undefined): boolean {
  return approval?.by === APPROVAL_BY[1];
}
