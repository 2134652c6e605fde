/** A passport on a store that survives, and clients that work while the nodes on that store are killed. */
import { onTestFinished } from 'vitest';
import { createRandom } from '../../../bench/lib/random.mjs';
import { createIdentityService, type IdentityService, type PassportInput } from '../../../src/index.ts';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import type { SurvivingStore } from '../../support/kills.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { nightly, sized } from '../../support/runs.ts';
import { type Nodes, startNodes } from './killed-nodes.ts';

export const KILLS: number = nightly(200, sized(8, 4));
const CLIENTS = 8;
/** At the latest after its first answer. */
const MOST_MS = 60;

/** All that ends with the test. */
export interface Killing {
  readonly storage: StorageAdapter;
  /** Another node on the store, which is not killed. */
  readonly service: IdentityService;
  readonly agent_id: string;
  readonly nodes: Nodes;
}

/** A passport on a new store, and nodes to be killed. */
export async function openKilling(
  make: () => Promise<SurvivingStore>,
  passport: PassportInput,
): Promise<Killing> {
  const store = await make();
  onTestFinished(() => store.remove());
  const storage = await store.open();
  const service = createIdentityService({ storage, domainProof: 'off', storageDeadlineMs: PATIENT_MS });
  onTestFinished(() => service.close());
  const { agent_id } = await service.passports.create(passport);
  const nodes = startNodes(store.url, store.nodes);
  onTestFinished(() => nodes.end());
  return { storage, service, agent_id, nodes };
}

/**
 * Kills nodes at random moments while clients call `work` with 0, 1 and so on; gives what it gave. `unheard` holds what
 * killed nodes had stored and answered to no client: there is to be something in it.
 */
export async function workUnderKills<Done>(
  name: string,
  { nodes }: Pick<Killing, 'nodes'>,
  unheard: ReadonlyMap<string, string>,
  work: (index: number) => Promise<Done>,
): Promise<readonly Done[]> {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = createRandom(seed);
  const done: Done[] = [];
  let next = 0;
  let isOver = false;
  async function client(): Promise<void> {
    while (!isOver) done.push(await work(next++));
  }
  let kills = 0;
  async function killAll(): Promise<void> {
    // On a quick machine a node may die between two pieces of work.
    for (; kills < KILLS || (unheard.size === 0 && kills < 10 * KILLS); kills += 1)
      await nodes.killOne(random() * MOST_MS);
    isOver = true;
  }
  await Promise.all([killAll(), ...Array.from({ length: CLIENTS }, client)]);
  console.log(`${name}, seed ${seed}: ${kills} kills, ${done.length} done, ${unheard.size} stored unheard`);
  return done;
}
