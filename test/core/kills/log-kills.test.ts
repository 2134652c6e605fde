/** What is left of the logs when nodes are killed in the middle of everything: each leaf once, and none is missing. */
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LogHeadRecord } from '../../../src/evidence/collections.ts';
import { evidence } from '../../../src/evidence/index.ts';
import { identity } from '../../../src/identity/index.ts';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import { kill, mergeGone, type SurvivingStore, startVictim, survivingStores } from '../../support/kills.ts';
import { nightly, sized } from '../../support/runs.ts';
import { expectCovered } from '../evidence/covered.ts';

const ROUNDS = nightly(100, sized(3, 1));
const ACCOUNTS = nightly(20, 3);
const CLIENTS = 2;
/** The rounds in which nodes stand still: longer than a writer is waited for, so only at night. */
const STOPS = nightly(10, 0);
const STOPPED_MS = 70_000;
const STOPPED_NODES = 4;
const LEAST_MS = 1_000;
const MOST_MS = 3_000;
const NODE = fileURLToPath(new URL('node.mjs', import.meta.url));
const ACCOUNT_IDS = Array.from({ length: ACCOUNTS }, (_, index) => `acc_${index}`);
const SECRET = 'a secret of the nodes that are killed';

describe.each(survivingStores())('on %s', (name, make) => {
  test(`every block and change has its leaf once after ${ROUNDS} rounds of kill -9`, {
    timeout: nightly(1_800_000, 600_000),
  }, async () => {
    const store = await make();
    onTestFinished(() => store.remove());
    const kept = new Map<string, string[]>(ACCOUNT_IDS.map((id) => [id, []]));
    for (let round = 0; round < ROUNDS; round += 1) await killAll(store);
    const storage = await store.open();
    onTestFinished(() => storage.close());
    for (const id of ACCOUNT_IDS) kept.get(id)?.push(...(await checkpointsOf(storage, id)));
    const before = [...kept.values()].flat().length;
    const leaves = await leavesOf(storage, kept);
    console.log(`${name}: ${leaves} leaves after ${ROUNDS} rounds, ${before} logs had begun before`);
    expect(leaves).toBeGreaterThan(ACCOUNTS * 3);
  });
});

// SQLite has one node: no other takes over what a frozen one has filed. By day no node is frozen for so long.
const frozen = STOPS > 0 ? survivingStores().filter(([name]) => name !== 'SQLite') : [];
describe.each(frozen)('on %s', (name, make) => {
  test(`every block and change has its leaf once after ${STOPS} rounds in which nodes stand still for 70 s`, {
    timeout: 60_000 + 3 * STOPPED_MS * STOPS,
  }, async () => {
    const store = await make();
    onTestFinished(() => store.remove());
    const storage = await store.open();
    onTestFinished(() => storage.close());
    const kept = new Map<string, string[]>(ACCOUNT_IDS.map((id) => [id, []]));
    const taken: number[] = [];
    for (let round = 0; round < STOPS; round += 1) taken.push(await stopAndGoOn(store, storage, kept));
    const leaves = await leavesOf(storage, kept);
    console.log(`${name}: ${leaves} leaves; leaves that came while nodes stood still: ${taken.join(', ')}`);
    expect(Math.min(...taken)).toBeGreaterThan(0);
  });
});

/** Gives what is left its leaf; returns the number of leaves of all logs, which must cover everything. */
async function leavesOf(
  storage: StorageAdapter,
  kept: ReadonlyMap<string, readonly string[]>,
): Promise<number> {
  await finish(storage);
  let leaves = 0;
  for (const id of ACCOUNT_IDS) leaves += (await expectCovered(storage, id, kept.get(id))).head.size;
  return leaves;
}

/**
 * Stops all nodes but one at any instant, so that it takes over their blocks, lets them go on, and kills all; returns
 * the number of leaves that came meanwhile.
 */
async function stopAndGoOn(
  store: SurvivingStore,
  storage: StorageAdapter,
  kept: ReadonlyMap<string, string[]>,
): Promise<number> {
  const args = [store.url, `${ACCOUNTS}`, `${CLIENTS}`, 'log'];
  const nodes = await Promise.all(Array.from({ length: STOPPED_NODES }, () => startVictim(NODE, args)));
  const keepAll = async (): Promise<number> => {
    for (const id of ACCOUNT_IDS) kept.get(id)?.push(...(await checkpointsOf(storage, id)));
    const sizes = ACCOUNT_IDS.map((id) => Number(kept.get(id)?.at(-1)?.split('\n')[1] ?? 0));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  const stopped = nodes.slice(1);
  await Promise.all(
    stopped.map(async ({ child }) => {
      await pause(LEAST_MS + Math.random() * (MOST_MS - LEAST_MS));
      child.kill('SIGSTOP');
    }),
  );
  const before = await keepAll();
  await pause(STOPPED_MS);
  const after = await keepAll();
  for (const { child } of stopped) child.kill('SIGCONT');
  await pause(MOST_MS);
  for (const node of nodes) await kill(node);
  return after - before;
}

async function killAll(store: SurvivingStore): Promise<void> {
  const args = [store.url, `${ACCOUNTS}`, `${CLIENTS}`, 'log'];
  const nodes = await Promise.all(Array.from({ length: store.nodes }, () => startVictim(NODE, args)));
  for (const node of nodes) {
    await pause(LEAST_MS + Math.random() * (MOST_MS - LEAST_MS));
    await kill(node);
  }
}

async function checkpointsOf(storage: StorageAdapter, account_id: string): Promise<readonly string[]> {
  const head = (await storage.get('log_heads', account_id)) as LogHeadRecord | undefined;
  return head === undefined ? [] : [head.checkpoint];
}

/** Merges what the killed nodes have left, and appends it. */
function finish(storage: StorageAdapter): Promise<void> {
  return mergeGone(
    { ...storage, close: async () => {} },
    {
      capabilities: [identity({ secret: SECRET, publicUrl: 'https://id.example/api' }), evidence()],
      log: ({ level, message }) => level === 'error' && console.error(message),
    },
    async ({ logs }) => logs?.end(),
  );
}
