/** What the storage had at an instant: from memory where that is known, else by a read that began then or later. */
import { describe, expect, test } from 'vitest';
import { openCache } from './rows-cache.ts';

describe('a record that is confirmed since an instant', () => {
  test('is the one in memory if that was read then or later, with the instant of its read', async () => {
    const { cache, put, pass, ask, reads } = openCache();
    put('a', 1);
    pass(50);
    await ask();
    pass(100);
    put('a', 2);
    expect(await cache.confirmed('a', 50)).toEqual({ value: { id: 'a', version: 1 }, asOf: 50 });
    expect(cache.counts).toEqual({ hits: 1, misses: 1 });
    expect(await cache.confirmed('a', 51)).toEqual({ value: { id: 'a', version: 2 }, asOf: 150 });
    expect(cache.counts).toEqual({ hits: 1, misses: 2 });
    expect(reads).toEqual(['a', 'a']);
  });

  test('is read where memory has nothing, and where nothing is remembered', async () => {
    for (const isStrict of [false, true]) {
      const { cache, put, reads } = openCache({ isStrict });
      put('a', 1);
      expect(await cache.confirmed('a', 0)).toEqual({ value: { id: 'a', version: 1 }, asOf: 0 });
      await cache.confirmed('a', 0);
      expect(reads.length).toBe(isStrict ? 2 : 1);
    }
  });

  test('is read again after everything was forgotten, also at the instant of its read', async () => {
    const { cache, put, ask, reads } = openCache();
    put('a', 1);
    await ask();
    cache.forgetAll();
    await cache.confirmed('a', 0);
    expect(reads).toEqual(['a', 'a']);
  });

  test('waits for a read that began then or later, and for no earlier one', async () => {
    const { cache, put, pass, reads, letGo } = openCache({ held: true });
    put('a', 1);
    pass(10);
    const first = cache.load('a', 10);
    const joined = cache.confirmed('a', 10);
    expect(reads).toEqual(['a']);
    pass(10);
    const later = cache.confirmed('a', 11);
    expect(reads).toEqual(['a', 'a']);
    letGo();
    await first;
    expect([(await joined).asOf, (await later).asOf]).toEqual([10, 20]);
  });
});

describe('a record that others confirm', () => {
  test('is nothing where memory has none', () => {
    const { cache } = openCache();
    expect(cache.confirmAt('a', 5)).toBeUndefined();
    expect(cache.held('a')).toBeUndefined();
  });

  test('is found, or found absent, at that instant', () => {
    const { cache } = openCache();
    expect(cache.confirmAt('a', 5, { record: { id: 'a', version: 3 } })?.value?.version).toBe(3);
    expect(cache.held('a')).toEqual({ value: { id: 'a', version: 3 }, asOf: 5 });
    expect(cache.confirmAt('b', 6, { record: undefined })).toMatchObject({ value: undefined });
    expect(cache.held('b')).toEqual({ value: undefined, asOf: 6 });
  });

  test('is the one in memory at a later instant, and never at an earlier one', () => {
    const { cache } = openCache();
    cache.confirmAt('a', 5, { record: { id: 'a', version: 1 } });
    expect(cache.confirmAt('a', 900)?.value?.version).toBe(1);
    expect(cache.held('a')?.asOf).toBe(900);
    cache.confirmAt('a', 100);
    expect(cache.held('a')?.asOf).toBe(900);
  });
});

test('a record that was seen a moment ago is not gone, however long the process has run', async () => {
  const { cache, put, pass, ask, rows } = openCache({ mayGo: true });
  pass(20_000);
  put('a', 1);
  await ask();
  rows.delete('a');
  pass(900);
  await expect(cache.load('a', 20_900)).rejects.toMatchObject({ code: 'storage_unavailable' });
});

test('a record is never gone where none can be removed', async () => {
  const { cache, put, pass, ask, rows } = openCache({});
  put('a', 1);
  await ask();
  rows.delete('a');
  pass(20_000);
  await expect(cache.load('a', 20_000)).rejects.toMatchObject({ code: 'storage_unavailable' });
});

test('the notice of a change that memory has stops no read', async () => {
  const { cache, put, pass, reads, letGo } = openCache({ held: true });
  put('a', 2);
  const first = cache.load('a', 0);
  letGo();
  await first;
  pass(900);
  const again = cache.load('a', 900);
  cache.note('a', 2);
  const joined = cache.load('a', 900);
  expect(reads).toEqual(['a', 'a']);
  letGo();
  expect(await joined).toBe(await again);
});
