/** Compares two versions of a passport, as the service judges by them. */
import { isSameJson } from '../../base/values/same-json.ts';
import { IdentityError, invalidRequest } from '../../errors.ts';
import type { Comparison, Difference } from '../../records/comparison.ts';
import { compareFields, defaultRules, type Rule } from '../../verdict/index.ts';
import type { PassportRecord } from './collections.ts';
import { judgedPassport } from './try-passport.ts';

/** The codes behind `rule_failed` in the order of reasons. */
const LATER = /^(?:budget|approval)_/;

/**
 * Returns the comparison of two versions. Rules of the host may read the description and the metadata, and no function
 * can read these rules: with such rules a change of either is `crossing`.
 */
export function changeBetween(
  before: PassportRecord,
  after: PassportRecord,
  rules: readonly Rule[],
): Comparison {
  const change = compareFields(judgedPassport(before), judgedPassport(after));
  const hasOwnRules = rules.some((rule) => !defaultRules.includes(rule));
  const isSame =
    isSameJson(before.description ?? null, after.description ?? null) &&
    isSameJson(before.metadata ?? {}, after.metadata ?? {});
  if (!hasOwnRules || isSame) return change;
  const unseen = {
    code: 'rule_failed',
    reasons: [],
    intent: null,
    at: after.updated_at,
    allowed: {},
    denied: {},
  };
  const withUnseen = (differences: readonly Difference[]): readonly Difference[] => [
    ...differences.filter(({ code }) => !LATER.test(code)),
    unseen,
    ...differences.filter(({ code }) => LATER.test(code)),
  ];
  return { result: 'crossing', wider: withUnseen(change.wider), narrower: withUnseen(change.narrower) };
}

/** Throws `would_widen` for the first comparison of a change in which it lets more happen. */
export function assertNarrower(...comparisons: readonly Comparison[]): void {
  const change = comparisons.find(({ wider }) => wider.length > 0);
  if (change === undefined) return;
  const codes = change.wider.map(({ code }) => code).join(', ');
  throw new IdentityError('would_widen', `The change would allow what is denied now: ${codes}.`, {
    details: { change },
  });
}

/** Throws `invalid_request` for a condition that is given and is not `true`: to ignore it would drop it. */
export function assertTrue(condition: unknown): void {
  if (condition === undefined || condition === true) return;
  throw invalidRequest([{ path: '/ifNarrower', code: 'not_allowed', message: 'This must be true.' }]);
}
