/** The pace of an agent: how many intents pass in any time of a length, and from when on the next one does. */
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { Pace, PassportInput } from '../../../src/records.ts';
import { manualClock, openLocalService } from '../../support/service.ts';
import { stores } from '../../support/stores.ts';

const START = Date.parse('2026-11-20T12:00:00.000Z');
const MAILER = 'did:web:mail.example:agents:mailer';

async function open(pace: readonly Pace[], more: Partial<PassportInput> = {}, openStore = stores[0]?.[1]) {
  const storage = await openStore?.();
  if (storage === undefined) throw new Error('There is no store.');
  const clock = manualClock(START);
  const { service } = openLocalService({ storage, clock });
  const { agent_id } = await service.passports.create({
    domain: 'mail.example',
    agent_name: 'mailer',
    allowed_actions: ['email.send', 'email.read'],
    monetary_limit_per_txn: 0,
    pace,
    ...more,
  });
  const ask = (intent: object = {}, options: object = {}) =>
    service.verify({ agent_id, action: 'email.send', ...intent }, options);
  const verdicts = async (number: number) => {
    const given: string[] = [];
    for (let asked = 0; asked < number; asked += 1) given.push((await ask()).verdict);
    return given.join(' ');
  };
  /** Moves the clock to an instant. */
  const go = (instant: unknown, offset = 0) => clock.advance(Date.parse(`${instant}`) + offset - clock.now());
  return { service, storage, clock, agent_id, ask, verdicts, go };
}

const FIVE: Pace = { actions: ['email.send'], max: 5, seconds: 60 };

describe.each(stores)('a pace in %s', (_, openStore) => {
  test('allows its number, then denies up to the instant that it names', async () => {
    const { ask, verdicts, clock, go } = await open([FIVE], {}, openStore);
    expect(await verdicts(3)).toBe('ALLOW ALLOW ALLOW');
    clock.advance(7_000);
    expect(await verdicts(2)).toBe('ALLOW ALLOW');
    clock.advance(9_000);
    const { verdict, reasons, budgets } = await ask();
    const [{ until } = { until: undefined }] = reasons as readonly { readonly until?: unknown }[];
    expect({ verdict, reasons, budgets }).toEqual({
      verdict: 'DENY',
      reasons: [
        {
          code: 'pace_exceeded',
          message: 'The agent is too fast.',
          agent_id: MAILER,
          pace: 'pace',
          max: 5,
          seconds: 60,
          until: '2026-11-20T12:01:05.000Z',
        },
      ],
      budgets: [],
    });
    go(until, -1);
    expect((await ask()).verdict).toBe('DENY');
    go(until);
    expect(await verdicts(4)).toBe('ALLOW ALLOW ALLOW DENY');
  });

  test('of one is exact to the millisecond', async () => {
    const { ask, clock } = await open([{ max: 1, seconds: 10 }], {}, openStore);
    clock.advance(1_234);
    expect((await ask()).verdict).toBe('ALLOW');
    clock.advance(9_999);
    expect((await ask({ dry_run: true })).verdict).toBe('DENY');
    expect((await ask()).reasons).toMatchObject([{ max: 1, seconds: 10, until: '2026-11-20T12:00:11.234Z' }]);
    clock.advance(1);
    expect((await ask({ dry_run: true })).verdict).toBe('ALLOW');
    expect((await ask()).verdict).toBe('ALLOW');
    expect((await ask()).verdict).toBe('DENY');
  });

  test('takes nothing with a denial of a budget, and a budget nothing with a denial of the pace', async () => {
    const budgets = [{ window: 'lifetime', count: 2, actions: ['email.send'] } as const];
    const { service, agent_id, ask, verdicts, clock } = await open(
      [
        { max: 3, seconds: 60 },
        { name: 'slow', max: 1, seconds: 5 },
      ],
      { budgets },
      openStore,
    );
    expect(await verdicts(3)).toBe('ALLOW DENY DENY');
    expect((await service.passports.budgets(agent_id)).data).toMatchObject([{ spent: 1 }]);
    clock.advance(5_000);
    expect(await verdicts(1)).toBe('ALLOW');
    clock.advance(5_000);
    expect((await ask()).reasons).toMatchObject([{ code: 'budget_exceeded' }]);
    // Two sent, and this is the third: the denials have taken nothing.
    expect((await ask({ action: 'email.read' })).verdict).toBe('ALLOW');
    expect((await ask({ action: 'email.read' })).reasons).toMatchObject([{ pace: 'pace' }, { pace: 'slow' }]);
  });

  test('takes nothing of a repeated request under a key', async () => {
    const { ask } = await open([{ max: 2, seconds: 60 }], {}, openStore);
    const first = await ask({}, { idempotencyKey: 'a' });
    expect(await ask({}, { idempotencyKey: 'a' })).toEqual(first);
    expect((await ask({}, { idempotencyKey: 'b' })).verdict).toBe('ALLOW');
    const denied = await ask({}, { idempotencyKey: 'c' });
    expect(denied.reasons).toMatchObject([{ code: 'pace_exceeded' }]);
    expect(await ask({}, { idempotencyKey: 'a' })).toEqual(first);
  });

  test('leaves no counter of an erased passport', async () => {
    const { service, storage, agent_id, ask, clock } = await open(
      [FIVE, { name: 'one', max: 1, seconds: 1 }],
      {},
      openStore,
    );
    await ask();
    await service.passports.update(agent_id, { pace: [{ max: 2, seconds: 1 }] });
    clock.advance(1_000);
    await ask();
    await service.revoke({ agent_id });
    await service.passports.purge(agent_id);
    expect(await storage.purge('counters', '9999-01-01T00:00:00.000Z')).toBe(0);
  });
});

test('the items of a batch are counted in their order', async () => {
  const { service, agent_id } = await open([FIVE]);
  const intents = Array.from({ length: 7 }, () => ({ agent_id, action: 'email.send' }));
  const records = await service.verifyBatch({ intents });
  expect(records.map(({ verdict }) => verdict).join(' ')).toBe('ALLOW ALLOW ALLOW ALLOW ALLOW DENY DENY');
});

test('a dry run says whether the intent would pass, and takes nothing', async () => {
  const { service, agent_id, ask, verdicts } = await open([{ max: 2, seconds: 60 }]);
  for (let asked = 0; asked < 3; asked += 1) expect((await ask({ dry_run: true })).verdict).toBe('ALLOW');
  const tried = await service.passports.try(agent_id, { intent: { agent_id, action: 'email.send' } });
  expect(tried.verdict).toBe('ALLOW');
  expect(await verdicts(3)).toBe('ALLOW ALLOW DENY');
  expect((await ask({ dry_run: true })).reasons).toMatchObject([{ code: 'pace_exceeded' }]);
});

test('gives nothing back of a hold that is released', async () => {
  const { service, ask } = await open([{ max: 1, seconds: 60 }], {
    budgets: [{ window: 'day', count: 9 }],
  });
  const { decision_id } = await ask({ hold_seconds: 60 });
  await service.spends.release(decision_id);
  expect((await ask()).reasons).toMatchObject([{ code: 'pace_exceeded' }]);
});

test('a pace of a parent counts its child agents, and is named with the agent_id of the parent', async () => {
  const { service, agent_id, ask } = await open([{ max: 3, seconds: 60 }]);
  const child = await service.passports.create({
    domain: 'mail.example',
    agent_name: 'child',
    allowed_actions: ['email.send'],
    monetary_limit_per_txn: 0,
    parent_agent_id: agent_id,
    pace: [{ name: 'own', max: 2, seconds: 60 }],
  });
  const askChild = () => service.verify({ agent_id: child.agent_id, action: 'email.send' });
  await ask();
  expect((await askChild()).verdict).toBe('ALLOW');
  expect((await askChild()).verdict).toBe('ALLOW');
  const { reasons } = await askChild();
  expect(reasons).toMatchObject([
    { agent_id: child.agent_id, pace: 'own' },
    { agent_id, pace: 'pace' },
  ]);
  expect((await service.passports.effective(child.agent_id)).pace).toEqual([
    { agent_id: child.agent_id, name: 'own', max: 2, seconds: 60 },
    { agent_id, name: 'pace', max: 3, seconds: 60 },
  ]);
});

test('an action that no pace names, and another environment, are not counted', async () => {
  const { service, agent_id, ask, verdicts } = await open([{ ...FIVE, max: 1 }]);
  expect(await verdicts(2)).toBe('ALLOW DENY');
  expect((await ask({ action: 'email.read' })).verdict).toBe('ALLOW');
  const inTest = { environment: 'test' } as never;
  expect((await service.verify({ agent_id, action: 'email.send' }, inTest)).verdict).toBe('ALLOW');
});

test.each<[string, Pace, string]>([
  ['a lower max', { ...FIVE, max: 2 }, 'DENY'],
  ['other actions', { ...FIVE, actions: ['email.*'] }, 'ALLOW DENY'],
  ['another name', { ...FIVE, name: 'mails' }, 'ALLOW ALLOW ALLOW ALLOW ALLOW DENY'],
  ['other seconds', { ...FIVE, seconds: 61 }, 'ALLOW ALLOW ALLOW ALLOW ALLOW DENY'],
  ['a max of 1', { ...FIVE, max: 1 }, 'ALLOW DENY'],
])('a change to %s keeps the counter, or begins another', async (_, pace, expected) => {
  const { service, agent_id, ask, verdicts } = await open([FIVE]);
  expect(await verdicts(4)).toBe('ALLOW ALLOW ALLOW ALLOW');
  await service.passports.update(agent_id, { pace: [pace] });
  expect(await verdicts(expected.split(' ').length)).toBe(expected);
  expect((await ask()).verdict).toBe('DENY');
});

test('a clock that was set back does not let the agent be faster', async () => {
  const { clock, verdicts, ask } = await open([
    { max: 2, seconds: 60 },
    { name: 'one', max: 1, seconds: 1 },
  ]);
  await ask();
  clock.advance(-500);
  expect((await ask()).reasons).toMatchObject([{ pace: 'one' }]);
  clock.advance(1_500);
  expect(await verdicts(1)).toBe('ALLOW');
  clock.advance(1_000);
  expect((await ask()).reasons).toMatchObject([{ pace: 'pace' }]);
});

/** Two services on one store, each with its own clock; the passport has a pace of 5 in 12 seconds, in parts of one. */
async function openTwo() {
  const storage = memoryStorage();
  const shared = { ...storage, close: async () => {} };
  const [slow, quick] = [manualClock(START), manualClock(START)].map((clock) => {
    const { service } = openLocalService({ storage: shared, clock });
    const ask = async () => (await service.verify({ agent_id: MAILER, action: 'email.send' })).verdict;
    return { clock, service, ask };
  });
  if (slow === undefined || quick === undefined) throw new Error('There is no service.');
  await slow.service.passports.create({
    domain: 'mail.example',
    agent_name: 'mailer',
    allowed_actions: ['email.send'],
    monetary_limit_per_txn: 0,
    pace: [{ max: 5, seconds: 12 }],
  });
  return { slow, quick };
}

test('an intent that is counted late is denied by the intents after it', async () => {
  const { slow, quick } = await openTwo();
  quick.clock.advance(5_000);
  for (let asked = 0; asked < 5; asked += 1) expect(await quick.ask()).toBe('ALLOW');
  // The earliest span of the late intent has none of them.
  expect(await slow.ask()).toBe('DENY');
});

test('an intent that is counted late counts in its own spans alone', async () => {
  const { slow, quick } = await openTwo();
  quick.clock.advance(5_000);
  for (let asked = 0; asked < 3; asked += 1) expect(await quick.ask()).toBe('ALLOW');
  expect([await slow.ask(), await slow.ask()]).toEqual(['ALLOW', 'ALLOW']);
  expect(await quick.ask()).toBe('DENY');
  quick.clock.advance(8_000);
  expect([await quick.ask(), await quick.ask(), await quick.ask()]).toEqual(['ALLOW', 'ALLOW', 'DENY']);
});
