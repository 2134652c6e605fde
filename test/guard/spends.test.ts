/** What the runs of a guard spend: once each, and nothing for a tool that was not run. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { guardTools } from '../../adapters/guards/ai-sdk/index.ts';
import { createToolGuard, type ToolGuardOptions, type Verifier } from '../../src/guard/index.ts';
import { nodeListener } from '../../src/http/index.ts';
import { createIdentityClient, type Intent, type Scope, type VerdictRecord } from '../../src/index.ts';
import { listen } from '../support/servers.ts';
import { openLocalService } from '../support/service.ts';

const PAY = { action: 'payments.create', amount: '/cents', decimals: 2, currency: 'EUR' };
const CALL = { name: 'pay', args: { cents: 2_500 } };
const fail = () => expect.fail('ran');

async function openTill(options: Partial<ToolGuardOptions> = {}, hold_seconds?: number) {
  const { service, clock } = openLocalService();
  const { agent_id } = await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'shopper', currency: 'EUR', monetary_limit_per_txn: 100 },
    ...{ allowed_actions: ['payments.create', 'look'], monetary_actions: ['payments.create'] },
    budgets: [{ window: 'lifetime', limit: 1_000 }],
  });
  const rule = { ...PAY, ...(hold_seconds !== undefined && { hold_seconds }) };
  const guardOver = (verifier: Verifier, more: Partial<ToolGuardOptions> = {}) =>
    createToolGuard({ verifier, agentId: agent_id, tools: { pay: rule }, ...options, ...more });
  const budget = async () => {
    const [state] = (await service.passports.budgets(agent_id)).data;
    return [state?.spent, state?.held];
  };
  return { service, clock, agent_id, guard: guardOver(service), guardOver, budget };
}

/** A verifier that waits before it passes the answer of the service on. */
function slow(service: Verifier) {
  let open: (() => void) | undefined;
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  const answered: Promise<VerdictRecord>[] = [];
  const verifier: Verifier = {
    ...(service.spends && { spends: service.spends }),
    verify(intent, { idempotencyKey } = {}) {
      // Without the signal, which would end the request: here the answer is on its way already.
      const answer = service.verify(intent, idempotencyKey === undefined ? {} : { idempotencyKey });
      answered.push(answer);
      return isOpen.then(() => answer);
    },
  };
  return { verifier, answered, open: () => open?.() };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe.each([undefined, 60])('with hold_seconds %s', (hold_seconds) => {
  test('an ALLOW that comes after the deadline gives back what it took', async () => {
    const { service, guardOver, budget } = await openTill({ timeoutMs: 10 }, hold_seconds);
    const { verifier, answered, open } = slow(service);
    await expect(guardOver(verifier).run(CALL, fail)).rejects.toMatchObject({ code: 'tool_denied' });
    expect(await guardOver(verifier).judge(CALL)).toMatchObject({ allowed: false });
    await Promise.all(answered);
    expect(await budget()).toEqual(hold_seconds === undefined ? [50, 0] : [0, 50]);
    open();
    await expect.poll(budget).toEqual([0, 0]);
  });

  test('a run that is aborted before its tool begins gives back what it took', async () => {
    const { service, guardOver, budget } = await openTill({}, hold_seconds);
    const controller = new AbortController();
    const { signal } = controller;
    const verifier: Verifier = {
      spends: service.spends,
      async verify(intent, options) {
        const record = await service.verify(intent, options);
        // The answer is on its way to the guard already.
        queueMicrotask(() => controller.abort(new Error('stopped')));
        return record;
      },
    };
    await expect(guardOver(verifier).run({ ...CALL, signal }, fail)).rejects.toThrow('stopped');
    await expect.poll(budget).toEqual([0, 0]);
  });

  test('a question ahead takes nothing, and is no run', async () => {
    const { guard, budget, service } = await openTill({ idempotencyKey: () => 'order-1' }, hold_seconds);
    expect(await guard.judge(CALL, { dry_run: true })).toMatchObject({
      ...{ allowed: true, record: { dry_run: true } },
    });
    expect(await budget()).toEqual([0, 0]);
    await guard.run(CALL, () => 'paid');
    expect(await guard.judge(CALL, { dry_run: true })).toMatchObject({ allowed: true });
    expect(await budget()).toEqual([25, 0]);
    expect((await service.verifications.list({})).data.filter(({ dry_run }) => !dry_run)).toHaveLength(1);
  });
});

test('a hold is committed once the tool has ended well, and left to lapse where it throws', async () => {
  const { guard, budget, clock } = await openTill({}, 60);
  await guard.run(CALL, async () => expect(await budget()).toEqual([0, 25]));
  expect(await budget()).toEqual([25, 0]);
  const own = new Error('The bank is closed.');
  await expect(guard.run(CALL, () => Promise.reject(own))).rejects.toBe(own);
  expect(await budget()).toEqual([25, 25]);
  clock.advance(60_000);
  expect(await budget()).toEqual([25, 0]);
});

test('commits the hold of a tool whose end is unknown, and of a stream that its reader left', async () => {
  const { guard, budget } = await openTill({}, 60);
  await (await guard.begin(CALL)).failed('unknown');
  expect(await budget()).toEqual([25, 0]);
  const pay = {
    async *execute() {
      yield 'paying';
      yield 'paid';
    },
  };
  const stream = guardTools({ pay }, guard).pay.execute as unknown as (args: object) => AsyncIterable<string>;
  for await (const part of stream(CALL.args)) {
    expect(part).toBe('paying');
    break;
  }
  expect(await budget()).toEqual([50, 0]);
});

test('a rule that is a function may hold as well', async () => {
  const intent = { action: 'payments.create', parameters: { amount: 5, currency: 'EUR' } };
  const pay = (args: unknown) => ({ ...intent, hold_seconds: (args as { seconds: number }).seconds });
  const { guard, budget } = await openTill({ tools: { pay } });
  await guard.run({ name: 'pay', args: { seconds: 5 } }, async () => expect(await budget()).toEqual([0, 5]));
  for (const seconds of [0, 1.5, 604_801, '5', null]) {
    expect(await guard.judge({ name: 'pay', args: { seconds } })).toMatchObject({
      reasons: [{ code: 'intent_unreadable' }],
    });
  }
  expect(await budget()).toEqual([5, 0]);
});

test.each([0, -1, 1.5, 604_801, '60', null])('hold_seconds of %j is refused', async (hold_seconds) => {
  const tools = { pay: { ...PAY, hold_seconds } } as unknown as ToolGuardOptions['tools'];
  await expect(openTill({ tools: tools ?? {} })).rejects.toMatchObject({ code: 'invalid_configuration' });
});

describe('under a key of the application', () => {
  const order = { idempotencyKey: ({ context }: { readonly context?: unknown }) => String(context) };

  test('runs of one order spend once, and another order for itself', async () => {
    const { guard, budget } = await openTill(order);
    let payments = 0;
    const pay = (context: string) => guard.run({ ...CALL, context }, () => ++payments);
    expect([await pay('order-1'), await pay('order-1'), await pay('order-2')]).toEqual([1, 2, 3]);
    expect(await budget()).toEqual([50, 0]);
    const other = guard.run({ ...CALL, args: { cents: 1 }, context: 'order-1' }, fail);
    await expect(other).rejects.toMatchObject({
      details: { reasons: [{ code: 'verdict_unavailable' }] },
    });
  });

  test('a run that is given up gives nothing back: the next one goes on with it', async () => {
    const { service, guardOver, budget } = await openTill({ ...order, timeoutMs: 10 }, 60);
    const { verifier, answered, open } = slow(service);
    const call = { ...CALL, context: 'order-1' };
    await expect(guardOver(verifier).run(call, fail)).rejects.toMatchObject({ code: 'tool_denied' });
    await Promise.all(answered);
    open();
    expect(await budget()).toEqual([0, 25]);
    expect(await guardOver(service, { timeoutMs: 2_000 }).run(call, () => 'paid')).toBe('paid');
    expect(await budget()).toEqual([25, 0]);
  });

  test('a hold that no run goes on with lapses', async () => {
    const { guard, budget, clock } = await openTill(order, 60);
    const run = await guard.begin({ ...CALL, context: 'order-1' });
    await run.undo();
    expect(await budget()).toEqual([0, 25]);
    clock.advance(60_000);
    expect(await budget()).toEqual([0, 0]);
  });

  test('a run is denied when what the first one took has gone back', async () => {
    const { guard, service, clock } = await openTill(order, 60);
    const own = new Error('The bank is closed.');
    const call = { ...CALL, context: 'order-1' };
    await expect(guard.run(call, () => Promise.reject(own))).rejects.toBe(own);
    clock.advance(60_000);
    const lapsed = guard.run(call, fail);
    await expect(lapsed).rejects.toMatchObject({ details: { reasons: [{ code: 'verdict_unavailable' }] } });
    const paid = { ...CALL, context: 'order-2' };
    await guard.run(paid, () => 'paid');
    const [{ decision_id = '' } = {}] = (await service.verifications.list({})).data;
    await service.spends.release(decision_id);
    await expect(guard.run(paid, fail)).rejects.toMatchObject({ code: 'tool_denied' });
  });

  test('what has become of a spend is looked up within the time of the verdict, and not after an abort', async () => {
    const { service, guardOver } = await openTill(order, 60);
    let looks = 0;
    const hanging = () => {
      looks += 1;
      return new Promise<never>(() => undefined);
    };
    const verifier: Verifier = { ...service, spends: { ...service.spends, get: hanging } };
    const late = guardOver(verifier, { timeoutMs: 10 });
    expect(await late.judge(CALL)).toMatchObject({
      ...{ allowed: false, record: null, reasons: [{ code: 'verdict_unavailable' }] },
    });
    const controller = new AbortController();
    const running = guardOver(verifier).run({ ...CALL, signal: controller.signal }, fail);
    await expect.poll(() => looks).toBe(2);
    controller.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });

  test.each([undefined, '', 7, 'ü', 'x'.repeat(256)])('%j is no key: the call is denied', async (key) => {
    const { guard, budget } = await openTill({ idempotencyKey: () => key as string });
    expect(await guard.judge(CALL)).toMatchObject({ reasons: [{ code: 'intent_unreadable' }] });
    expect(await budget()).toEqual([0, 0]);
  });
});

describe('over HTTP', () => {
  async function openRemote(scopes: readonly Scope[], hold_seconds?: number) {
    const till = await openTill({}, hold_seconds);
    const { key: apiKey } = await till.service.keys.create({ name: 'guard', scopes });
    const baseUrl = `${await listen(nodeListener(till.service))}/api`;
    return { ...till, client: createIdentityClient({ baseUrl, apiKey }) };
  }

  test('a run holds, and commits', async () => {
    const { client, guardOver, budget } = await openRemote(['verify'], 60);
    await guardOver(client).run(CALL, async () => expect(await budget()).toEqual([0, 25]));
    expect(await budget()).toEqual([25, 0]);
  });

  test.each([
    [['verify'], 60, 'released'],
    [['verify'], undefined, 'committed'],
    [['verify', 'refund'], undefined, 'released'],
  ] as const)('with %j and hold_seconds %s a late ALLOW ends as %s', async (scopes, seconds, status) => {
    const { client, guardOver, service } = await openRemote(scopes, seconds);
    const { verifier, answered, open } = slow(client);
    const released: Promise<unknown>[] = [];
    const release = (id: string) => {
      released.push(client.spends.release(id).catch(() => undefined));
      return released[0] as Promise<unknown>;
    };
    const late = guardOver({ ...verifier, spends: { ...client.spends, release } }, { timeoutMs: 10 });
    const run = late.run(CALL, fail);
    const outcomes = await Promise.allSettled([run]);
    expect(outcomes).toMatchObject([{ status: 'rejected', reason: { code: 'tool_denied' } }]);
    const [record] = await Promise.all(answered);
    open();
    await expect.poll(() => released.length).toBe(1);
    await Promise.all(released);
    expect((await service.spends.get(record?.decision_id ?? '')).status).toBe(status);
  });
});

test('a commit that fails is tried again, and said when it is refused', async () => {
  vi.useFakeTimers();
  const { service, guardOver } = await openTill({}, 60);
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  let tries = 0;
  let failure = 'storage_unavailable';
  const commit = async (): Promise<void> => {
    tries += 1;
    if (tries < 3) throw Object.assign(new Error('secret-host'), { code: failure });
  };
  const verifier = {
    verify: (intent: Intent) => service.verify(intent),
    spends: { ...service.spends, commit },
  };
  const guard = guardOver(verifier);
  expect(await guard.run(CALL, () => 'paid')).toBe('paid');
  expect(tries).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([tries, warned.mock.calls]).toEqual([3, []]);
  tries = 0;
  failure = 'spend_lapsed';
  expect(await guard.run(CALL, () => 'paid')).toBe('paid');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(tries).toBe(1);
  expect(String(warned.mock.calls)).toMatch(/could not be committed: dec_\w+\./);
  expect(String(warned.mock.calls)).not.toContain('secret-host');
});

test('a verifier without spends, and an ALLOW that took nothing, settle nothing', async () => {
  const { service, guardOver, budget } = await openTill({}, 60);
  await guardOver({ verify: service.verify }).run(CALL, () => 'paid');
  expect(await budget()).toEqual([0, 25]);
  const spends = { get: fail, commit: fail, release: fail };
  const run = await guardOver({ verify: service.verify, spends }).begin({ name: 'look', args: {} });
  expect(run.hasTaken).toBe(false);
  await run.done();
  await run.undo();
});
