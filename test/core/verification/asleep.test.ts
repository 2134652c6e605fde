import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { createIdentityService, type IdentityService } from '../../../src/core.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { HOUR, START } from '../../support/service.ts';

const AGENT = 'did:web:acme.com:agents:buyer';
const CHILD = 'did:web:acme.com:agents:child';
const intent = { agent_id: AGENT, action: 'payments.create' };
const PASSPORT = {
  domain: 'acme.com',
  agent_name: 'buyer',
  allowed_actions: ['payments.create'],
  monetary_limit_per_txn: 100,
};

/** A machine whose `performance.now()` stands still in a sleep, and whose wall clock may be set. */
function machine() {
  let truly = 0;
  let steady = 0;
  let setMs = 0;
  let looks = 0;
  return {
    truly: () => truly,
    looks: () => looks,
    wake(ms: number) {
      truly += ms;
      steady += ms;
    },
    sleep(ms: number) {
      truly += ms;
    },
    set(ms: number) {
      setMs += ms;
    },
    clock: {
      now() {
        looks += 1;
        return START + truly + setMs;
      },
      monotonic: () => steady,
    },
  };
}

/** Two nodes of one store that hear nothing of each other: the one that sleeps, and one that is awake all the time. */
function openNodes() {
  const { subscribe: _, ...storage } = memoryStorage();
  const one = machine();
  const after = () => () => {};
  const open = (clock: ReturnType<typeof machine>['clock']): IdentityService =>
    createIdentityService({
      storageDeadlineMs: PATIENT_MS,
      storage: storage as StorageAdapter,
      clock,
      after,
    });
  const asleep = open(one.clock);
  const truth = { now: () => START + one.truly(), monotonic: one.truly };
  return { one, asleep, awake: open(truth) };
}

async function openWarm() {
  const nodes = openNodes();
  const { asleep, awake, one } = nodes;
  await awake.passports.create(PASSPORT);
  const { key, id } = await awake.keys.create({ name: 'buyer', scopes: ['verify'] });
  const ask = async () => (await asleep.verify(intent)).verdict;
  const askWithKey = async () => (await asleep.verifyAs(key, intent)).verdict;
  // Warm: asked often, and read anew just before the sleep.
  for (let times = 0; times < 5; times += 1) {
    one.wake(300);
    expect(await ask()).toBe('ALLOW');
    expect(await askWithKey()).toBe('ALLOW');
  }
  return { ...nodes, id, ask, askWithKey };
}

describe('after an hour asleep, in which the steady clock stood still', () => {
  test('an agent that another node revoked meanwhile is denied', async () => {
    const { one, awake, asleep, ask } = await openWarm();
    await awake.revoke({ agent_id: AGENT });
    one.sleep(HOUR);
    expect((await asleep.verify(intent)).reasons[0]?.code).toBe('agent_revoked');
    expect(await ask()).toBe('DENY');
    const [batched] = await asleep.verifyBatch({ intents: [intent] });
    expect(batched?.verdict).toBe('DENY');
  });

  test('a key that another node revoked meanwhile is refused', async () => {
    const { one, awake, id, askWithKey } = await openWarm();
    await awake.keys.revoke(id);
    one.sleep(HOUR);
    await expect(askWithKey()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('denies a child of an agent that another node suspended meanwhile', async () => {
    const { one, awake, asleep } = await openWarm();
    await awake.passports.create({ ...PASSPORT, agent_name: 'child', parent_agent_id: AGENT });
    const ask = () => asleep.verify({ ...intent, agent_id: CHILD });
    expect((await ask()).verdict).toBe('ALLOW');
    await awake.suspend({ agent_id: AGENT });
    one.sleep(HOUR);
    expect((await ask()).verdict).toBe('DENY');
  });

  test('what was not changed is allowed', async () => {
    const { one, ask, askWithKey } = await openWarm();
    one.sleep(HOUR);
    expect(await ask()).toBe('ALLOW');
    expect(await askWithKey()).toBe('ALLOW');
  });
});

test('a warm verdict reads the wall clock once, and stands at that instant', async () => {
  const { one, asleep, ask, askWithKey } = await openWarm();
  // What is read again behind an answer has come, and the use of that key was noted, by a look of its own.
  await setImmediate();
  await askWithKey();
  const before = one.looks();
  await ask();
  expect(one.looks() - before).toBe(1);
  await askWithKey();
  expect(one.looks() - before).toBe(2);
  const { evaluated_at } = await asleep.verify(intent);
  expect(evaluated_at).toBe(new Date(START + one.truly()).toISOString());
});

const step = fc.oneof(
  fc.record({ kind: fc.constant('wake'), ms: fc.integer({ min: 0, max: 500 }) }),
  fc.record({ kind: fc.constant('sleep'), ms: fc.integer({ min: 0, max: 99 }) }),
  fc.record({ kind: fc.constant('sleep'), ms: fc.integer({ min: 0, max: HOUR }) }),
  fc.record({ kind: fc.constant('set'), ms: fc.integer({ min: 0, max: HOUR }) }),
);
const history = fc.record({
  before: fc.array(step, { maxLength: 12 }),
  after: fc.array(step, { maxLength: 12 }),
  // A clock that is set back hides what has been slept just before, less than 100 ms of it.
  backMs: fc.integer({ min: 1, max: HOUR }),
  backAt: fc.nat(24),
});

test('a revocation counts within a true second, after any history of steps and sleeps', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ before, after, backMs, backAt }) => {
      const { one, awake, ask, askWithKey, id } = await openWarm();
      const steps = [...before, { kind: 'revoke', ms: 0 }, ...after];
      steps.splice(backAt, 0, { kind: 'set', ms: -backMs });
      let revokedAt: number | undefined;
      for (const { kind, ms } of steps) {
        if (kind === 'wake') one.wake(ms);
        else if (kind === 'sleep') one.sleep(ms);
        else if (kind === 'set') one.set(ms);
        else {
          await awake.revoke({ agent_id: AGENT });
          await awake.keys.revoke(id);
          revokedAt = one.truly();
        }
        const answers = [await ask(), await askWithKey().catch(() => 'DENY')];
        if (revokedAt === undefined) expect(answers).toEqual(['ALLOW', 'ALLOW']);
        else if (one.truly() - revokedAt > 1_000) expect(answers).toEqual(['DENY', 'DENY']);
      }
    }),
    { seed: 20261124, numRuns: 100 },
  );
});
