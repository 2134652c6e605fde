/** Records that were read together are due together: their reads are spread over turns of the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRefreshes, MAX_REFRESHES } from '../../../src/core/storage/record-cache.ts';
import { openCache, settled } from './rows-cache.ts';

const RECORDS = 1_000;
/** The most turns that are waited for: what earlier tests have left in this process may take some as well. */
const MOST_TURNS = 1_000;
const ids = Array.from({ length: RECORDS }, (_, index) => `r${index}`);

test('a turn begins no more reads than it may, and each record is read once', async () => {
  const { cache, put, ask, pass, reads } = openCache({ maxEntries: 2 * RECORDS });
  for (const id of ids) put(id, 1);
  await Promise.all(ids.map((id) => ask(id)));
  await settled();
  reads.length = 0;
  pass(400);
  // Asked twice: what waits for its turn is not read again.
  for (const id of [...ids, ...ids]) expect(cache.peek(id, 400)?.value?.version).toBe(1);
  expect(reads.length).toBe(MAX_REFRESHES);
  for (let last = reads.length; reads.length < RECORDS; last = reads.length) {
    await nextTurn();
    expect(reads.length - last).toBeLessThanOrEqual(MAX_REFRESHES);
  }
  await nextTurn();
  expect([...reads].sort()).toEqual([...ids].sort());
});

test('a record that was read meanwhile is not read once more', async () => {
  const { cache, put, ask, pass, reads } = openCache({ maxEntries: 2 * RECORDS });
  for (const id of ids) put(id, 1);
  await Promise.all(ids.map((id) => ask(id)));
  pass(400);
  for (const id of ids) cache.peek(id, 400);
  const last = ids.at(-1) ?? '';
  cache.note(last, 2);
  put(last, 2);
  reads.length = 0;
  expect(await ask(last)).toBe(2);
  await turnsUntil(() => reads.length >= RECORDS - MAX_REFRESHES);
  // One read more would come with the next turns.
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  expect(reads.length).toBe(RECORDS - MAX_REFRESHES);
  expect(reads.filter((id) => id === last)).toEqual([last]);
});

test('a record that was dropped meanwhile is read all the same', async () => {
  const { cache, put, ask, pass, reads } = openCache({ maxEntries: 2 * RECORDS });
  for (const id of ids) put(id, 1);
  await Promise.all(ids.map((id) => ask(id)));
  pass(400);
  for (const id of ids) cache.peek(id, 400);
  reads.length = 0;
  const last = ids.at(-1) ?? '';
  cache.drop(last);
  await turnsUntil(() => reads.includes(last));
  expect(reads.filter((id) => id === last)).toEqual([last]);
});

test('a look-up of a record that is not due takes the read of no other', async () => {
  const { cache, put, ask, pass, reads } = openCache({ maxEntries: 2 * RECORDS });
  put('due', 1);
  await ask('due');
  pass(400);
  for (const id of ids) put(id, 1);
  await Promise.all(ids.map((id) => ask(id)));
  await settled();
  reads.length = 0;
  for (const id of ids) cache.peek(id, 400);
  cache.peek('due', 400);
  expect(reads).toEqual(['due']);
});

test('an id that is asked for again and again keeps no other from its turn', async () => {
  const begun: string[] = [];
  const refresh = createRefreshes((id) => begun.push(id));
  for (const id of ids) refresh(id);
  const missing = () => ids.filter((id) => !begun.includes(id));
  await turnsUntil(() => {
    refresh('again');
    return missing().length === 0;
  });
  expect(missing()).toEqual([]);
});

async function turnsUntil(isDone: () => boolean): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS && !isDone(); turn += 1) await nextTurn();
}
