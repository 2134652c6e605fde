import { describe, expect, test } from 'vitest';
import { openCache } from './rows-cache.ts';

describe('a noted change', () => {
  test('is not undone by a storage that answers with the older version, or with none: that is an outage', async () => {
    const { cache, ask, put, rows } = openCache();
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
    const { cache, ask, put, rows } = openCache({ maxEntries: 3 });
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

  test('is remembered for the latest 100,000 records, and for 200,000 at most', async () => {
    const { cache, ask, put } = openCache();
    for (let index = 0; index <= 200_000; index += 1) cache.note(`${index}`, 2);
    for (const id of ['0', '100000', '200000']) put(id, 1);
    expect(await ask('0')).toBe(1);
    for (const id of ['100000', '200000']) {
      await expect(ask(id)).rejects.toMatchObject({ code: 'storage_unavailable' });
    }
  });
});
