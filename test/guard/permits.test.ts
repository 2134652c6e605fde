import { describe, expect, test } from 'vitest';
import { createEvaluations } from '../../adapters/cli/mcp-guard/evaluations.ts';
import type { Message } from '../../adapters/cli/mcp-guard/message.ts';
import { createToolGuard } from '../../src/guard/index.ts';
import { AUDIENCE, ISSUER, openPermits, PAYMENT } from '../identity/permits/stage.ts';
import { ARGS, openGuard, PERMIT, RULE } from './permit-guard.ts';

describe('a guard', () => {
  test('hands the permit to the tool, and shows its hook the record without it', async () => {
    const { guard, use, verdicts } = await openGuard();
    const permit = await guard.run({ name: 'pay', args: ARGS }, (_args, record) => record?.permit);
    expect((await use(permit)).amount).toBe('19.9');
    expect(verdicts).toMatchObject([{ allowed: true, record: { permit_audience: AUDIENCE } }]);
    expect(verdicts[0]?.record).not.toHaveProperty('permit');
  });

  test('reads the resource from the arguments, and denies a call that names none', async () => {
    const { guard, use } = await openGuard({ tools: { pay: { ...RULE, permit: '/at' } } });
    const args = { ...ARGS, at: AUDIENCE };
    expect(await use(await guard.run({ name: 'pay', args }, (_, record) => record?.permit))).toMatchObject(
      PAYMENT,
    );
    for (const at of [undefined, 7, '', 'test:x', 'a b']) {
      const call = { name: 'pay', args: { ...ARGS, at } };
      expect(await guard.judge(call)).toMatchObject({
        allowed: false,
        reasons: [{ code: 'intent_unreadable' }],
      });
    }
  });

  test('of a mapping asks for what it says', async () => {
    const permit = { audience: AUDIENCE, seconds: 5 };
    const { guard, use, clock } = await openGuard({
      tools: { pay: () => ({ action: PAYMENT.action, permit, parameters: { amount: 1, currency: 'EUR' } }) },
    });
    const { amount: _, target: __, ...payment } = PAYMENT;
    const token = await guard.run({ name: 'pay', args: {} }, (_args, record) => record?.permit);
    const { expires_at } = await use(token, { ...payment, amount: 1 });
    expect(expires_at).toBe(clock.instant(5_000));
  });

  test('denies an ALLOW without the token, whose amount stays spent', async () => {
    const opened = await openPermits();
    const { service, agent_id, spent } = opened;
    const verifier = {
      ...service,
      verify: async (...given: Parameters<typeof service.verify>) => {
        const { permit: _, ...record } = await service.verify(...given);
        return record;
      },
    };
    const guard = createToolGuard({ verifier, agentId: agent_id, tools: { pay: RULE } });
    const verdict = await guard.judge({ name: 'pay', args: ARGS });
    expect(verdict).toMatchObject({
      allowed: false,
      record: null,
      reasons: [{ code: 'verdict_unavailable' }],
    });
    // The service has issued the permit: a resource may accept it.
    expect(await spent()).toBe(19.9);
    const observing = createToolGuard({ verifier, agentId: agent_id, tools: { pay: RULE }, mode: 'observe' });
    expect(await observing.run({ name: 'pay', args: ARGS }, () => 'ran')).toBe('ran');
  });

  test('releases nothing of a spend with a permit when the run is aborted, or the tool does not start', async () => {
    const { service, agent_id, spent } = await openPermits();
    const released: string[] = [];
    const release = async (id: string) => {
      released.push(id);
      return service.spends.release(id);
    };
    const verifier = { ...service, spends: { ...service.spends, release } };
    const tools = { pay: { ...RULE, hold_seconds: 600 } };
    const stopped = new AbortController();
    const guard = createToolGuard({
      ...{ verifier, agentId: agent_id, tools },
      onVerdict: () => stopped.abort(new Error('stopped')),
    });
    await expect(guard.begin({ name: 'pay', args: ARGS, signal: stopped.signal })).rejects.toThrow('stopped');
    const run = await createToolGuard({ verifier, agentId: agent_id, tools }).begin({
      name: 'pay',
      args: ARGS,
    });
    await run.undo();
    expect([released, await spent()]).toEqual([[], 0]);
    expect((await service.passports.budgets(agent_id)).data[0]?.held).toBe(39.8);
  });

  test.each(['test:x', 'a b', '', 7])('cannot ask for a permit of %j', async (permit) => {
    const { service, agent_id } = await openPermits();
    const tools = { pay: { ...RULE, permit: permit as string } };
    expect(() => createToolGuard({ verifier: service, agentId: agent_id, tools })).toThrow(
      expect.objectContaining({ code: 'invalid_configuration' }),
    );
  });
});

describe('mcp-guard', () => {
  test('puts the permit of its verdict in the place of what the client sent', async () => {
    const { guard, use, service, intentOf } = await openGuard();
    const forwarded: Message[] = [];
    const evaluations = createEvaluations({
      ...{ guard, denyAs: 'result' as const, answer: () => undefined },
      forward: (message) => void forwarded.push(message),
    });
    const { permit: own } = await service.verify(intentOf());
    const params = { name: 'pay', arguments: ARGS, _meta: { [PERMIT]: own, progressToken: 1 } };
    evaluations.evaluate({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, 'tools/call', 1);
    await evaluations.settled();
    const [{ params: sent } = {}] = forwarded as readonly { params?: typeof params }[];
    expect(sent).toMatchObject({ name: 'pay', arguments: ARGS, _meta: { progressToken: 1 } });
    expect(sent?._meta[PERMIT]).not.toBe(own);
    expect((await use(sent?._meta[PERMIT])).agent_id).toBe(`${ISSUER}:agents:shopper`);
  });
});
