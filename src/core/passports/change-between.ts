import { isSameJson } from '../../base/values/same-json.ts';
import { IdentityError, wrongField } from '../../errors.ts';
import type { Comparison, ComparisonResult, Difference } from '../../records/comparison.ts';
import { compareFields } from '../../verdict/compare/index.ts';
import { defaultRules, type Rule } from '../../verdict/index.ts';
import type { Context } from '../shared/context.ts';
import type { PassportRecord } from './collections.ts';
import { reviewedVersion } from './passport-record.ts';
import { letsMoreHappen } from './passport-store.ts';
import { evaluatedPassport } from './try-passport.ts';

/**
 * Matches the reason codes that come after `rule_failed` in the order of reasons. The comparison inserts
 * `rule_failed` before them.
 */
const LATER = /^(?:budget|approval)_/;

/**
 * Compares two versions of a passport. Rules of the application may read the description, the metadata, the owner and
 * `managed_by`, and the service cannot predict their result. If the application has such rules and one of these fields
 * changes, the result is `crossing`: each version may allow intents that the other version denies.
 */
export function changeBetween(
  recordBefore: PassportRecord,
  recordAfter: PassportRecord,
  rules: readonly Rule[],
): Comparison {
  const change = compareFields(evaluatedPassport(recordBefore), evaluatedPassport(recordAfter));
  const hasOwnRules = rules.some((rule) => !defaultRules.includes(rule));
  const isSame =
    isSameJson(recordBefore.description ?? null, recordAfter.description ?? null) &&
    recordBefore.owner === recordAfter.owner &&
    recordBefore.managed_by === recordAfter.managed_by &&
    isSameJson(recordBefore.metadata ?? {}, recordAfter.metadata ?? {});
  if (!hasOwnRules || isSame) return change;
  const unseen = {
    code: 'rule_failed',
    reasons: [],
    intent: null,
    at: recordAfter.updated_at,
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

export function assertNarrower(...comparisons: readonly Comparison[]): void {
  const change = comparisons.find(({ wider }) => wider.length > 0);
  if (change === undefined) return;
  const codes = change.wider.map(({ code }) => code).join(', ');
  throw new IdentityError('would_widen', `The change would allow intents that are denied now: ${codes}.`, {
    details: { change },
  });
}

/**
 * Throws `invalid_request` if `ifNarrower` is neither absent nor `true`. Otherwise the change would be made
 * without the condition that the caller wanted.
 */
export function assertTrue(condition: unknown): void {
  if (condition === undefined || condition === true) return;
  throw wrongField('/ifNarrower', 'not_allowed', 'This must be true.');
}

interface ChangedVersions {
  readonly before: PassportRecord;
  readonly after: PassportRecord;
}

export interface ComparedChange extends ChangedVersions {
  readonly since: PassportRecord;
  /** The comparison with the version before the change. */
  readonly step: Comparison;
  /** The comparison with the last reviewed version. */
  readonly whole: Comparison;
  /** `true` if the change lets more happen than the previous version, or than the last reviewed version. */
  readonly isWider: boolean;
  /** The result of `step`, made wider if only `whole` is wider. */
  readonly result: ComparisonResult;
}

/**
 * Compares a change with the previous version and with the last reviewed version. Several small changes may together
 * let more happen, although no single change does.
 */
export async function compareChange(
  context: Pick<Context, 'store'>,
  { before, after }: ChangedVersions,
  rules: readonly Rule[],
): Promise<ComparedChange> {
  const reviewedRecord = await reviewedVersion(context, before);
  const recordSince = reviewedRecord ?? before;
  const step = changeBetween(before, after, rules);
  const whole = recordSince === before ? step : changeBetween(recordSince, after, rules);
  // Without the version to compare with, nothing shows that the change is narrow.
  const isWiderInAll = reviewedRecord === undefined || letsMoreHappen(recordSince, after, whole.result);
  const isWider = isWiderInAll || letsMoreHappen(before, after, step.result);
  return {
    before,
    after,
    since: recordSince,
    step,
    whole,
    isWider,
    result: resultOf(step.result, isWiderInAll),
  };
}

function resultOf(result: ComparisonResult, isWider: boolean): ComparisonResult {
  if (!isWider || result === 'wider' || result === 'crossing') return result;
  return result === 'equal' ? 'wider' : 'crossing';
}
