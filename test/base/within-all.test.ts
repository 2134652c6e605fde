import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { actionsWithin, isActionEntry } from '../../src/base/values/action.ts';
import { isTargetEntry, matchesTarget, targetSet, targetsWithin } from '../../src/base/values/target.ts';
import { cases } from '../support/runs.ts';

/** Pair by pair, as the words of the contract have it. */
function coversAction(entry: string, other: string): boolean {
  if (entry === other || entry === '*') return true;
  const beginning = entry.slice(0, -1);
  return entry.endsWith('*') && other.startsWith(beginning) && other !== beginning;
}

function coversTarget(entry: string, other: string): boolean {
  if (entry === other) return true;
  if (!entry.startsWith('did:web:*')) return false;
  return other.startsWith('did:web:*')
    ? other.endsWith(entry.slice('did:web:*'.length))
    : matchesTarget(targetSet([entry]), other);
}

const part = fc.constantFrom('a', 'b', 'aa', 'A', '-', 'xn--bcher-kva', 'a_b');
const path = fc
  .array(fc.tuple(part, fc.constantFrom('.', ':')), { maxLength: 4 })
  .map((parts) => parts.flat().join(''));
const actions = fc
  .tuple(path, fc.constantFrom('*', 'a', 'b', ''))
  .map((parts) => parts.join(''))
  .filter(isActionEntry);
const host = fc.array(part, { maxLength: 3 }).map((labels) => [...labels, 'example', 'com'].join('.'));
const targets = fc
  .tuple(fc.constantFrom('did:web:', 'did:web:*.', 'did:key:'), host, fc.constantFrom('', ':x', '%3A80'))
  .map((parts) => parts.join(''))
  .filter(isTargetEntry);

const listsOf = (entry: fc.Arbitrary<string>) =>
  fc.array(fc.array(entry, { maxLength: 8 }), { minLength: 1, maxLength: 5 });

test.each([
  ['actions', actions, actionsWithin, coversAction],
  ['targets', targets, targetsWithin, coversTarget],
] as const)(
  'an entry is within lists of %s exactly when each has an entry that covers it',
  (_, entry, within, covers) => {
    const seen = { true: 0, false: 0 };
    fc.assert(
      fc.property(listsOf(entry), entry, (lists, other) => {
        const isWithin = within(lists);
        for (const one of [other, ...lists.flat()]) {
          const expected = lists.every((list) => list.some((wider) => covers(wider, one)));
          expect(isWithin(one)).toBe(expected);
          seen[`${expected}`] += 1;
        }
      }),
      { numRuns: cases() },
    );
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(10);
  },
);
