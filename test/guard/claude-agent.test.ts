import { guardOptions } from 'agent-identity-service/guard/claude-agent';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { callTool } from './frameworks/claude-agent.mjs';
import { failuresOf, guardOf, openShop, PAY } from './matrix.mjs';

const rewrite = (updatedInput: object) => async () => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput },
});

describe('the tools of the Claude Agent SDK', () => {
  test('hold in every case of the matrix, and against a hook that allows everything', async () => {
    const hooks = { PreToolUse: [{ hooks: [rewrite({})] }] };
    let count = 0;
    for (const given of [{}, { hooks }]) {
      const failures = await failuresOf(async (guard, args, { signal }) => {
        count += 1;
        const options = guardOptions(given, guard);
        const { ran } = await callTool({ options, args, signal, id: `toolu_${count}` });
        return ran.map(() => args);
      });
      expect(failures).toEqual([]);
    }
  });

  test('tell the model why', async () => {
    const options = guardOptions({}, guardOf(await openShop()));
    expect(await callTool({ options, args: { cents: 10_001 } })).toEqual({
      ran: [],
      told: expect.stringMatching(/^DENY dec_\w+: The amount is over the limit\. \(amount_over_limit\)/),
    });
  });

  test('run once after an approval: not before, not a second time', async () => {
    const service = await openShop({ approval: { above: 10 } });
    const options = guardOptions({}, guardOf(service, { approvals: { waitMs: 10_000 } }));
    const call = { options, args: { cents: 2_500 } };
    const [first] = await Promise.all([
      callTool(call),
      eventually(async () => {
        const [asked] = (await service.approvals.list({ status: 'pending' })).data;
        await service.approvals.approve(String(asked?.id));
      }),
    ]);
    expect(first).toEqual({ ran: [call.args], stopped: false });
    const again = guardOptions({}, guardOf(service, { approvals: {} }));
    const { ran, told } = await callTool({ options: again, args: call.args, id: 'toolu_2' });
    expect([ran, told]).toEqual([[], expect.stringContaining('(approval_required)')]);
  });

  test('report how they end, and an interrupted tool as unknown', async () => {
    const service = await openShop();
    const options = guardOptions({}, guardOf(service));
    await callTool({ options, args: { cents: 1 }, id: 'a' });
    await callTool({ options, args: { cents: 1 }, id: 'b', isFailing: true });
    await callTool({ options, args: { cents: 1 }, id: 'c', isFailing: true, interrupted: true });
    await eventually(async () => {
      const { data } = await service.verifications.list();
      expect(data.map(({ outcome }) => outcome?.outcome)).toEqual(['unknown', 'failed', 'succeeded']);
    });
  });

  test('stop the agent if another hook gives the call another intent, and not for other members', async () => {
    const service = await openShop();
    const run = (updatedInput: object, id: string) => {
      const hooks = { PreToolUse: [{ hooks: [rewrite(updatedInput)] }] };
      return callTool({ options: guardOptions({ hooks }, guardOf(service)), args: { cents: 1 }, id });
    };
    expect(await run({ cents: 99_999 }, 'a')).toEqual({ ran: [{ cents: 99_999 }], stopped: true });
    expect(await run({ cents: 1, note: 'x' }, 'b')).toEqual({
      ran: [{ cents: 1, note: 'x' }],
      stopped: false,
    });
    await eventually(async () => {
      const { data } = await service.verifications.list();
      expect(data.map(({ outcome }) => outcome?.outcome)).toEqual(['succeeded', 'unknown']);
    });
  });

  test('spend the hold of a tool with an unknown end, and not of a tool that failed', async () => {
    const service = await openShop({ budgets: [{ window: 'day', limit: 30 }] });
    const guard = guardOf(service, { tools: { pay: { ...PAY, hold_seconds: 600 } } });
    const call = (id: string, more: object) => {
      const options = guardOptions(more, guard);
      return callTool({ options, args: { cents: 1 }, id, ...more });
    };
    await call('a', { isFailing: true });
    await call('b', { isFailing: true, interrupted: true });
    await call('c', { hooks: { PreToolUse: [{ hooks: [rewrite({ cents: 2 })] }] } });
    const { data } = await service.verifications.list();
    const spends = await Promise.all(data.map(({ decision_id }) => service.spends.get(decision_id)));
    expect(spends.map(({ status }) => status)).toEqual(['committed', 'committed', 'held']);
  });

  test('take once for a call that comes again', async () => {
    const service = await openShop({ budgets: [{ window: 'day', limit: 30 }] });
    const options = guardOptions({}, guardOf(service));
    for (const id of ['a', 'a', 'a']) {
      expect((await callTool({ options, args: { cents: 2_500 }, id })).ran).toHaveLength(1);
    }
    expect((await callTool({ options, args: { cents: 2_500 }, id: 'b' })).ran).toEqual([]);
  });
});

test('the options keep what was given, with the hook of the guard first', async () => {
  const guard = guardOf(await openShop());
  const own = { hooks: [async () => ({})] };
  const given = { model: 'm', hooks: { PreToolUse: [own], Stop: [own] } };
  const { hooks, ...rest } = guardOptions(given, guard, { timeout: 5 });
  expect(rest).toEqual({ model: 'm' });
  expect(hooks).toMatchObject({
    PreToolUse: [{ onFailure: 'block', timeout: 5 }, own],
    PostToolUse: [{}],
    PostToolUseFailure: [{}],
    Stop: [own],
  });
  expect(hooks.PreToolUse[0]).not.toHaveProperty('matcher');
  expect(given.hooks.PreToolUse).toEqual([own]);
});

test('throws invalid_configuration for options without hooks, a wrong time, and a guard that is none', async () => {
  const guard = guardOf(await openShop());
  const bad = expect.objectContaining({ code: 'invalid_configuration' });
  expect(() => guardOptions({ extraArgs: { bare: null } }, guard)).toThrow(bad);
  expect(() => guardOptions({ env: { CLAUDE_CODE_SIMPLE: '1' } }, guard)).toThrow(bad);
  expect(() => guardOptions({ env: {} }, guard)).not.toThrow();
  process.env['CLAUDE_CODE_SIMPLE'] = '1';
  onTestFinished(() => {
    delete process.env['CLAUDE_CODE_SIMPLE'];
  });
  expect(() => guardOptions({}, guard)).toThrow(bad);
  delete process.env['CLAUDE_CODE_SIMPLE'];
  for (const timeout of [0, 1.5, -1, 3_601, Number.NaN, '5' as never])
    expect(() => guardOptions({}, guard, { timeout })).toThrow(bad);
  expect(() => guardOptions({}, { ...guard })).toThrow(bad);
});
