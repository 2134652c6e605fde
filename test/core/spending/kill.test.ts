/** Clients retry under their keys while the nodes that answer them are killed: each key spends once, and only once. */
import { expect, test } from 'vitest';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import type { Spend, VerdictRecord } from '../../../src/records.ts';
import { survivingStores } from '../../support/kills.ts';
import type { Nodes } from './killed-nodes.ts';
import { KILLS, openKilling, workUnderKills } from './killing.ts';
import { allOf, euros, keptOf, rememberedIn } from './stored.ts';

/** What a client was answered under one key. */
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
    const killing = await openKilling(make, SHOPPER);
    const { storage, service, agent_id, nodes } = killing;
    const firsts: Firsts = new Map();
    const till: Till = { nodes, storage, firsts };
    const paid = await workUnderKills(name, killing, firsts, (index) => pay(till, agent_id, index));
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
  const asked = [intentOf(agent_id, index), { idempotencyKey: key }];
  const record = (await nodes.untilAnswered('verify', asked, look)) as VerdictRecord;
  expect(record.verdict).toBe('ALLOW');
  const { decision_id } = record;
  if (index % 3 === 2) return { key, record, kept: cents };
  const method = index % 3 === 0 ? 'commit' : 'release';
  const amount = method === 'commit' ? euros(cents - 1n) : euros(1n);
  const settled = [decision_id, { amount }, { idempotencyKey: `${method}-${index}` }];
  const spend = (await nodes.untilAnswered(method, settled)) as Spend;
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
    const asked = [intentOf(agent_id, index), { idempotencyKey: key }];
    expect(await nodes.untilAnswered('verify', asked)).toEqual(record);
  }
}
