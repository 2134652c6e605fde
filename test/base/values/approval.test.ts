import { expect, test } from 'vitest';
import {
  APPROVAL_BY,
  APPROVAL_COUNT,
  APPROVAL_FIELDS,
  APPROVAL_SECONDS,
  isApprovalBy,
  isApprovalCount,
  isApprovalSeconds,
  strictestBy,
} from '../../../src/base/values/approval.ts';

test('an approval lasts a minute to a week, an hour where the passport does not say it', () => {
  expect(APPROVAL_SECONDS).toEqual({ least: 60, most: 604_800, default: 3_600 });
  for (const seconds of [60, 61, 3_600, 604_799, 604_800]) expect(isApprovalSeconds(seconds)).toBe(true);
  for (const seconds of [59, 604_801, 0, -60, 60.5, '60', null, undefined, Number.NaN, [60]])
    expect(isApprovalSeconds(seconds)).toBe(false);
});

test('an approval has these fields', () => {
  expect(APPROVAL_FIELDS).toEqual(['above', 'actions', 'seconds', 'count', 'by', 'changes']);
});

test('an approval needs one to three persons, one where the passport does not say it', () => {
  expect(APPROVAL_COUNT).toEqual({ least: 1, most: 3, default: 1 });
  for (const count of [1, 2, 3]) expect(isApprovalCount(count)).toBe(true);
  for (const count of [0, 4, -1, 1.5, '2', null, undefined, Number.NaN, [2]])
    expect(isApprovalCount(count)).toBe(false);
});

test('the approvals of anyone count, or those of another person; the strictest choice holds', () => {
  expect(APPROVAL_BY).toEqual(['anyone', 'another']);
  for (const by of ['anyone', 'another']) expect(isApprovalBy(by)).toBe(true);
  for (const by of ['', 'Anyone', 'owner', null, undefined, ['anyone']]) expect(isApprovalBy(by)).toBe(false);
  expect(strictestBy([])).toBeUndefined();
  expect(strictestBy([undefined])).toBeUndefined();
  expect(strictestBy([undefined, 'anyone'])).toBe('anyone');
  expect(strictestBy(['another', 'anyone', undefined])).toBe('another');
});
