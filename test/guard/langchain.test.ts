import { createToolGuard, type ToolGuard } from 'agent-identity-service/guard';
import { guardMiddleware } from 'agent-identity-service/guard/langchain';
import { createAgent, createMiddleware, fakeModel, ToolMessage } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callTool, WAYS } from './frameworks/langchain.mjs';
import { failuresOf, guardOf, openShop } from './matrix.mjs';

describe('tools of LangChain', () => {
  test.each(WAYS)('hold in every case of the matrix: $name', async (way) => {
    const failures = await failuresOf(
      async (guard, args, { signal }) => (await callTool({ ...way, guard, args, signal })).ran,
      way === WAYS[0] ? 100 : 10,
    );
    expect(failures).toEqual([]);
  });

  test('tell the model why, and give programs the record', async () => {
    const guard = guardOf(await openShop());
    const { ran, messages } = await callTool({ guard, args: { cents: 10_001 } });
    expect(ran).toEqual([]);
    expect(messages).toMatchObject([
      {
        status: 'error',
        tool_call_id: 'call-1',
        content: expect.stringMatching(/^DENY dec_\w+: The amount is over the limit\. \(amount_over_limit\)/),
        artifact: { verdict: 'DENY', reasons: [{ code: 'amount_over_limit' }] },
      },
    ]);
  });

  test('without a verdict say nothing of the cause', async () => {
    const verifier = { verify: () => Promise.reject(new Error('ECONNREFUSED secret-host')) };
    const { messages } = await callTool({ guard: guardOf(verifier), args: { cents: 1 } });
    expect(messages.map(({ content }) => content)).toEqual([
      'DENY: There is no verdict. (verdict_unavailable) The tool was not run.',
    ]);
  });

  test('are evaluated by the arguments of the model: a default of the schema is denied', async () => {
    const guard = guardOf(await openShop());
    const schema = z.object({ cents: z.number().default(99_999) });
    expect((await callTool({ guard, args: {}, schema })).ran).toEqual([]);
    expect((await callTool({ guard, args: { cents: 1 }, schema })).ran).toEqual([{ cents: 1 }]);
  });

  test('are evaluated after the changes of other middleware', async () => {
    const guard = guardOf(await openShop());
    const dearer = createMiddleware({
      name: 'Dearer',
      wrapToolCall: (request, handler) =>
        handler({ ...request, toolCall: { ...request.toolCall, args: { cents: 10_001 } } }),
    });
    expect((await callTool({ guard, args: { cents: 1 }, middleware: [dearer] })).ran).toEqual([]);
  });

  test('run as they were read, whatever a call says when it is read again', async () => {
    const guard = guardOf(await openShop(), { unjudged: ['search'] });
    const { wrapToolCall } = guardMiddleware(guard);
    const reads: Record<string, number> = {};
    /** What it is at the first look, and then the other. */
    const inTurn = <T>(name: string, first: T, then: T): T => {
      reads[name] = (reads[name] ?? 0) + 1;
      return reads[name] === 1 ? first : then;
    };
    const search = { name: 'search' };
    const request = {
      toolCall: {
        get name() {
          return inTurn('name', 'search', 'pay');
        },
        get id() {
          return inTurn('id', 'call-1', 'call-2');
        },
        args: { cents: 10_001 },
      },
      get tool() {
        return inTurn<object>('tool', search, { name: 'pay' });
      },
      state: { messages: [] },
      runtime: {},
    };
    const ran: unknown[] = [];
    const handler = (given: typeof request) => {
      ran.push([given.toolCall.name, given.toolCall.id, given.tool]);
      return new ToolMessage({ content: 'done', tool_call_id: 'call-1' });
    };
    await wrapToolCall?.(request as never, handler as never);
    expect(ran).toEqual([['search', 'call-1', search]]);
  });

  test('do not run in the place of another one that the call names', async () => {
    const guard = guardOf(await openShop(), { unjudged: ['search'] });
    const { wrapToolCall } = guardMiddleware(guard);
    const toolCall = { name: 'search', id: 'call-1', args: { cents: 10_001 } };
    const request = { toolCall, tool: { name: 'pay' }, state: { messages: [] }, runtime: {} };
    const call = async () => wrapToolCall?.(request as never, (() => expect.fail('ran')) as never);
    await expect(call()).rejects.toThrow('another tool would run');
  });

  test('an exception of the tool itself is not a DENY', async () => {
    const guard = guardOf(await openShop());
    const schema = z.object({ cents: z.number().refine(() => false) });
    const { ran, messages, error } = await callTool({ guard, args: { cents: 1 }, schema });
    expect([ran, error]).toEqual([[], undefined]);
    expect(String(messages[0]?.content)).not.toContain('DENY');
  });
});

describe('what cannot be stopped is refused at the first call of the model', () => {
  const ask = async (tools: Parameters<typeof createAgent>[0]['tools'], guard: ToolGuard, options = {}) => {
    const model = fakeModel().respond(new Error('The model was asked.'));
    const middleware = [guardMiddleware(guard, options)] as const;
    const agent = createAgent({ model, tools: tools ?? [], middleware });
    return agent.invoke({ messages: [{ role: 'user', content: 'Pay.' }] });
  };

  test('a tool of the provider', async () => {
    const service = await openShop();
    const search = { type: 'web_search_20250305', name: 'web_search' };
    const guard = createToolGuard({ verifier: service, agentId: 'a' });
    await expect(ask([search], guard)).rejects.toThrow(/"web_search" runs where no guard can stop it/);
    const open = createToolGuard({ verifier: service, agentId: 'a', unjudged: ['web_search'] });
    await expect(ask([search], open)).rejects.toThrow('The model was asked.');
  });

  test('a rule without its tool, but for a guard of several agents', async () => {
    const guard = createToolGuard({ verifier: await openShop(), agentId: 'a', tools: { pey: {} } });
    await expect(ask([], guard)).rejects.toThrow(/a rule for "pey", and no such tool/);
    await expect(ask([], guard, { partial: true })).rejects.toThrow('The model was asked.');
  });

  test('what only looks like a guard', () => {
    const fails = () => expect.fail();
    const open = {
      unjudged: [],
      ruleNames: [],
      intentOf: () => undefined,
      judge: fails,
      begin: fails,
      run: fails,
    };
    expect(() => guardMiddleware(open)).toThrow('createToolGuard');
  });
});
