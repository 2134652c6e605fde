import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { createIdentityService, type IdentityService } from '../../../src/core.ts';
import type { Budget, PassportInput } from '../../../src/records.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { seedOf, sized } from '../../support/runs.ts';
import { START } from '../../support/service.ts';
import { toldOf } from './asked-again.ts';
import type { MadeJournal, Step } from './journal.ts';
import { type Random, randomOf } from './random.ts';

interface SteadyTerms {
  readonly records: number;
  /** What is asked for; a random amount without it. */
  readonly amount?: number;
  /** How far the clock of each node is from the right time. */
  readonly offMs?: readonly number[];
  /** How many of 100 spends go back. */
  readonly refunds?: number;
  readonly budgets: readonly Budget[];
}

const MONEY: Budget = { name: 'money', window: 'lifetime', limit: 1_000_000 };
const COUNT: Budget = { name: 'count', window: 'day', count: 1_000_000 };

/** A journal of one record per second, by an agent with budgets and its child agent. */
async function makeSteady(random: Random, terms: SteadyTerms): Promise<MadeJournal> {
  const storage = { ...memoryStorage(), close: async () => {} };
  let at = START;
  const clock = { now: () => at };
  const { offMs = [0] } = terms;
  const services = offMs.map((off) =>
    createIdentityService({
      storageDeadlineMs: PATIENT_MS,
      storage: { ...storage, time: async (now: string) => ({ at: now, isMark: false }) },
      clock: { now: () => at + off, monotonic: () => at },
      log: () => undefined,
    }),
  );
  onTestFinished(async () => {
    for (const service of services) await service.close();
  });
  const [first] = services as [IdentityService];
  const money = { currency: 'EUR', monetary_limit_per_txn: 100, monetary_actions: ['pay.*'] };
  const may = { domain: 'shop.example', allowed_actions: ['*'], ...money };
  const passports: PassportInput[] = [
    { ...may, agent_name: 'top' },
    { ...may, agent_name: 'root', budgets: terms.budgets },
    { ...may, agent_name: 'child', parent_agent_id: 'did:web:shop.example:agents:root' },
  ];
  const agents: string[] = [];
  for (const input of passports) agents.push((await first.passports.create(input)).agent_id);
  const steps: Step[] = [];
  const spends: string[] = [];
  for (let count = 0; count < terms.records; count += 1) {
    at += 1_000;
    const node = random.below(services.length);
    const service = services[node] as IdentityService;
    const amount = terms.amount ?? random.pick([1, 2.5, 7, 19.99, 50]);
    const intent = {
      agent_id: random.pick(agents.slice(1)),
      action: 'pay.a',
      parameters: { amount, currency: 'EUR' },
    };
    const { decision_id, verdict } = await service.verify(intent);
    steps.push({ step: 'ask', at: at + (offMs[node] as number), intent, decision_id });
    if (verdict === 'ALLOW') spends.push(decision_id);
    if (spends.length === 0 || !random.chance((terms.refunds ?? 0) / 100)) continue;
    const back = random.pick(spends.slice(-20));
    await service.spends.release(back).then(
      () => steps.push({ step: 'release', at, decision_id: back }),
      () => undefined,
    );
  }
  at += 10_000;
  for (const service of services) await service.verifications.list({ limit: 1 });
  return { storage, services, passports, agents, steps, clock };
}

test('a lower count is told for each of 600 records of one per second', async () => {
  const made = await makeSteady(randomOf(1), { records: 600, amount: 1, budgets: [COUNT] });
  const { seen, wrong } = await toldOf(made, { budgets: [{ ...COUNT, count: 200 }] });
  expect(wrong).toEqual([]);
  expect(seen.map(({ verdict }) => verdict)).toEqual([
    ...Array<string>(200).fill('ALLOW'),
    ...Array<string>(400).fill('DENY'),
  ]);
});

const SEED = seedOf(8);
const SEEDS = Array.from({ length: sized(500, 5, 50) }, (_, index) => SEED + index);
/** The budgets that a journal has, and lower ones. */
const LOWER: readonly (readonly Budget[])[] = [
  [{ ...MONEY, limit: 400 }],
  [{ ...COUNT, count: 30 }],
  [
    { ...MONEY, limit: 300 },
    { ...COUNT, count: 60 },
  ],
];

function pickLower(random: Random) {
  const lower = random.pick(LOWER);
  return { lower, budgets: lower.map(({ name }) => (name === 'money' ? MONEY : COUNT)) };
}

test.each(SEEDS)('lower budgets are told for each record where nothing went back (seed %i)', async (seed) => {
  const random = randomOf(seed);
  const { lower, budgets } = pickLower(random);
  const { seen, wrong } = await toldOf(await makeSteady(random, { records: 120, budgets }), {
    budgets: lower,
  });
  expect(wrong).toEqual([]);
  expect(seen.filter(({ verdict }) => verdict === null)).toEqual([]);
});

test.each(SEEDS)('clocks that differ, and refunds, make no certain verdict wrong (seed %i)', async (seed) => {
  const random = randomOf(seed);
  const { lower, budgets } = pickLower(random);
  const terms = { records: 120, budgets, offMs: [-2_000, 2_000], refunds: random.pick([0, 3, 20]) };
  const { wrong } = await toldOf(await makeSteady(random, terms), { budgets: lower });
  expect(wrong).toEqual([]);
});
