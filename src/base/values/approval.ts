import type { ApprovalBy, ApprovalRequirement } from '../../records.ts';

export const APPROVAL_SECONDS = { least: 60, most: 604_800, default: 3_600 } as const;

export const APPROVAL_COUNT = { least: 1, most: 3, default: 1 } as const;

/**
 * The choices for the people whose approvals count, from the least to the most strict. `another` excludes the
 * person who asked, and the person who made the last change of the passport that lets its agent do more. The
 * first choice is the default.
 */
export const APPROVAL_BY: readonly ApprovalBy[] = ['anyone', 'another'];

export function strictestBy(choices: readonly (ApprovalBy | undefined)[]): ApprovalBy | undefined {
  return APPROVAL_BY.findLast((word) => choices.includes(word));
}

export function isApprovalCount(value: unknown): value is number {
  return (
    Number.isInteger(value) && Number(value) >= APPROVAL_COUNT.least && Number(value) <= APPROVAL_COUNT.most
  );
}

export function isApprovalBy(value: unknown): value is ApprovalBy {
  return APPROVAL_BY.some((word) => word === value);
}

export function isApprovalSeconds(value: unknown): value is number {
  return (
    Number.isInteger(value) &&
    Number(value) >= APPROVAL_SECONDS.least &&
    Number(value) <= APPROVAL_SECONDS.most
  );
}

export const APPROVAL_FIELDS: readonly string[] = Object.keys({
  above: true,
  actions: true,
  seconds: true,
  count: true,
  by: true,
  changes: true,
} satisfies Record<keyof ApprovalRequirement, true>);
