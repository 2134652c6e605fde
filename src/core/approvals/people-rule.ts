/**
 * Decides whether enough of the right people have approved. The rule runs when a person decides, and again when the
 * approval is used.
 */

import { APPROVAL_COUNT, strictestBy } from '../../base/values/approval.ts';
import type { ApprovalKind, GivenApproval } from '../../records/approval.ts';
import type { ApprovalBy } from '../../records.ts';
import { isSamePerson } from '../shared/people.ts';

export interface PeopleRule {
  readonly needed: number;
  readonly by: ApprovalBy;
}

export interface Barred {
  readonly person: string;
  readonly because: 'requested' | 'widened' | 'changed';
}

/** The people who are responsible for the approved intent or change. */
export interface Behind {
  readonly kind: ApprovalKind;
  readonly askers: readonly (string | null)[];
  /** The people who last made a change that let an agent do more, in each passport that requires the approval. */
  readonly wideners: readonly (string | null)[];
  /** The authors of the passport changes since the last approval; absent for an intent. */
  readonly authors?: readonly string[];
}

export interface EvaluatedPeople {
  readonly rule: PeopleRule;
  readonly decisions: readonly GivenApproval[];
  readonly barred: readonly Barred[];
  readonly mayDecide: (author: string) => boolean;
}

export const PLAIN_RULE: PeopleRule = { needed: APPROVAL_COUNT.default, by: 'anyone' };

export function stricterRule(rule: PeopleRule, otherRule: PeopleRule): PeopleRule {
  const neededCount = Math.max(rule.needed, otherRule.needed);
  return { needed: neededCount, by: strictestBy([rule.by, otherRule.by]) ?? 'another' };
}

export function takesAnyone({ needed, by }: PeopleRule, kind: ApprovalKind): boolean {
  return kind === 'intent' && needed === 1 && by === 'anyone';
}

/**
 * Returns the people whose approvals do not count. A person who asks for a change, or applies it, never counts. The
 * author of any change since the last approved version does not count either, because the approval covers all these
 * changes.
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

export function barOf(bars: readonly Barred[], author: string): Barred | undefined {
  return bars.find(({ person }) => isSamePerson(author, person));
}

export function countPersons({ decisions, barred, mayDecide }: Omit<EvaluatedPeople, 'rule'>): number {
  const countedIds: string[] = [];
  for (const { by } of decisions) {
    const isCounted = countedIds.some((author) => isSamePerson(author, by));
    if (!isCounted && barOf(barred, by) === undefined && mayDecide(by)) countedIds.push(by);
  }
  return countedIds.length;
}

export function haveApproved({ rule, ...people }: EvaluatedPeople): boolean {
  return countPersons(people) >= rule.needed;
}
