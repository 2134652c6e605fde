/** A tool that a framework stops in order to call it again: it takes once, and has no outcome while it waits. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WholeService } from '../../src/capabilities.ts';
import { createToolGuard, type ToolRun } from '../../src/guard/index.ts';
import { cases, IS_NIGHT } from '../support/runs.ts';
import { openLocalService } from '../support/service.ts';
import { namedStores, openOne } from '../support/stores.ts';

const CALL = { name: 'pay', args: { cents: 6_000 }, id: 'call-1' };

/** The signal of LangGraph for an interrupt, as its own class makes it. */
class Interrupt extends Error {
  override readonly name: string = 'GraphInterrupt';
  readonly is_bubble_up = true;
}
class ElicitationRequired extends Error {
  readonly code = -32_042;
}

async function openTill({ hold_seconds }: { hold_seconds?: number | undefined } = {}) {
  const { service, clock } = openLocalService();
  return { clock, ...(await openAgent(service, 'shopper', { hold_seconds, limit: 1_000 })) };
}

interface Means {
  readonly hold_seconds: number | undefined;
  readonly limit: number;
}

async function openAgent(service: WholeService, agent_name: string, { hold_seconds, limit }: Means) {
  const { agent_id: agentId } = await service.passports.create({
    ...{ domain: 'example.com', agent_name, currency: 'EUR', monetary_limit_per_txn: 100 },
    ...{ allowed_actions: ['pay'], monetary_actions: ['pay'] },
    budgets: [{ window: 'lifetime', limit }],
  });
  const rule = { amount: '/cents', decimals: 'currency', currency: 'EUR' } as const;
  const guardOf = () =>
    createToolGuard({
      verifier: service,
      agentId,
      tools: { pay: { ...rule, ...(hold_seconds && { hold_seconds }) } },
    });
  const budget = async () => {
    const [state] = (await service.passports.budgets(agentId)).data;
    return [state?.spent, state?.held];
  };
  const outcomes = async () => {
    const { data } = await service.verifications.list({ limit: 100 });
    return data.map(({ outcome }) => outcome?.outcome ?? null);
  };
  return { service, agentId, guard: guardOf(), guardOf, budget, outcomes };
}

describe.each([undefined, 60])('with hold_seconds %s', (hold_seconds) => {
  const waits = hold_seconds === undefined ? [60, 0] : [0, 60];

  test('a tool that is interrupted and resumed takes once, and reports its end only', async () => {
    const { guard, guardOf, budget, outcomes } = await openTill({ hold_seconds });
    for (let turn = 0; turn < 3; turn += 1) {
      const stopped = guard.run(CALL, () => Promise.reject(new Interrupt()));
      await expect(stopped).rejects.toBeInstanceOf(Interrupt);
      expect(await budget()).toEqual(waits);
      expect(await outcomes()).toEqual([null]);
    }
    // An application may make its guard again for each request.
    expect(await guardOf().run(CALL, () => 'paid')).toBe('paid');
    expect(await budget()).toEqual([60, 0]);
    await expect.poll(outcomes).toEqual(['succeeded']);
    await guard.run(CALL, () => 'paid again');
    expect(await budget()).toEqual([120, 0]);
  });

  test('a tool that calls pause continues with its next run', async () => {
    const { guard, budget, outcomes } = await openTill({ hold_seconds });
    await guard.run(CALL, (_args, _record, pause) => pause());
    expect([await budget(), await outcomes()]).toEqual([waits, [null]]);
    await guard.run(CALL, () => 'paid');
    expect(await budget()).toEqual([60, 0]);
  });

  test('a call with another id, intent or tool does not continue it', async () => {
    const { guard, budget } = await openTill({ hold_seconds });
    await expect(guard.run(CALL, () => Promise.reject(new Interrupt()))).rejects.toThrow();
    await guard.run({ ...CALL, id: 'call-2' }, () => 'paid');
    await guard.run({ ...CALL, args: { cents: 100 } }, () => 'paid');
    expect(await budget()).toEqual(hold_seconds === undefined ? [121, 0] : [61, 60]);
    await guard.run(CALL, () => 'paid');
    expect(await budget()).toEqual([121, 0]);
  });

  test('an aborted resume leaves it waiting', async () => {
    const { guard, budget, outcomes } = await openTill({ hold_seconds });
    await expect(guard.run(CALL, () => Promise.reject(new Interrupt()))).rejects.toThrow();
    const aborted = guard.run({ ...CALL, signal: AbortSignal.abort(new Error('stopped')) }, () =>
      expect.fail('ran'),
    );
    await expect(aborted).rejects.toThrow('stopped');
    expect([await budget(), await outcomes()]).toEqual([waits, [null]]);
    await guard.run(CALL, () => 'paid');
    expect(await budget()).toEqual([60, 0]);
  });

  test('a call that must open an address first continues under any id', async () => {
    const { guard, budget } = await openTill({ hold_seconds });
    const stopped = guard.run(CALL, () => Promise.reject(new ElicitationRequired()));
    await expect(stopped).rejects.toBeInstanceOf(ElicitationRequired);
    await guard.run({ ...CALL, id: 'call-2' }, () => 'paid');
    expect(await budget()).toEqual([60, 0]);
  });
});

test('a command to a parent graph, and any other error, end the run', async () => {
  const { guard, budget } = await openTill();
  for (const error of [Object.assign(new Interrupt(), { name: 'ParentCommand' }), new Error('closed')]) {
    await expect(guard.run(CALL, () => Promise.reject(error))).rejects.toBe(error);
  }
  await guard.run(CALL, () => 'paid');
  expect(await budget()).toEqual([180, 0]);
});

test('a resumed call whose hold has ended takes again', async () => {
  const { guard, clock, budget } = await openTill({ hold_seconds: 60 });
  await expect(guard.run(CALL, () => Promise.reject(new Interrupt()))).rejects.toThrow();
  clock.advance(61_000);
  expect(await budget()).toEqual([0, 0]);
  await guard.run(CALL, () => 'paid');
  expect(await budget()).toEqual([60, 0]);
});

test('a resumed call of an agent that was revoked meanwhile is denied', async () => {
  const { guard, service, agentId } = await openTill();
  await expect(guard.run(CALL, () => Promise.reject(new Interrupt()))).rejects.toThrow();
  await service.revoke({ agent_id: agentId });
  await expect(guard.run(CALL, () => expect.fail('ran'))).rejects.toMatchObject({
    details: { reasons: [{ code: 'agent_revoked' }] },
  });
});

test('reports no outcome of an interrupted callback, and spends once under its key', async () => {
  const { service, agentId, budget, outcomes } = await openTill();
  const intent = { agent_id: agentId, action: 'pay', parameters: { amount: 60, currency: 'EUR' } };
  const options = { idempotencyKey: 'order-1' };
  const stopped = service.guard(intent, () => Promise.reject(new Interrupt()), options);
  await expect(stopped).rejects.toBeInstanceOf(Interrupt);
  expect([await budget(), await outcomes()]).toEqual([[60, 0], [null]]);
  await service.guard(intent, () => 'paid', options);
  expect(await budget()).toEqual([60, 0]);
  await expect.poll(outcomes).toEqual(['succeeded']);
});

/** What a framework does next with one of five payments. */
type Step = { readonly payment: number; readonly does: 'pause' | 'end' | 'fail' | 'abort' };

const all = await namedStores();
const tried = IS_NIGHT ? all : all.filter(([name]) => ['memory', 'SQLite'].includes(name));

test.each(tried)(
  'in any order of pause, resume and end, each payment takes once in %s',
  async (name, store) => {
    const storage = await openOne(store);
    const { service } = openLocalService({
      storage: { ...storage, time: async (at) => ({ at, isMark: false }) },
    });
    let played = 0;
    const steps = fc.array(
      fc.record({
        payment: fc.nat({ max: 4 }),
        does: fc.constantFrom<Step['does']>('pause', 'pause', 'end', 'fail', 'abort'),
      }),
      { maxLength: 24 },
    );
    const holds = fc.constantFrom(undefined, 3_600);
    await fc.assert(
      fc.asyncProperty(steps, holds, async (all, hold_seconds) => {
        const { guard, budget } = await openAgent(service, `agent-${played++}`, { hold_seconds, limit: 240 });
        const waiting = new Set<number>();
        let paid = 0;
        let lost = 0;
        for (const { payment, does } of all) {
          const call = { ...CALL, id: `call-${payment}` };
          const signal = does === 'abort' ? AbortSignal.abort() : undefined;
          const run: ToolRun | undefined = await guard
            .begin({ ...call, ...(signal && { signal }) })
            .catch(() => undefined);
          if (run === undefined) {
            // Only an aborted call, and one that finds no money, is stopped: never one that waits.
            expect(does === 'abort' || !waiting.has(payment)).toBe(true);
            continue;
          }
          waiting.delete(payment);
          if (does === 'pause') {
            run.pause();
            waiting.add(payment);
          } else if (does === 'end') {
            await run.done();
            paid += 1;
          } else {
            run.failed();
            lost += 1;
          }
          const [spent = 0, held = 0] = await budget();
          expect(Number(spent) + Number(held)).toBe(60 * (paid + lost + waiting.size));
          expect(Number(spent)).toBe(60 * (hold_seconds ? paid : paid + lost + waiting.size));
          expect(Number(spent) + Number(held)).toBeLessThanOrEqual(240);
        }
      }),
      { numRuns: cases(name === 'memory' ? 2_000 : 500) },
    );
  },
);
