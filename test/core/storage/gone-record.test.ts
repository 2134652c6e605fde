import { describe, expect, test } from 'vitest';
import { open } from './opened-caches.ts';
import { openCache } from './rows-cache.ts';

describe('a record that was there and is missing', () => {
  const openMissing = async (mayGo: boolean) => {
    const opened = openCache({ mayGo });
    opened.put('a', 3);
    await opened.ask();
    opened.rows.delete('a');
    return opened;
  };
  const outage = { code: 'storage_unavailable' };

  test('is an error of the storage for ten seconds after it was seen, and gone afterwards', async () => {
    const { ask, pass } = await openMissing(true);
    pass(9_999);
    await expect(ask()).rejects.toMatchObject(outage);
    pass(1);
    expect(await ask()).toBeUndefined();
  });

  test('stays an error where records cannot be removed', async () => {
    const { ask, pass } = await openMissing(false);
    pass(3_600_000);
    await expect(ask()).rejects.toMatchObject(outage);
  });

  test('is not to be had in an older version either, however long ago it was seen', async () => {
    const { ask, pass, put } = await openMissing(true);
    put('a', 2);
    pass(3_600_000);
    await expect(ask()).rejects.toMatchObject(outage);
  });
});

test('an answer is held until it is dropped or all is forgotten', async () => {
  const { cache, put, ask, pass } = openCache();
  put('a', 1);
  await ask();
  pass(60_000);
  expect(cache.held('a')?.value).toEqual({ id: 'a', version: 1 });
  cache.drop('a');
  expect(cache.held('a')).toBeUndefined();
  await ask();
  expect(cache.held('a')?.value).toEqual({ id: 'a', version: 1 });
  cache.forgetAll();
  expect(cache.held('a')).toBeUndefined();
});

test('a key and a domain may be removed, a passport and an account never', async () => {
  const { caches, load } = await open();
  for (const collection of ['keys', 'domains'] as const) {
    caches[collection].note('removed', 2);
    expect(await load(collection, 'removed')).toBeUndefined();
  }
  for (const collection of ['passports', 'accounts'] as const) {
    caches[collection].note('missing', 2);
    await expect(load(collection, 'missing')).rejects.toMatchObject({ code: 'storage_unavailable' });
  }
});
