import type { Approval } from '../../../../src/types.ts';

export function subjectOf({ intent, change }: Approval): string {
  return intent?.action ?? `Change of version ${change?.version}`;
}

export function peopleOf({ needed, decisions }: Approval): string {
  return needed > 1 ? `${decisions.length} of ${needed}` : '';
}
