/** Clients retry under their keys while the nodes that answer them are killed: each key spends once, whoever died when. */
import { expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../../bench/lib/random.mjs';
import { createIdentityService } from '../../../src/index.ts';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import type { Spend, VerdictRecord } from '../../../src/records.ts';
import { nightly, sized } from '../../support/runs.ts';
import { type Nodes, startNodes } from './killed-nodes.ts';
import { allOf, euros, keptOf, PATIENT_MS, rememberedIn, survivingStores } from './surviving-stores.ts';

const KILLS = nightly(200, sized(8, 4));
const CLIENTS = 8;
/** At the latest after its first answer. */
const MOST_MS = 60;

/** What a client was told under one key. */
interface Paid {
  readonly key: string;
  readonly record: VerdictRecord;
  /** In cents, without what went back. */
  readonly kept: bigint;
}

/** What a killed node had stored under a key, and answered to no client. */
type Firsts = Map<string, string>;

test.each(survivingStores())(
  `on %s each key spends once over ${KILLS} kill -9, and a retry gives the first answer`,
  { timeout: 900_000 },
  async (name, make) => {
    const store = await make();
    onTestFinished(() => store.remove());
    const storage = await store.open();
    const service = createIdentityService({ storage, domainProof: 'off', storageDeadlineMs: PATIENT_MS });
    onTestFinished(() => service.close());
    const { agent_id } = await service.passports.create(SHOPPER);
    const nodes = startNodes(store.url, store.nodes);
    onTestFinished(() => nodes.end());
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = createRandom(seed);
    const firsts: Firsts = new Map();
    const paid: Paid[] = [];
    let next = 0;
    let isOver = false;
    async function client(): Promise<void> {
      while (!isOver) paid.push(await pay({ nodes, storage, firsts }, agent_id, next++));
    }
    const clients = Promise.all(Array.from({ length: CLIENTS }, client));
    let kills = 0;
    async function killAll(): Promise<void> {
      // On a quick machine a node may die between two spends.
      for (; kills < KILLS || (firsts.size === 0 && kills < 10 * KILLS); kills += 1)
        await nodes.killOne(random() * MOST_MS);
      isOver = true;
    }
    await Promise.all([killAll(), clients]);
    console.log(`${name}, seed ${seed}: ${kills} kills, ${paid.length} keys, ${firsts.size} stored unheard`);
    expect(firsts.size).toBeGreaterThan(0);
    await expectAnswers(nodes, storage, agent_id, paid, firsts);
    const kept = paid.reduce((sum, one) => sum + one.kept, 0n);
    const spends = await allOf(storage, 'spends');
    expect(new Set(spends.map(({ id }) => id))).toEqual(
      new Set(paid.map(({ record }) => record.decision_id)),
    );
    expect(spends.reduce((sum, one) => sum + keptOf(one), 0n)).toBe(kept);
    const { data } = await service.passports.budgets(agent_id);
    expect(data).toMatchObject([
      { spent: Number(kept) / 100, held: 0 },
      { spent: paid.length, held: 0 },
    ]);
  },
);

const SHOPPER = {
  domain: 'shop.example',
  agent_name: 'shopper',
  allowed_actions: ['pay'],
  monetary_actions: ['pay'],
  monetary_limit_per_txn: 1_000,
  currency: 'EUR',
  budgets: [
    { name: 'money', window: 'lifetime', limit: 1_000_000_000 },
    { name: 'often', window: 'lifetime', count: 1_000_000_000 },
  ],
} as const;

/** Where a client pays. */
interface Till {
  readonly nodes: Nodes;
  readonly storage: StorageAdapter;
  readonly firsts: Firsts;
}

/** One payment: of three, one is held and committed in part, and of one a part is refunded, each under its key. */
async function pay({ nodes, storage, firsts }: Till, agent_id: string, index: number): Promise<Paid> {
  const cents = 2n + BigInt((index * 7) % 97);
  const key = `pay-${index}`;
  async function look(): Promise<void> {
    const found = await rememberedIn(storage, key);
    if (found === undefined) return;
    // What was remembered once stays.
    expect(firsts.get(key) ?? found.object_id).toBe(found.object_id);
    firsts.set(key, found.object_id);
  }
  const asked = [intentOf(agent_id, index), { idempotency_key: key }];
  const record = (await nodes.untilAnswered('verify', asked, look)) as VerdictRecord;
  expect(record.verdict).toBe('ALLOW');
  const { decision_id } = record;
  if (index % 3 === 2) return { key, record, kept: cents };
  const verb = index % 3 === 0 ? 'commit' : 'release';
  const amount = verb === 'commit' ? euros(cents - 1n) : euros(1n);
  const settled = [decision_id, { amount }, {}, { idempotencyKey: `${verb}-${index}` }];
  const spend = (await nodes.untilAnswered(verb, settled)) as Spend;
  expect(spend).toMatchObject({ decision_id, status: 'committed', released_amount: 0.01 });
  return { key, record, kept: cents - 1n };
}

function intentOf(agent_id: string, index: number): object {
  const amount = euros(2n + BigInt((index * 7) % 97));
  const parameters = { amount, currency: 'EUR' };
  return { agent_id, action: 'pay', parameters, ...(index % 3 === 0 && { hold_seconds: 86_400 }) };
}

/** Each answer is the one that is remembered, and is given again. */
async function expectAnswers(
  nodes: Nodes,
  storage: StorageAdapter,
  agent_id: string,
  paid: readonly Paid[],
  firsts: Firsts,
): Promise<void> {
  for (const { key, record } of paid) {
    expect(firsts.get(key) ?? record.decision_id).toBe(record.decision_id);
    expect((await rememberedIn(storage, key))?.response).toEqual(record);
    const index = Number(key.slice('pay-'.length));
    if (!firsts.has(key) && index % 10 !== 0) continue;
    const asked = [intentOf(agent_id, index), { idempotency_key: key }];
    expect(await nodes.untilAnswered('verify', asked)).toEqual(record);
  }
}
