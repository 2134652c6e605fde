/** The limits of approvals. */
import type { ApprovalRequirement } from '../../records.ts';

/** The seconds in which an approval can be given and used: the least, the most, and the default. */
export const APPROVAL_SECONDS = { least: 60, most: 604_800, default: 3_600 } as const;

/** Says whether the value is a number of seconds that an approval may last. */
export function isApprovalSeconds(value: unknown): value is number {
  return (
    Number.isInteger(value) &&
    Number(value) >= APPROVAL_SECONDS.least &&
    Number(value) <= APPROVAL_SECONDS.most
  );
}

/** The fields of the approval rule of a passport. */
export const APPROVAL_FIELDS: readonly string[] = Object.keys({
  above: true,
  actions: true,
  seconds: true,
} satisfies Record<keyof ApprovalRequirement, true>);
