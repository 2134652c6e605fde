import { expect, test } from 'vitest';
import { arePaces } from '../../../src/base/values/pace.ts';

const FIVE = { name: 'pace', max: 5, seconds: 60 };

test.each<[unknown]>([
  [undefined],
  [{}],
  [[null]],
  [[['a']]],
  [[{ ...FIVE, name: undefined }]],
  [[{ ...FIVE, name: 'A' }]],
  [[{ ...FIVE, max: 0 }]],
  [[{ ...FIVE, max: 10_001 }]],
  [[{ ...FIVE, max: '5' }]],
  [[{ ...FIVE, seconds: 604_801 }]],
  [[{ ...FIVE, actions: [] }]],
  [[{ ...FIVE, actions: ['no action'] }]],
  [[{ ...FIVE, actions: 'pay' }]],
  [[{ ...FIVE, burst: 1 }]],
  [[FIVE, FIVE]],
  [['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...FIVE, name }))],
])('%j is no list of stored paces', (value) => {
  expect(arePaces(value)).toBe(false);
});

test('stored paces are a list of at most four with different names', () => {
  expect(arePaces([])).toBe(true);
  expect(arePaces([FIVE, { ...FIVE, name: 'one', actions: ['a.*'], max: 1 }])).toBe(true);
});
