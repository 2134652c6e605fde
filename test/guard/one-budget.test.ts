/** What a guard lets tools take never exceeds a budget: in any currency, and with tasks in any state, on each storage. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WholeService } from '../../src/capabilities.ts';
import { createToolGuard, type ToolGuard, type ToolRule } from '../../src/guard/index.ts';
import { cases, IS_NIGHT, seedOf } from '../support/runs.ts';
import { openLocalService } from '../support/service.ts';
import { namedStores, openOne, type SharedStore } from '../support/stores.ts';
import { openGate, TASK } from './task-gate.ts';

const SEED = seedOf(20261129);
const all = await namedStores();
const tried = IS_NIGHT ? all : all.filter(([name]) => ['memory', 'SQLite'].includes(name));

async function openService(store: SharedStore): Promise<WholeService> {
  const storage = await openOne(store);
  return openLocalService({ storage: { ...storage, time: async (at) => ({ at, isMark: false }) } }).service;
}

interface Till {
  readonly guard: ToolGuard;
  /** What is spent and what is held, as numbers. */
  budget(): Promise<readonly [spent: number, held: number]>;
}

interface Means {
  readonly agent_name: string;
  readonly currency: string;
  readonly limit: number;
  readonly rule: ToolRule;
}

async function openTill(service: WholeService, { agent_name, currency, limit, rule }: Means): Promise<Till> {
  const { agent_id: agentId } = await service.passports.create({
    ...{ domain: 'example.com', agent_name, currency, monetary_limit_per_txn: limit },
    ...{ allowed_actions: ['pay'], monetary_actions: ['pay'] },
    budgets: [{ window: 'lifetime', limit }],
  });
  const guard = createToolGuard({ verifier: service, agentId, tools: { pay: rule } });
  const budget = async () => {
    const [state] = (await service.passports.budgets(agentId)).data;
    return [Number(state?.spent), Number(state?.held)] as const;
  };
  return { guard, budget };
}

/** Currencies with the number of their decimals. */
const DECIMALS: Readonly<Record<string, number>> = { JPY: 0, EUR: 2, KWD: 3, CLF: 4 };

const payment = fc.record({
  units: fc.integer({ min: 1, max: 900_000 }),
  currency: fc.constantFrom('JPY', 'EUR', 'KWD', 'CLF', 'XAU', 'euro', undefined, 5),
  isOwn: fc.boolean(),
  end: fc.constantFrom('done' as const, 'failed' as const),
});

test.each(tried)(
  `minor units in any currency stay within a budget in %s, seed ${SEED}`,
  async (name, store) => {
    const service = await openService(store);
    let played = 0;
    const holds = fc.constantFrom(undefined, 3_600);
    const currencies = fc.constantFrom('JPY', 'EUR', 'KWD', 'CLF');
    const payments = fc.array(payment, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(currencies, payments, holds, async (own, all, hold_seconds) => {
        const limit = 10_000;
        const rule: ToolRule = {
          ...{ amount: '/units', decimals: 'currency', currency: '/currency' },
          ...(hold_seconds && { hold_seconds }),
        };
        const till = await openTill(service, { agent_name: `payer-${played++}`, currency: own, limit, rule });
        let taken = 0;
        for (const [index, { units, currency, isOwn, end }] of all.entries()) {
          const named = isOwn ? own : currency;
          const amount = units / 10 ** (DECIMALS[own] ?? 0);
          const call = { name: 'pay', args: { units, currency: named }, id: `call-${index}` };
          const run = await till.guard.begin(call).catch(() => undefined);
          expect(run !== undefined).toBe(named === own && taken + amount <= limit);
          if (run !== undefined) taken = Number((taken + amount).toFixed(6));
          if (end === 'done') await run?.done();
          else run?.failed();
          const [spent, held] = await till.budget();
          expect(spent + held).toBeCloseTo(taken, 6);
        }
      }),
      { numRuns: cases(name === 'memory' ? 2_000 : 500), seed: SEED },
    );
  },
);

const state = fc.record({
  task: fc.nat({ max: 3 }),
  status: fc.constantFrom('working', 'input_required', 'completed', 'failed', 'cancelled', 'gone'),
  by: fc.constantFrom('answer', 'notification', 'list'),
});

test.each(tried)(
  `of tasks in any state, what ended is spent, once each, in %s, seed ${SEED}`,
  async (name, store) => {
    const service = await openService(store);
    const rule: ToolRule = { amount: '/cents', decimals: 2, currency: 'EUR', hold_seconds: 3_600 };
    let played = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(state, { maxLength: 20 }), async (all) => {
        const agent_name = `worker-${played++}`;
        const till = await openTill(service, { agent_name, currency: 'EUR', limit: 35, rule });
        const gate = openGate(till.guard);
        // The budget has room for three of the four.
        for (const task of [0, 1, 2, 3]) {
          await gate.ask(task, 'tools/call', { name: 'pay', arguments: { cents: 1_000 } });
          await gate.hear({ id: task, result: { ...TASK, taskId: `task-${task}` } });
        }
        const ends = new Map<number, string>();
        for (const [index, { task, status, by }] of all.entries()) {
          const seen = { taskId: `task-${task}`, status };
          if (by === 'notification') await gate.hear({ method: 'notifications/tasks', params: seen });
          else await gate.hear({ id: 100 + index, result: by === 'list' ? { tasks: [{}, seen] } : seen });
          const isEnd = task < 3 && ['completed', 'failed', 'cancelled'].includes(status);
          if (isEnd && !ends.has(task)) ends.set(task, status);
          const spent = [...ends.values()].filter((end) => end !== 'failed').length;
          expect(await till.budget()).toEqual([10 * spent, 10 * (3 - spent)]);
        }
        await gate.end();
      }),
      { numRuns: cases(name === 'memory' ? 2_000 : 500), seed: SEED },
    );
  },
);
