import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRecordCache, FRESH_MS } from '../../../src/core/storage/record-cache.ts';
import { cases } from '../../support/runs.ts';
import { openCache, type Row, settled } from './rows-cache.ts';

test('a record is read once and then answered from memory, for less than 800 ms', async () => {
  const { put, ask, reads, pass, cache } = openCache();
  put('a', 1);
  expect(await ask()).toBe(1);
  expect(cache.peek('a', 0)?.value).toEqual({ id: 'a', version: 1 });
  pass(FRESH_MS - 1);
  expect(cache.peek('a', FRESH_MS - 1)?.value?.version).toBe(1);
  await settled();
  expect(reads).toEqual(['a', 'a']);
});

test('an answer is as old as the start of its read, however long that took', async () => {
  const { cache, put, pass, letGo } = openCache({ held: true });
  put('a', 1);
  const answer = cache.load('a', 0);
  pass(FRESH_MS);
  letGo();
  expect((await answer).value?.version).toBe(1);
  expect(cache.peek('a', FRESH_MS)).toBeUndefined();
});

test('64 questions about one record are one read, also about one that does not exist', async () => {
  const { ask, put, reads, letGo } = openCache({ held: true });
  put('a', 1);
  const answers = Array.from({ length: 64 }, () => Promise.all([ask('a'), ask('none')]));
  expect(reads).toEqual(['a', 'none']);
  letGo();
  expect(await Promise.all(answers)).toEqual(Array(64).fill([1, undefined]));
});

test('no caller joins a read that began 800 ms ago', async () => {
  const { cache, put, pass, letGo, reads } = openCache({ held: true });
  put('a', 1);
  const early = cache.load('a', 0);
  pass(FRESH_MS);
  put('a', 2);
  const late = cache.load('a', FRESH_MS);
  letGo();
  expect([(await early).value?.version, (await late).value?.version]).toEqual([1, 2]);
  expect(reads).toEqual(['a', 'a']);
});

test('a record that is asked for after 400 ms is read again behind the answer', async () => {
  const { ask, put, pass, reads } = openCache();
  put('a', 1);
  await ask();
  put('a', 2);
  pass(400);
  expect(await ask()).toBe(1);
  await settled();
  expect(await ask()).toBe(2);
  expect(reads).toEqual(['a', 'a']);
});

test('a question that asks for no refresh is answered from memory alone', async () => {
  const { ask, cache, put, pass, reads } = openCache();
  put('a', 1);
  await ask();
  pass(400);
  expect(cache.peek('a', 400, false)?.value?.version).toBe(1);
  await settled();
  expect(reads).toEqual(['a']);
});

test('it is counted how often memory has answered, and how often the storage was asked', async () => {
  const { ask, cache, put, pass } = openCache();
  put('a', 1);
  await Promise.all([ask(), ask()]);
  for (let left = 0; left < 3; left += 1) await ask();
  pass(FRESH_MS);
  await ask();
  expect(cache.counts).toEqual({ hits: 3, misses: 3 });
});

test('a miss is remembered no longer than a record', async () => {
  const { ask, put, pass } = openCache();
  expect(await ask()).toBeUndefined();
  put('a', 1);
  expect(await ask()).toBeUndefined();
  pass(FRESH_MS);
  expect(await ask()).toBe(1);
});

describe('a noted change', () => {
  test('is read by the next question', async () => {
    const { cache, ask, put } = openCache();
    put('a', 1);
    await ask();
    put('a', 2);
    cache.note('a', 2);
    expect(await ask()).toBe(2);
  });

  test('overtakes a read that is on its way', async () => {
    const { cache, put, letGo, ask } = openCache({ held: true });
    put('a', 1);
    const early = cache.load('a', 0);
    put('a', 2);
    cache.note('a', 2);
    const next = ask();
    letGo();
    await settled();
    letGo();
    expect((await early).value?.version).toBe(2);
    expect(await next).toBe(2);
  });

  test('of a version that is known already changes nothing', async () => {
    const { cache, ask, put, reads } = openCache();
    put('a', 2);
    await ask();
    cache.note('a', 2);
    cache.note('a', 1);
    await ask();
    expect(reads).toEqual(['a']);
  });

  test('without a version is read by the next question', async () => {
    const { cache, ask, put, reads } = openCache();
    put('a', 1);
    await ask();
    cache.note('a');
    await ask();
    expect(reads).toEqual(['a', 'a']);
  });
});

test('when all is forgotten, everything is read again, and no read on its way is kept', async () => {
  const { cache, put, pass, letGo, ask, reads } = openCache({ held: true });
  put('a', 1);
  const early = cache.load('a', 0);
  cache.forgetAll();
  pass(1);
  letGo();
  await early;
  expect(cache.peek('a', 1)).toBeUndefined();
  const again = ask();
  letGo();
  await again;
  expect(reads).toEqual(['a', 'a']);
});

test('when all is forgotten in the millisecond of a read, what was read serves no more', async () => {
  const { cache, put, ask, reads } = openCache();
  put('a', 1);
  await ask();
  cache.forgetAll();
  expect(cache.peek('a', 0)).toBeUndefined();
  put('a', 2);
  expect(await ask()).toBe(2);
  expect(reads).toEqual(['a', 'a']);
});

test('with strict every question reads for itself', async () => {
  const { ask, put, reads, cache } = openCache({ isStrict: true });
  put('a', 1);
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  expect(cache.peek('a', 0)).toBeUndefined();
  put('a', 2);
  expect(await ask()).toBe(2);
  expect(reads).toHaveLength(3);
});

test('no more than the given number of records is kept', async () => {
  const { ask, put, reads } = openCache({ maxEntries: 10 });
  for (let index = 0; index < 100; index += 1) put(`${index}`, 1);
  for (let index = 0; index < 100; index += 1) await ask(`${index}`);
  reads.length = 0;
  for (let index = 99; index >= 80; index -= 1) await ask(`${index}`);
  expect(reads).toEqual(Array.from({ length: 10 }, (_, index) => `${89 - index}`));
});

test('a record in use is kept, whatever else passes through the memory', async () => {
  const { put, ask, pass, reads } = openCache({ maxEntries: 5 });
  put('used', 1);
  for (let turn = 0; turn < 20; turn += 1) {
    put(`other.${turn}`, 1);
    await ask('used');
    await ask(`other.${turn}`);
    pass(250);
    await settled();
  }
  // Behind the answer each time after the first, when it is 500 ms old: it was there to be answered from.
  expect(reads.filter((id) => id === 'used')).toHaveLength(10);
});

test('a failed read is forgotten, and fails only those who waited for it', async () => {
  let fails = true;
  const cache = createRecordCache<Row, Row>({
    read: async (id) => {
      if (fails) throw new Error('down');
      return { id, version: 1 };
    },
    keep: (row) => row,
    bytesOf: () => 100,
    maxEntries: 10,
    maxBytes: 10_000,
    monotonic: () => 0,
    isStrict: false,
    deadlineMs: 1_000,
  });
  await expect(cache.load('a', 0)).rejects.toThrow('down');
  fails = false;
  expect((await cache.load('a', 0)).value).toEqual({ id: 'a', version: 1 });
});

test('whatever happens in whatever order, no question is answered with what was replaced 800 ms before it', async () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ pass: fc.integer({ min: 1, max: 900 }) }),
      fc.constantFrom(
        { ask: true },
        { letGo: true },
        { change: 'told' },
        { change: 'untold' },
        { change: 'all' },
      ),
    ),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const { cache, put, pass, letGo } = openCache({ held: true });
      const history: [at: number, version: number][] = [[0, 1]];
      const answers: Promise<void>[] = [];
      let at = 0;
      let version = 1;
      put('a', 1);
      for (const step of list) {
        if ('pass' in step) {
          at += step.pass;
          pass(step.pass);
        } else if ('letGo' in step) {
          letGo();
          await settled();
        } else if ('change' in step) {
          version += 1;
          put('a', version);
          history.push([at, version]);
          if (step.change === 'told') cache.note('a', version);
          if (step.change === 'all') cache.forgetAll();
        } else {
          const askedAt = at;
          const known = cache.peek('a', at);
          answers.push(
            (known === undefined ? cache.load('a', at) : Promise.resolve(known)).then(({ value }) => {
              const oldest =
                history.filter(([changedAt]) => changedAt <= askedAt - FRESH_MS).at(-1)?.[1] ?? 1;
              expect(value?.version).toBeGreaterThanOrEqual(oldest);
            }),
          );
        }
      }
      for (let left = 0; left < 4; left += 1) {
        letGo();
        await settled();
      }
      await Promise.all(answers);
    }),
    { numRuns: cases(500) },
  );
});
