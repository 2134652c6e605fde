/** A change of a passport, compared with the version before it and with the last reviewed one. */

import type { Comparison, ComparisonResult } from '../../records/comparison.ts';
import type { Rule } from '../../verdict/index.ts';
import type { Context } from '../shared/context.ts';
import { changeBetween } from './change-between.ts';
import type { PassportRecord } from './collections.ts';
import { reviewedVersion } from './reviewed.ts';
import { letsMoreHappen } from './widening.ts';

/** The two versions of a change. */
export interface ChangedVersions {
  readonly before: PassportRecord;
  readonly after: PassportRecord;
}

/** A change with its comparisons. */
export interface ComparedChange extends ChangedVersions {
  /** The last reviewed version. */
  readonly since: PassportRecord;
  /** The comparison with the version before the change. */
  readonly step: Comparison;
  /** The comparison with the last reviewed version. */
  readonly whole: Comparison;
  /** `true` for a change that lets more happen than the version before it, or than the last reviewed one. */
  readonly isWider: boolean;
  /** The result of `step`, as wider where only `whole` is. */
  readonly result: ComparisonResult;
}

/** Compares a change. Small changes of which none widens may together. */
export async function compareChange(
  context: Context,
  { before, after }: ChangedVersions,
  rules: readonly Rule[],
): Promise<ComparedChange> {
  const reviewed = await reviewedVersion(context, before);
  const since = reviewed ?? before;
  const step = changeBetween(before, after, rules);
  const whole = since === before ? step : changeBetween(since, after, rules);
  // Without the version to compare with, nothing shows that the change is narrow.
  const isWiderInAll = reviewed === undefined || letsMoreHappen(since, after, whole.result);
  const isWider = isWiderInAll || letsMoreHappen(before, after, step.result);
  return { before, after, since, step, whole, isWider, result: resultOf(step.result, isWiderInAll) };
}

function resultOf(result: ComparisonResult, isWider: boolean): ComparisonResult {
  if (!isWider || result === 'wider' || result === 'crossing') return result;
  return result === 'equal' ? 'wider' : 'crossing';
}
