/** What is left of a strict journal when nodes, and now and then their server, are killed in the middle of everything. */
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../../bench/lib/random.mjs';
import { MAX_LISTED_BLOCKS, type StorageAdapter } from '../../../src/ports/index.ts';
import { kill, mergeGone, type SurvivingStore, startVictim, survivingStores } from '../../support/kills.ts';
import { nightly, sized } from '../../support/runs.ts';
import { expectSumsAgree } from '../../support/sums.ts';

const ROUNDS = nightly(20, sized(4, 2));
/** Every such round kills the server as well. */
const A_SERVER = 4;
const ACCOUNTS = 4;
/** Of each account, one verdict after the other: a flush holds no more records of it. */
const CLIENTS = 3;
const LEAST_MS = 200;
const MOST_MS = 1_500;
const NODE = fileURLToPath(new URL('node.mjs', import.meta.url));
const ACCOUNT_IDS = Array.from({ length: ACCOUNTS }, (_, index) => `acc_${index}`);

describe.each(survivingStores())('on %s', (name, make) => {
  test(`no acknowledged record is lost over ${ROUNDS} kill -9, and the sums are those of the records`, {
    timeout: 600_000,
  }, async () => {
    const store = await make();
    onTestFinished(() => store.remove());
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = createRandom(seed);
    const answered: string[] = [];
    let facts = NOTHING;
    // On a busy machine a node may die before it has compacted anything.
    for (let round = 1; round <= ROUNDS || (facts.compacted === 0 && round <= 5 * ROUNDS); round += 1) {
      const isServerToo = round % A_SERVER === 0;
      answered.push(...(await killed(store, LEAST_MS + random() * (MOST_MS - LEAST_MS), isServerToo)));
      facts = await factsOf(store);
    }
    const storage = await store.open();
    onTestFinished(() => storage.close());
    const found = await foundIn(storage);
    console.log(`${name}, seed ${seed}: ${answered.length} acknowledged, ${found.length} found`, facts);
    expect(new Set(found).size).toBe(found.length);
    const stored = new Set(found);
    expect(answered.filter((one) => !stored.has(one))).toEqual([]);
    // Each process had begun, and blocks were merged and compacted meanwhile.
    expect(answered.length).toBeGreaterThan(ROUNDS);
    expect(facts.merged).toBeGreaterThan(0);
    expect(facts.compacted).toBeGreaterThan(0);
    await mergeGone(storage);
    const after = await store.open();
    expect(await foundIn(after)).toEqual(found);
    await after.close();
  });
});

/** What a node has acknowledged before it was killed that many milliseconds after its first answer. */
async function killed(store: SurvivingStore, ms: number, isServerToo: boolean): Promise<readonly string[]> {
  const node = await startVictim(NODE, [store.url, `${ACCOUNTS}`, `${CLIENTS}`]);
  await pause(ms);
  if (isServerToo) await store.crash?.();
  return kill(node);
}

/** The accounts and ids of all records, after a look at their sums. */
async function foundIn(storage: StorageAdapter): Promise<readonly string[]> {
  const found: string[] = [];
  for (const account_id of ACCOUNT_IDS) {
    const records = await expectSumsAgree(storage, account_id, `did:web:example.com:agents:${account_id}`);
    found.push(...records.map(({ decision_id }) => `${account_id} ${decision_id}`));
  }
  return found;
}

/** How many flushes were filed and merged, and how many blocks are made of several. */
type Facts = Readonly<Record<'flushed' | 'merged' | 'compacted', number>>;

const NOTHING: Facts = { flushed: 0, merged: 0, compacted: 0 };

/** Over a connection of its own: an older one to a server that was killed may not be back yet. */
async function factsOf(store: SurvivingStore): Promise<Facts> {
  const { journal, close } = await store.open();
  const writers = await journal.writers();
  const lists = await Promise.all(
    ACCOUNT_IDS.map((account_id) => journal.blocks({ account_id, limit: MAX_LISTED_BLOCKS })),
  );
  await close();
  return {
    flushed: writers.reduce((sum, { flushed }) => sum + flushed, 0),
    merged: writers.reduce((sum, { merged }) => sum + merged, 0),
    compacted: lists.flat().filter(({ records }) => records > CLIENTS).length,
  };
}
