import { expect, test } from 'vitest';
import { APPROVAL_FIELDS, APPROVAL_SECONDS, isApprovalSeconds } from '../../../src/base/values/approval.ts';

test('an approval lasts a minute to a week, an hour where the passport does not say it', () => {
  expect(APPROVAL_SECONDS).toEqual({ least: 60, most: 604_800, default: 3_600 });
  for (const seconds of [60, 61, 3_600, 604_799, 604_800]) expect(isApprovalSeconds(seconds)).toBe(true);
  for (const seconds of [59, 604_801, 0, -60, 60.5, '60', null, undefined, Number.NaN, [60]])
    expect(isApprovalSeconds(seconds)).toBe(false);
});

test('an approval has these fields', () => {
  expect(APPROVAL_FIELDS).toEqual(['above', 'actions', 'seconds', 'count', 'by', 'changes']);
});
