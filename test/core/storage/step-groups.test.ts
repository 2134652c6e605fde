import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { answered, groupSteps } from '../../../src/core/storage/step-groups.ts';
import type { Change, FailedStep, WriteFailure, WriteResult } from '../../../src/ports/index.ts';
import '../../support/seed.ts';

const AT = '2026-01-01T00:00:00.000Z';

function add(counter: string): Change {
  return { op: 'add', counter, by: 1, at: AT };
}

function end(id: string): Change {
  return { op: 'remove', collection: 'keys', id, version: 1 };
}

function refusedAt(steps: readonly number[], found: readonly number[] = []): WriteResult {
  const failed = steps.map((step): FailedStep => ({ step, failure: 'limit' }));
  return { written: false, ...(failed[0] ?? { step: -1, failure: 'limit' }), failed, found };
}

const WRITE = groupSteps<'spend' | 'record' | 'none' | 'key'>(
  ['spend', [add('used'), add('held')]],
  ['record', [end('r')]],
  ['none', []],
  ['key', [end('k'), add('k')]],
);

test('the steps of a write stand in the order of their groups', () => {
  expect(WRITE.changes).toEqual([add('used'), add('held'), end('r'), end('k'), add('k')]);
});

test('a group that has a failed step has failed, and no other', () => {
  expect([...WRITE.failed(answered(refusedAt([1, 4])))]).toEqual(['spend', 'key']);
  expect([...WRITE.failed(answered(refusedAt([2])))]).toEqual(['record']);
});

test('a step that the write does not have fails no group', () => {
  expect(WRITE.failed(answered(refusedAt([-1, 5]))).size).toBe(0);
});

test('a group has its own values and its own failed steps, and the reason of the whole write', () => {
  const answer = WRITE.of('key', answered(refusedAt([1, 3], [7, 8, 9])));
  expect(answer).toEqual({
    written: false,
    failure: 'limit',
    failed: [{ step: 0, failure: 'limit' }],
    values: [9],
  });
});

test('a write that was stored has no failed group, and each group has its sums', () => {
  const answer = answered({ written: true, sums: [1, 2, 3] });
  expect(WRITE.failed(answer).size).toBe(0);
  expect(WRITE.of('spend', answer)).toEqual({
    written: true,
    failure: undefined,
    failed: [],
    values: [1, 2],
  });
});

test('a write that was stored and answers no sums has no values', () => {
  const answer = answered({ written: true } as unknown as WriteResult);
  expect(WRITE.of('spend', answer).values).toEqual([]);
});

/** Random steps under random names; some steps add, some fail. */
const steps = fc.array(
  fc.record({
    name: fc.constantFrom('spend', 'proof', 'approval', 'key'),
    isAddition: fc.boolean(),
    failure: fc.option(fc.constantFrom<WriteFailure>('exists', 'claimed', 'stale', 'limit')),
  }),
  { maxLength: 12 },
);

test('for any groups, nested or not, and any failed steps the names say what the positions say', () => {
  fc.assert(
    fc.property(steps, fc.nat(12), (made, cut) => {
      const labelled = made.map((one, step) => {
        const change = one.isAddition ? add(`c${step}`) : end(`r${step}`);
        return { ...one, step, change };
      });
      const additions = labelled.filter(({ isAddition }) => isAddition);
      const failed = labelled.flatMap(({ step, failure }) => (failure === null ? [] : [{ step, failure }]));
      const values = additions.map(({ step }) => 1_000 + step);
      const [first] = failed;
      const result: WriteResult =
        first === undefined
          ? { written: true, sums: values }
          : { written: false, ...first, failed, found: values };

      // All steps in one write, and again behind others, as the part of a larger write.
      const part = groupSteps(...labelled.map(({ name, change }) => [name, [change]] as const));
      const whole = groupSteps<'before' | 'part' | 'after'>(
        ['before', part.changes.slice(0, cut)],
        ['part', part.changes.slice(cut)],
        ['after', []],
      );
      const rest = labelled.slice(cut);
      const inner = groupSteps(...rest.map(({ name, change }) => [name, [change]] as const));

      for (const [groups, answer, own] of [
        [part, answered(result), labelled],
        [inner, whole.of('part', answered(result)), rest],
      ] as const) {
        const lost = own.filter(({ failure }) => failure !== null);
        expect([...groups.failed(answer)]).toEqual([...new Set(lost.map(({ name }) => name))]);
        for (const name of new Set(own.map((one) => one.name))) {
          const mine = own.filter((one) => one.name === name);
          expect(groups.of(name, answer)).toEqual({
            written: first === undefined,
            failure: first?.failure,
            failed: mine.flatMap(({ failure }, step) => (failure === null ? [] : [{ step, failure }])),
            values: mine.filter((one) => one.isAddition).map(({ step }) => 1_000 + step),
          });
        }
      }
    }),
  );
});
