/** The limits of approvals. */
import type { ApprovalRequirement } from '../records.ts';

/** How long an approval may be given and used, in seconds: at least, at most, and where a passport does not say it. */
export const APPROVAL_SECONDS = { least: 60, most: 604_800, default: 3_600 } as const;

/** Whether the value is a number of seconds that an approval may last. */
export function isApprovalSeconds(value: unknown): value is number {
  return (
    Number.isInteger(value) &&
    Number(value) >= APPROVAL_SECONDS.least &&
    Number(value) <= APPROVAL_SECONDS.most
  );
}

/** The fields of what a passport says of approvals. */
export const APPROVAL_FIELDS: readonly string[] = Object.keys({
  above: true,
  actions: true,
  seconds: true,
} satisfies Record<keyof ApprovalRequirement, true>);
