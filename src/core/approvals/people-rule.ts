/** The people of an approval: one pure rule, which is asked when a person decides and again when the approval is used. */

import { APPROVAL_COUNT, strictestBy } from '../../base/values/approval.ts';
import type { ApprovalKind, GivenApproval } from '../../records/approval.ts';
import type { ApprovalBy } from '../../records.ts';
import { isSamePerson } from '../shared/people.ts';

/** The people that an approval needs. */
export interface PeopleRule {
  readonly needed: number;
  readonly by: ApprovalBy;
}

/** A person whose approval does not count, and the cause. */
export interface Barred {
  readonly person: string;
  readonly because: 'requested' | 'widened' | 'changed';
}

/** The people who are responsible for the approved intent or change. */
export interface Behind {
  readonly kind: ApprovalKind;
  /** The people who asked for it, or who use it now. */
  readonly askers: readonly (string | null)[];
  /** The people who last widened the passports that ask. */
  readonly wideners: readonly (string | null)[];
  /** The authors of the passport since approvers last approved it; absent for an intent. */
  readonly authors?: readonly string[];
}

/** The facts that decide how many people have approved. */
export interface JudgedPeople {
  readonly rule: PeopleRule;
  readonly decisions: readonly GivenApproval[];
  readonly barred: readonly Barred[];
  /** Says of an author whether it may decide as it is now. */
  readonly mayDecide: (author: string) => boolean;
}

/** The rule of passports that ask for nothing more than one person. */
export const PLAIN_RULE: PeopleRule = { needed: APPROVAL_COUNT.default, by: 'anyone' };

/** Returns the rule that has the stricter demands of both rules. */
export function stricterRule(one: PeopleRule, other: PeopleRule): PeopleRule {
  const needed = Math.max(one.needed, other.needed);
  return { needed, by: strictestBy([one.by, other.by]) ?? 'another' };
}

/** Says whether any one person is enough, as before an approval could need more. */
export function takesAnyone({ needed, by }: PeopleRule, kind: ApprovalKind): boolean {
  return kind === 'intent' && needed === 1 && by === 'anyone';
}

/**
 * Returns the people whose approvals do not count. A person who asks for a change, or applies it, is always one of
 * them. Each author of a change since the last approved one is too, because the approved difference is also theirs.
 */
export function barredBy(
  { by }: PeopleRule,
  { kind, askers, wideners, authors = [] }: Behind,
): readonly Barred[] {
  const isAnother = by === 'another';
  return [
    ...named(isAnother || kind === 'change' ? askers : [], 'requested'),
    ...named(isAnother ? wideners : [], 'widened'),
    ...named(kind === 'change' ? authors : [], 'changed'),
  ];
}

function named(people: readonly (string | null)[], because: Barred['because']): readonly Barred[] {
  return people.flatMap((person) => (person === null ? [] : [{ person, because }]));
}

/** Returns the cause that bars a person; `undefined` if the approval of the person counts. */
export function barOf(barred: readonly Barred[], author: string): Barred | undefined {
  return barred.find(({ person }) => isSamePerson(author, person));
}

export function countPersons({ decisions, barred, mayDecide }: Omit<JudgedPeople, 'rule'>): number {
  const counted: string[] = [];
  for (const { by } of decisions) {
    const isCounted = counted.some((author) => isSamePerson(author, by));
    if (!isCounted && barOf(barred, by) === undefined && mayDecide(by)) counted.push(by);
  }
  return counted.length;
}

export function haveApproved({ rule, ...people }: JudgedPeople): boolean {
  return countPersons(people) >= rule.needed;
}
