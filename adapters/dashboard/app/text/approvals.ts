import type { Approval } from '../../../../src/types.ts';

/** Names the approved thing in a few words: the action of the intent, or the change. */
export function subjectOf({ intent, change }: Approval): string {
  return intent?.action ?? `Change of version ${change?.version}`;
}

/** Returns how many people have approved, such as `1 of 2`; `''` if one person is enough. */
export function peopleOf({ needed, decisions }: Approval): string {
  return needed > 1 ? `${decisions.length} of ${needed}` : '';
}
