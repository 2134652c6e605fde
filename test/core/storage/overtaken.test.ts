import { afterEach, describe, expect, test, vi } from 'vitest';
import { createRecordCache } from '../../../src/core/storage/record-cache.ts';
import { openCache, type Row, settled } from './rows-cache.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A cache whose reads end when and as the test says. */
function openSteps() {
  const reads: ((row: Row | undefined) => void)[] = [];
  const cache = createRecordCache<Row, Row>({
    read: () => new Promise((resolve) => reads.push(resolve)),
    keep: (row) => row,
    bytesOf: () => 100,
    maxEntries: 100,
    maxBytes: 1_000_000,
    monotonic: () => 0,
    isStrict: false,
    deadlineMs: 1_000,
  });
  return { cache, reads };
}

describe('an overtaken read', () => {
  test('answers those who asked for it, and no later question', async () => {
    const { cache, reads } = openSteps();
    const early = cache.load('a', 0);
    cache.note('a');
    reads[0]?.({ id: 'a', version: 1 });
    expect((await early).value?.version).toBe(1);
    expect(cache.peek('a', 0)).toBeUndefined();
  });

  test('ends without the read that overtook it: who asks then waits for that one', async () => {
    const { cache, reads } = openSteps();
    const early = cache.load('a', 0);
    cache.note('a');
    const late = cache.load('a', 0);
    reads[0]?.({ id: 'a', version: 1 });
    await early;
    const last = cache.load('a', 0);
    expect(reads).toHaveLength(2);
    reads[1]?.({ id: 'a', version: 2 });
    expect([(await late).value?.version, (await last).value?.version]).toEqual([2, 2]);
    expect(cache.peek('a', 0)?.value?.version).toBe(2);
  });

  test('takes nothing out of memory that was read after it', async () => {
    const { cache, reads } = openSteps();
    const early = cache.load('a', 0);
    cache.note('a');
    const late = cache.load('a', 0);
    reads[1]?.({ id: 'a', version: 2 });
    await late;
    reads[0]?.({ id: 'a', version: 2 });
    await early;
    expect(cache.peek('a', 0)?.value?.version).toBe(2);
  });
});

test('who asks less than 800 ms after a read began waits for it, at whatever time that was', async () => {
  const { cache, put, pass, letGo, reads } = openCache({ held: true });
  put('a', 1);
  pass(500);
  const first = cache.load('a', 500);
  pass(799);
  const second = cache.load('a', 1_299);
  expect(reads).toEqual(['a']);
  letGo();
  await Promise.all([first, second]);
});

test('a question that has waited before is answered within its deadline, or not at all', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { cache, put, letGo } = openCache({ held: true });
  put('a', 1);
  const late = expect(cache.load('a', -400)).rejects.toMatchObject({ code: 'storage_unavailable' });
  await vi.advanceTimersByTimeAsync(600);
  await late;
  letGo();
  await settled();
  const begun = vi.spyOn(globalThis, 'setTimeout');
  const ended = vi.spyOn(globalThis, 'clearTimeout');
  const answer = cache.load('a', -400);
  await vi.advanceTimersByTimeAsync(599);
  letGo();
  expect((await answer).value?.version).toBe(1);
  const deadline = begun.mock.calls.findIndex(([, ms]) => ms === 600);
  expect(ended).toHaveBeenCalledWith(begun.mock.results[deadline]?.value);
  expect(deadline).toBeGreaterThanOrEqual(0);
});

test('a storage that answers with an older version is named in the cause', async () => {
  const { cache, put, ask } = openCache();
  put('a', 1);
  cache.note('a', 2);
  await expect(ask()).rejects.toMatchObject({
    cause: { message: 'The storage answers with an older version, or with none.' },
  });
});
