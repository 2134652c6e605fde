/** Processes spend from the same budgets while they and their store are killed (in memory, without): the counters against a ledger. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { createRandom } from '../../../bench/lib/random.mjs';
import { createIdentityService, type IdentityService } from '../../../src/index.ts';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import { type SurvivingStore, survivingStores } from '../../support/kills.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { nightly, sized } from '../../support/runs.ts';
import { enter, type Market, MOST_CENTS, pay, payOnce, SHORT_MS } from './careless-clients.ts';
import { inParallel } from './crowd.ts';
import { type Method, type Nodes, startNodes } from './killed-nodes.ts';
import { Ledger, lineOf, linesOf } from './ledger.ts';
import { allOf } from './stored.ts';

/** The full size is run by night. */
const PAYMENTS = nightly(100_000, sized(400, 120));
const DISASTERS = nightly(100, 5);
/** Of so many disasters one is that of the store. */
const A_STORE = 5;
const PROCESSES = 4;
const AGENTS = 8;
const MOST_MS = 60;

/** What is spent from in a test. */
interface Stage {
  readonly nodes: Pick<Nodes, 'askOnce'>;
  readonly storage: StorageAdapter;
  readonly service: IdentityService;
  /** Nothing: the store does not survive. */
  readonly disaster?: (count: number) => Promise<void>;
}

const stages: (readonly [name: string, open: () => Promise<Stage>])[] = [
  ['memory', openInMemory],
  ...survivingStores().map(([name, make]) => [name, () => openSurviving(make)] as const),
];

test.each(stages)(
  `on %s ${PAYMENTS} payments spend what the ledger says, and never more than the budgets hold`,
  { timeout: nightly(3_000_000, 180_000) },
  async (name, open) => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = createRandom(seed);
    const { nodes, storage, service, disaster } = await open();
    const { parent, children, agents } = await createAgents(service);
    const ledger = new Ledger();
    const market: Market = { nodes, random, agents, ledger, doubtful: [], denied: 0, lost: 0, isOver: false };
    let done = 0;
    let disasters = 0;
    async function ruin(): Promise<void> {
      for (; disaster !== undefined && done < PAYMENTS && !market.isOver; await pause(5)) {
        if (done < ((disasters + 0.5) * PAYMENTS) / DISASTERS) continue;
        disasters += 1;
        await disaster(disasters);
      }
    }
    const crowd = inParallel(PAYMENTS, async (index) => {
      await pay(market, index).catch((error: unknown) => {
        market.isOver = true;
        throw error;
      });
      done += 1;
    });
    await Promise.all([crowd, ruin()]);
    // What the store had still taken when the client was told of a denial.
    for (const payment of market.doubtful.splice(0))
      for (const record of await payOnce(market, payment)) enter(market, payment, record);
    await pause(SHORT_MS + 500);
    const found = new Map<string, readonly string[]>();
    for (const agent of [...agents, parent]) {
      const { data } = await service.passports.budgets(agent);
      found.set(agent, data.map(lineOf));
    }
    const spends = await allOf(storage, 'spends');
    const { unknown, sums } = ledger.check(spends);
    console.log(
      `${name}, seed ${seed}: ${PAYMENTS} payments, ${ledger.size} spends answered, ${unknown} unanswered,`,
      `${market.denied} denied, ${market.lost} attempts lost, ${disasters} disasters,`,
      `${spends.filter(({ status }) => status === 'lapsed').length} lapsed`,
    );
    for (const agent of agents) expect(found.get(agent)).toEqual(linesOf(sums, [agent]));
    expect(found.get(parent)).toEqual(linesOf(sums, children));
    // The budgets were large enough for about half.
    for (const count of [ledger.size, market.denied]) expect(count).toBeGreaterThan(PAYMENTS / 5);
    // Whether one hit a payment on its way is chance.
    if (disaster !== undefined) expect(disasters).toBeGreaterThan(0);
  },
);

/** Each with half of what it will be asked for; half of them have a parent, whose budgets are as large as theirs. */
async function createAgents(service: IdentityService) {
  const share = PAYMENTS / AGENTS;
  const create = async (agent_name: string, times: number, parent_agent_id?: string): Promise<string> => {
    const { agent_id } = await service.passports.create({
      ...{ domain: 'shop.example', agent_name, allowed_actions: ['pay'], monetary_actions: ['pay'] },
      ...{ monetary_limit_per_txn: MOST_CENTS, currency: 'EUR' },
      budgets: [
        { name: 'money', window: 'lifetime', limit: Math.ceil((times * share * MOST_CENTS) / 400) },
        { name: 'often', window: 'lifetime', count: Math.ceil(times * share * 0.45) },
      ],
      ...(parent_agent_id !== undefined && { parent_agent_id }),
    });
    return agent_id;
  };
  const parent = await create('parent', AGENTS / 2);
  const children: string[] = [];
  const agents: string[] = [];
  for (let index = 0; index < AGENTS; index += 1) {
    const isChild = index < AGENTS / 2;
    const agent = await create(`shopper-${index}`, isChild ? 1.1 : 1, isChild ? parent : undefined);
    agents.push(agent);
    if (isChild) children.push(agent);
  }
  return { parent, children, agents };
}

async function openInMemory(): Promise<Stage> {
  const storage = memoryStorage();
  const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage, domainProof: 'off' });
  onTestFinished(() => service.close());
  const methods = { verify: service.verify, ...service.spends } as unknown as Readonly<
    Record<Method, (...args: readonly unknown[]) => Promise<unknown>>
  >;
  const nodes: Stage['nodes'] = {
    askOnce: (method, args) =>
      methods[method](...args).then(
        (answer) => ({ answer }),
        ({ code }: { readonly code: unknown }) => ({ code }),
      ),
  };
  return { nodes, storage, service };
}

async function openSurviving(make: () => Promise<SurvivingStore>): Promise<Stage> {
  const store = await make();
  onTestFinished(() => store.remove());
  const storage = await store.open();
  const service = createIdentityService({ storage, domainProof: 'off', storageDeadlineMs: PATIENT_MS });
  onTestFinished(() => service.close());
  const nodes = startNodes(store.url, store.crash === undefined ? 1 : PROCESSES);
  onTestFinished(() => nodes.end());
  return {
    ...{ nodes, storage, service },
    async disaster(count) {
      // A node does not start on a store that is down.
      await nodes.ready();
      if (count % A_STORE === 3 && store.crash !== undefined) await store.crash();
      else await nodes.killOne(Math.random() * MOST_MS);
    },
  };
}
