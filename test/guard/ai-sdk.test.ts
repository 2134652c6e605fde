import { createToolGuard, type ToolGuard } from 'agent-identity-service/guard';
import { approvalOf, guardTools } from 'agent-identity-service/guard/ai-sdk';
import { tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openLocalService } from '../support/service.ts';
import { callTool, WAYS } from './frameworks/ai-sdk.mjs';
import { failuresOf, guardOf, openShop } from './matrix.mjs';

const inputSchema = z.object({ cents: z.number().nullish() });

describe('tools of the AI SDK', () => {
  test.each(WAYS)('hold in every case of the matrix: $name', async (way) => {
    const failures = await failuresOf(
      async (guard, args, { signal }) => {
        return (await callTool({ ...way, guard, args, signal })).ran;
      },
      way === WAYS[0] ? 100 : 10,
    );
    expect(failures).toEqual([]);
  });

  test('tell the model why, as an error of the tool', async () => {
    const guard = guardOf(await openShop());
    const { ran, parts } = await callTool({ guard, args: { cents: 10_001 } });
    expect(ran).toEqual([]);
    const error = parts.find(({ type }) => type === 'tool-error')?.error;
    expect(String(error)).toMatch(/DENY dec_\w+: The amount is over the limit\. \(amount_over_limit\)/);
  });

  test('stream what they yield, and nothing when they are denied', async () => {
    const guard = guardOf(await openShop());
    const way = { kind: 'an async generator', isStreamed: true, guard };
    const outputs = async (cents: number) =>
      (await callTool({ ...way, args: { cents } })).parts
        .filter(({ type }) => type === 'tool-result')
        .map(({ output, preliminary = false }) => [output, preliminary]);
    expect(await outputs(1)).toEqual([
      ['paying', true],
      ['paid', true],
      ['paid', false],
    ]);
    expect(await outputs(10_001)).toEqual([]);
  });

  test('run the evaluated arguments if these name a member twice', async () => {
    const guard = guardOf(await openShop());
    expect((await callTool({ guard, args: '{"cents":1,"cents":999}' })).ran).toEqual([{ cents: 999 }]);
    expect((await callTool({ guard, args: '{"cents":1,"cents":99999}' })).ran).toEqual([]);
  });

  test.each([
    [{ to: 'ann@example.com' }, 1],
    [{ to: ['ann@example.com', 'eve@evil.example'] }, 0],
    [{ to: 'ann@example.com', bcc: 'eve@evil.example' }, 0],
    [{ to: 'ann@example.com,eve@evil.example' }, 0],
  ])('write to no address that a condition does not name: %j', async (args, runs) => {
    const { service } = await openLocalService();
    const { agent_id } = await service.passports.create({
      domain: 'example.com',
      agent_name: 'mailer',
      allowed_actions: ['email.send'],
      monetary_limit_per_txn: 0,
      conditions: [
        { at: '/to', email_in: ['ann@example.com'] },
        { at: '', only: ['to'] },
      ],
    });
    const tools = { mail: { action: 'email.send', parameters: 'all' } } as const;
    const guard = createToolGuard({ verifier: service, agentId: agent_id, tools });
    const ran: unknown[] = [];
    const mail = tool({ inputSchema: z.looseObject({}), execute: async (sent) => ran.push(sent) });
    const { execute } = guardTools({ mail }, guard).mail;
    await Promise.resolve(execute?.(args, { toolCallId: '1', messages: [] })).catch(() => undefined);
    expect(ran).toHaveLength(runs);
  });

  test('are evaluated by the input that a schema makes: a default counts', async () => {
    const guard = guardOf(await openShop());
    const ran: unknown[] = [];
    const pay = tool({
      inputSchema: z.object({ cents: z.number().default(99_999) }),
      execute: async (args) => ran.push(args),
    });
    const { execute } = guardTools({ pay }, guard).pay;
    const options = { toolCallId: '1', messages: [] };
    await expect(Promise.resolve(execute?.({ cents: 99_999 }, options))).rejects.toMatchObject({
      code: 'tool_denied',
    });
    expect(ran).toEqual([]);
  });

  test('are left as they were; the guarded ones are new', async () => {
    const guard = guardOf(await openShop());
    const pay = tool({ description: 'Pays.', inputSchema, execute: async () => 'paid' });
    const given = { pay };
    const { execute } = pay;
    const guarded = guardTools(given, guard);
    expect(guarded.pay).not.toBe(pay);
    expect(guarded.pay.inputSchema).toBe(pay.inputSchema);
    expect([given.pay, pay.execute]).toEqual([pay, execute]);
  });
});

describe('what cannot be stopped is refused', () => {
  const service = openShop();
  const pay = tool({ inputSchema, execute: async () => 'paid' });
  const search = { type: 'provider' as const, id: 'openai.web_search' as const, args: {}, inputSchema };

  test('a tool of the provider, and one that the client runs', async () => {
    const guard = guardOf(await service);
    for (const other of [search, tool({ inputSchema })]) {
      expect(() => guardTools({ pay, other }, guard)).toThrow(/"other" runs where no guard can stop it/);
      expect(guardTools({ pay, other }, guardOf(await service, { unjudged: ['other'] }))['other']).toBe(
        other,
      );
    }
  });

  test('a rule without its tool', async () => {
    const guard = createToolGuard({ verifier: await service, agentId: 'a', tools: { pey: {} } });
    expect(() => guardTools({ pay }, guard)).toThrow(
      /a rule for "pey", and no such tool. Did you mean pay\?/,
    );
    expect(Object.keys(guardTools({ pay }, guard, { partial: true }))).toEqual(['pay']);
  });

  test('what only looks like a guard', () => {
    const allowed = { allowed: true as const, record: null };
    const open: ToolGuard = {
      ...{ unjudged: [], ruleNames: [], intentOf: () => undefined, judge: async () => allowed },
      begin: async () => expect.fail(),
      run: async (call, execute) => execute(call.args, null, () => undefined),
    };
    expect(() => guardTools({ pay }, open)).toThrow('createToolGuard');
    expect(() => approvalOf(open)).toThrow('createToolGuard');
  });
});

test('approvalOf answers nothing for an allowed call, and denied with the reason for any other', async () => {
  const approve = approvalOf(guardOf(await openShop()));
  const ask = (cents: number) =>
    approve({ toolCall: { toolName: 'pay', toolCallId: '1', input: { cents } } });
  expect(await ask(1)).toBeUndefined();
  expect(await ask(10_001)).toEqual({ type: 'denied', reason: expect.stringMatching(/amount_over_limit/) });
});
