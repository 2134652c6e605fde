import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRecordCache, FRESH_MS } from '../../../src/service/cache/record-cache.ts';

interface Row {
  readonly id: string;
  readonly version: number;
}

/** A cache over rows that a test changes, with reads that wait until they are let go. */
function open({ isStrict = false, maxEntries = 100, held = false } = {}) {
  const rows = new Map<string, Row>();
  const waiting: (() => void)[] = [];
  const reads: string[] = [];
  let at = 0;
  const cache = createRecordCache<Row, Row>({
    async read(id) {
      reads.push(id);
      // What the storage answers is settled when it is asked, and may arrive much later.
      const row = rows.get(id);
      if (held) await new Promise<void>((resolve) => waiting.push(resolve));
      return row;
    },
    keep: (row, before) => (before?.version === row.version ? before : row),
    bytesOf: () => 100,
    maxEntries,
    maxBytes: 1_000_000,
    monotonic: () => at,
    isStrict,
    deadlineMs: 1_000,
  });
  return {
    cache,
    rows,
    reads,
    put: (id: string, version: number) => rows.set(id, { id, version }),
    pass(ms: number) {
      at += ms;
    },
    ask: async (id = 'a') => (cache.peek(id, at) ?? (await cache.load(id, at))).value?.version,
    letGo() {
      for (const resume of waiting.splice(0)) resume();
    },
  };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a record is read once and then answered from memory, for less than 800 ms', async () => {
  const { put, ask, reads, pass, cache } = open();
  put('a', 1);
  expect(await ask()).toBe(1);
  expect(cache.peek('a', 0)?.value).toEqual({ id: 'a', version: 1 });
  pass(FRESH_MS - 1);
  expect(cache.peek('a', FRESH_MS - 1)?.value?.version).toBe(1);
  await settled();
  expect(reads).toEqual(['a', 'a']);
});

test('an answer is as old as the start of its read, however long that took', async () => {
  const { cache, put, pass, letGo } = open({ held: true });
  put('a', 1);
  const answer = cache.load('a', 0);
  pass(FRESH_MS);
  letGo();
  expect((await answer).value?.version).toBe(1);
  expect(cache.peek('a', FRESH_MS)).toBeUndefined();
});

test('64 questions about one record are one read, also about one that does not exist', async () => {
  const { ask, put, reads, letGo } = open({ held: true });
  put('a', 1);
  const answers = Array.from({ length: 64 }, () => Promise.all([ask('a'), ask('none')]));
  expect(reads).toEqual(['a', 'none']);
  letGo();
  expect(await Promise.all(answers)).toEqual(Array(64).fill([1, undefined]));
});

test('nobody joins a read that began 800 ms ago', async () => {
  const { cache, put, pass, letGo, reads } = open({ held: true });
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
  const { ask, put, pass, reads } = open();
  put('a', 1);
  await ask();
  put('a', 2);
  pass(400);
  expect(await ask()).toBe(1);
  await settled();
  expect(await ask()).toBe(2);
  expect(reads).toEqual(['a', 'a']);
});

test('a miss is remembered no longer than a record', async () => {
  const { ask, put, pass } = open();
  expect(await ask()).toBeUndefined();
  put('a', 1);
  expect(await ask()).toBeUndefined();
  pass(FRESH_MS);
  expect(await ask()).toBe(1);
});

describe('a noted change', () => {
  test('is read by the next question', async () => {
    const { cache, ask, put } = open();
    put('a', 1);
    await ask();
    put('a', 2);
    cache.note('a', 2);
    expect(await ask()).toBe(2);
  });

  test('overtakes a read that is on its way', async () => {
    const { cache, put, letGo, ask } = open({ held: true });
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

  test('is not undone by a storage that answers with the older version, or with none: that is an outage', async () => {
    const { cache, ask, put, rows } = open();
    put('a', 1);
    await ask();
    cache.note('a', 2);
    await expect(ask()).rejects.toMatchObject({ code: 'storage_unavailable' });
    rows.clear();
    await expect(ask()).rejects.toMatchObject({ code: 'storage_unavailable' });
    put('a', 2);
    expect(await ask()).toBe(2);
  });

  test('is not undone either where nothing of the record was in memory, or is any more', async () => {
    const { cache, ask, put, rows } = open({ maxEntries: 3 });
    put('told', 1);
    put('seen', 2);
    put('new', 1);
    cache.note('told', 2);
    await ask('seen');
    await ask('new');
    for (let other = 0; other < 3; other += 1) await ask(`other.${other}`);
    put('seen', 1);
    rows.delete('new');
    for (const id of ['told', 'seen']) {
      await expect(ask(id)).rejects.toMatchObject({ code: 'storage_unavailable' });
      cache.forgetAll();
      put(id, 2);
      expect(await ask(id)).toBe(2);
    }
    // What is not there allows nothing.
    expect(await ask('new')).toBeUndefined();
  });

  test('is remembered for as many records as fit, the latest told', async () => {
    const { cache, ask, put } = open();
    for (let index = 0; index <= 100_000; index += 1) cache.note(`${index}`, 2);
    for (const id of ['0', '1', '100000']) put(id, 1);
    expect(await ask('0')).toBe(1);
    for (const id of ['1', '100000']) {
      await expect(ask(id)).rejects.toMatchObject({ code: 'storage_unavailable' });
    }
  });

  test('of a version that is known already changes nothing', async () => {
    const { cache, ask, put, reads } = open();
    put('a', 2);
    await ask();
    cache.note('a', 2);
    cache.note('a', 1);
    await ask();
    expect(reads).toEqual(['a']);
  });

  test('without a version is read by the next question', async () => {
    const { cache, ask, put, reads } = open();
    put('a', 1);
    await ask();
    cache.note('a');
    await ask();
    expect(reads).toEqual(['a', 'a']);
  });
});

test('when all is forgotten, everything is read again, and no read on its way is kept', async () => {
  const { cache, put, pass, letGo, ask, reads } = open({ held: true });
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

test('with strict every question reads for itself', async () => {
  const { ask, put, reads, cache } = open({ isStrict: true });
  put('a', 1);
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  expect(cache.peek('a', 0)).toBeUndefined();
  put('a', 2);
  expect(await ask()).toBe(2);
  expect(reads).toHaveLength(3);
});

test('no more than the given number of records is kept', async () => {
  const { ask, put, reads } = open({ maxEntries: 10 });
  for (let index = 0; index < 100; index += 1) put(`${index}`, 1);
  for (let index = 0; index < 100; index += 1) await ask(`${index}`);
  reads.length = 0;
  for (let index = 99; index >= 80; index -= 1) await ask(`${index}`);
  expect(reads).toEqual(Array.from({ length: 10 }, (_, index) => `${89 - index}`));
});

test('a record in use is kept, whatever else passes through the memory', async () => {
  const { put, ask, pass, reads } = open({ maxEntries: 5 });
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
      const { cache, put, pass, letGo } = open({ held: true });
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
    { numRuns: 500 },
  );
});
