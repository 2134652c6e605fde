/** Tools that LangGraph and the OpenAI Agents SDK stop in order to call them again. */

import { Command, interrupt, MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { Agent, tool as openaiTool, Runner, type RunState } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { createToolGuard, type ToolGuard } from 'agent-identity-service/guard';
import { guardMiddleware } from 'agent-identity-service/guard/langchain';
import { guardTools } from 'agent-identity-service/guard/openai-agents';
import { AIMessage, createAgent, fakeModel, HumanMessage, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openShop } from './matrix.mjs';

async function openTill(hold_seconds?: number) {
  const service = await openShop({ budgets: [{ window: 'lifetime', limit: 1_000 }] });
  const agentId = 'did:web:example.com:agents:shopper';
  const rule = {
    action: 'payments.create',
    amount: '/cents',
    decimals: 'currency',
    currency: 'EUR',
  } as const;
  const guardFor = (name: string) =>
    createToolGuard({
      verifier: service,
      agentId,
      tools: { [name]: { ...rule, ...(hold_seconds && { hold_seconds }) } },
    });
  const budget = async () => {
    const [state] = (await service.passports.budgets(agentId)).data;
    return [state?.spent, state?.held];
  };
  const outcomes = async () => {
    const { data } = await service.verifications.list({ limit: 100 });
    return data.map(({ outcome }) => outcome?.outcome ?? null);
  };
  return { guardFor, budget, outcomes };
}

const PARAMETERS = z.object({ cents: z.number() });

/** A tool that asks a person twice before it pays. */
function askingTool(
  ran: unknown[],
  wrap = (_args: object, _config: object, pay: () => string): unknown => pay(),
) {
  return tool(
    (args, config) =>
      wrap(args, config, () => {
        const answers = [interrupt('Sure?'), interrupt('Really?')];
        ran.push(answers);
        return 'paid';
      }),
    { name: 'pay', description: 'Pays.', schema: PARAMETERS },
  );
}

const CALLS = [{ name: 'pay', args: { cents: 6_000 }, id: 'call-1', type: 'tool_call' as const }];

/** A graph of each kind over the tool. */
const GRAPHS: Readonly<Record<string, (guard: ToolGuard, ran: unknown[]) => unknown>> = {
  middleware: (guard, ran) =>
    createAgent({
      model: fakeModel().respondWithTools(CALLS).respond(new AIMessage('Done.')),
      tools: [askingTool(ran)],
      middleware: [guardMiddleware(guard)],
      checkpointer: new MemorySaver(),
    }),
  'guard.run in a ToolNode': (guard, ran) => {
    const guarded = askingTool(ran, (args, config, pay) => {
      const { toolCall } = config as { readonly toolCall?: { readonly id?: string } };
      return guard.run({ name: 'pay', args, ...(toolCall?.id && { id: toolCall.id }) }, pay);
    });
    return new StateGraph(MessagesAnnotation)
      .addNode('model', () => ({ messages: [new AIMessage({ content: '', tool_calls: CALLS })] }))
      .addNode('tools', new ToolNode([guarded]))
      .addEdge('__start__', 'model')
      .addEdge('model', 'tools')
      .addEdge('tools', '__end__')
      .compile({ checkpointer: new MemorySaver() });
  },
};

describe.each([undefined, 60])('with hold_seconds %s', (hold_seconds) => {
  const waits = hold_seconds === undefined ? [60, 0] : [0, 60];

  test.each(Object.entries(GRAPHS))(
    'LangGraph: %s takes once for a tool that is interrupted twice',
    async (_, graphOf) => {
      const { guardFor, budget, outcomes } = await openTill(hold_seconds);
      const ran: unknown[] = [];
      const graph = graphOf(guardFor('pay'), ran) as {
        invoke(input: unknown, options: object): Promise<unknown>;
      };
      const options = { configurable: { thread_id: 'thread-1' } };
      for (const input of [{ messages: [new HumanMessage('Pay.')] }, new Command({ resume: 'yes' })]) {
        await graph.invoke(input, options);
        expect([await budget(), await outcomes(), ran]).toEqual([waits, [null], []]);
      }
      await graph.invoke(new Command({ resume: 'yes, really' }), options);
      expect([await budget(), ran]).toEqual([[60, 0], [['yes', 'yes, really']]]);
      await expect.poll(outcomes).toEqual(['succeeded']);
    },
  );

  test('OpenAI Agents: an agent as a tool takes once while its own tool waits for an approval', async () => {
    const { guardFor, budget, outcomes } = await openTill(hold_seconds);
    const ran: unknown[] = [];
    const pay = openaiTool({
      ...{ name: 'pay', description: 'Pays.', parameters: PARAMETERS, needsApproval: true },
      execute: async (args) => ran.push(args),
    });
    const calls = [functionCall('pay', '{"cents":6000}', { callId: 'i1' })];
    const again = [functionCall('pay', '{"cents":6000}', { callId: 'i2' })];
    const inner = new Agent({
      name: 'payer',
      model: new ScriptedModel([calls, again, [assistantMessage('paid')]]),
      tools: [pay],
    });
    const delegate = inner.asTool({ toolName: 'delegate', toolDescription: 'Pays.', parameters: PARAMETERS });
    const outer = new Agent({
      name: 'shopper',
      model: new ScriptedModel([
        [functionCall('delegate', '{"cents":6000}', { callId: 'o1' })],
        [assistantMessage('Done.')],
      ]),
      tools: guardTools([delegate], guardFor('delegate')),
    });
    const runner = new Runner({ tracingDisabled: true });
    let result = await runner.run(outer, 'Pay.', { context: {} as unknown });
    for (let turn = 0; turn < 2; turn += 1) {
      expect([await budget(), await outcomes()]).toEqual([waits, [null]]);
      const [asked] = result.interruptions;
      if (asked === undefined) return expect.fail('no approval is asked for');
      result.state.approve(asked);
      result = await runner.run(outer, result.state as RunState<unknown, typeof outer>);
    }
    expect([result.finalOutput, ran.length, await budget()]).toEqual(['Done.', 2, [60, 0]]);
    await expect.poll(outcomes).toEqual(['succeeded']);
  });
});
