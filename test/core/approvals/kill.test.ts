/** Approvals are asked for, decided and used while the nodes that answer are killed: nothing is done twice or by half. */
import { expect, test } from 'vitest';
import { pendingCounter } from '../../../src/core/approvals/approval-record.ts';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import type { Approval } from '../../../src/records/approval.ts';
import type { VerdictRecord } from '../../../src/records.ts';
import { survivingStores } from '../../support/kills.ts';
import type { Nodes } from '../spending/killed-nodes.ts';
import { KILLS, openKilling, workUnderKills } from '../spending/killing.ts';
import { allOf, euros, keptOf, rememberedIn } from '../spending/stored.ts';
import { codesOf, idIn } from './stage.ts';

/** One intent, from the first question to the use of its approval. */
interface Purchase {
  readonly index: number;
  readonly approval_id: string;
  /** What the person was answered. */
  readonly decided: Approval;
  /** The key of the use that was allowed, and its answer; `undefined` for an intent that was rejected. */
  readonly used: { readonly key: string; readonly record: VerdictRecord } | undefined;
}

/** Where an agent and a person ask. */
interface Desk {
  readonly nodes: Nodes;
  readonly storage: StorageAdapter;
  readonly agent_id: string;
  /** What a killed node had stored under a key, and answered to no client. */
  readonly firsts: Map<string, string>;
}

test.each(survivingStores())(
  `on %s an approval is used once over ${KILLS} kill -9, and a retry gives the first answer`,
  { timeout: 1_800_000 },
  async (name, make) => {
    const killing = await openKilling(make, SHOPPER);
    const { storage, service, agent_id, nodes } = killing;
    const desk: Desk = { nodes, storage, agent_id, firsts: new Map() };
    const purchases = await workUnderKills(name, killing, desk.firsts, (index) => doOnce(desk, index));
    expect(desk.firsts.size).toBeGreaterThan(0);
    await expectAnswers(desk, purchases);
    await expectWhole(desk, purchases);
    const allowed = purchases.flatMap(({ index, used }) => (used === undefined ? [] : [centsOf(index)]));
    const cents = allowed.reduce((sum, one) => sum + one, 0n);
    const spends = await allOf(storage, 'spends');
    expect(spends.map(({ id }) => id).sort()).toEqual(
      purchases.flatMap(({ used }) => used?.record.decision_id ?? []).sort(),
    );
    expect(spends.reduce((sum, one) => sum + keptOf(one), 0n)).toBe(cents);
    const [money, often] = (await service.passports.budgets(agent_id)).data;
    expect(Math.round(100 * (Number(money?.spent) + Number(money?.held)))).toBe(Number(cents));
    expect(Number(often?.spent) + Number(often?.held)).toBe(allowed.length);
  },
);

const SHOPPER = {
  domain: 'shop.example',
  agent_name: 'shopper',
  allowed_actions: ['pay'],
  monetary_actions: ['pay'],
  monetary_limit_per_txn: 1_000,
  currency: 'EUR',
  approval: { actions: ['pay'], seconds: 86_400 },
  budgets: [
    { name: 'money', window: 'lifetime', limit: 1_000_000_000 },
    { name: 'often', window: 'lifetime', count: 1_000_000_000 },
  ],
} as const;

const centsOf = (index: number): bigint => 2n + BigInt((index * 7) % 97);
const isRejected = (index: number): boolean => index % 4 === 3;
const keysOf = (index: number): readonly string[] => [`one-${index}`, `other-${index}`];

/** The intent of a purchase. One of three has a hold. */
function intentOf({ agent_id }: Desk, index: number, approval_id?: string): object {
  const parameters = { amount: euros(centsOf(index)), currency: 'EUR', order: index };
  const hold = index % 3 === 0 && approval_id !== undefined ? { hold_seconds: 86_400 } : {};
  return { agent_id, action: 'pay', parameters, ...hold, ...(approval_id && { approval_id }) };
}

/** An agent asks twice, a person decides, and two runs of the agent use what they said, each under its own key. */
async function doOnce(desk: Desk, index: number): Promise<Purchase> {
  const { nodes } = desk;
  const asked = [intentOf(desk, index), { idempotencyKey: `ask-${index}` }];
  const first = (await nodes.untilAnswered('verify', asked)) as VerdictRecord;
  const again = (await nodes.untilAnswered('verify', asked)) as VerdictRecord;
  expect([first, again].map(codesOf)).toEqual([['approval_required'], ['approval_required']]);
  const approval_id = idIn(first.reasons);
  expect(idIn(again.reasons)).toBe(approval_id);
  const method = isRejected(index) ? 'reject' : 'approve';
  const decided = (await nodes.untilAnswered(method, [approval_id, { note: `Order ${index}.` }])) as Approval;
  const keys = keysOf(index);
  const answers = await Promise.all(keys.map((key) => use(desk, { index, approval_id, key })));
  const place = answers.findIndex(({ verdict }) => verdict === 'ALLOW');
  const others = answers.filter((_, at) => at !== place).map((record) => codesOf(record).join());
  expect(others).toEqual(isRejected(index) ? ['approval_rejected', 'approval_rejected'] : ['approval_used']);
  const record = answers[place];
  return { index, approval_id, decided, used: record && { key: keys[place] ?? '', record } };
}

interface Use {
  readonly index: number;
  readonly approval_id: string;
  readonly key: string;
}

async function use(desk: Desk, { index, approval_id, key }: Use): Promise<VerdictRecord> {
  const { nodes, storage, firsts } = desk;
  async function look(): Promise<void> {
    const found = await rememberedIn(storage, key);
    if (found === undefined) return;
    // What was remembered once stays.
    expect(firsts.get(key) ?? found.object_id).toBe(found.object_id);
    firsts.set(key, found.object_id);
  }
  const asked = [intentOf(desk, index, approval_id), { idempotencyKey: key }];
  return (await nodes.untilAnswered('verify', asked, look)) as VerdictRecord;
}

/** Only what was allowed is remembered, and it is given again. */
async function expectAnswers(desk: Desk, purchases: readonly Purchase[]): Promise<void> {
  const { nodes, storage, firsts } = desk;
  for (const { index, approval_id, used } of purchases) {
    for (const key of [`ask-${index}`, ...keysOf(index)]) {
      const record = key === used?.key ? used.record : undefined;
      expect((await rememberedIn(storage, key))?.response).toEqual(record);
      expect(firsts.get(key)).toBe(firsts.has(key) ? record?.decision_id : undefined);
    }
    if (used === undefined || (!firsts.has(used.key) && index % 10 !== 0)) continue;
    const asked = [intentOf(desk, index, approval_id), { idempotencyKey: used.key }];
    expect(await nodes.untilAnswered('verify', asked)).toEqual(used.record);
    expect(await nodes.untilAnswered('approve', [approval_id])).toMatchObject({ note: `Order ${index}.` });
  }
}

/** Each approval was made once, decided once and used by what it names, and each step has told its event. */
async function expectWhole({ storage, agent_id }: Desk, purchases: readonly Purchase[]): Promise<void> {
  const byId = <One extends { readonly id: string }>(one: One, other: One): number =>
    one.id < other.id ? -1 : 1;
  const expected = purchases.map(({ index, approval_id, decided, used }) => ({
    id: approval_id,
    status: used === undefined ? 'rejected' : 'used',
    round: 0,
    note: `Order ${index}.`,
    decided_at: decided.decided_at,
    decision_id: used?.record.decision_id ?? null,
  }));
  const found = await allOf(storage, 'approvals');
  expect(found.map(({ id }) => ({ id })).sort(byId)).toEqual(
    purchases.map(({ approval_id: id }) => ({ id })).sort(byId),
  );
  expect([...found].sort(byId)).toMatchObject(expected.sort(byId));
  const owner = { environment: 'live', agent_id } as const;
  expect(await storage.count(pendingCounter(owner, 'approvals'), new Date().toISOString())).toBe(0);
  const told = (await allOf(storage, 'events')).flatMap(({ type, data }) => {
    const { id } = data as unknown as Partial<Approval>;
    return type.startsWith('approval.') ? [`${type} ${id}`] : [];
  });
  const steps = purchases.flatMap(({ approval_id: id }) => [
    `approval.requested ${id}`,
    `approval.decided ${id}`,
  ]);
  expect(told.sort()).toEqual(steps.sort());
}
