/** Runs that stop at the place of their framework until a person has approved, and continue in another process. */
import { Command, MemorySaver } from '@langchain/langgraph';
import { Agent, tool as openaiTool, Runner, RunState } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import type { IdentityService } from 'agent-identity-service';
import { createToolGuard, type ToolGuard } from 'agent-identity-service/guard';
import * as aiSdk from 'agent-identity-service/guard/ai-sdk';
import { guardMiddleware } from 'agent-identity-service/guard/langchain';
import * as openai from 'agent-identity-service/guard/openai-agents';
import { tool as aiTool, generateText, type ModelMessage, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { AIMessage, createAgent, fakeModel, HumanMessage, tool as lcTool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { guardOf, openShop } from './matrix.mjs';

const PARAMETERS = z.object({ cents: z.number() });
const CENTS = 2_500;

/** A run of a framework: a new agent and a new guard at each step, and only text between them. */
interface Framework {
  /** Begins, and returns the saved state; `undefined` if the run has ended. */
  begin(guard: ToolGuard, ran: unknown[]): Promise<string | undefined>;
  /** Continues with a "yes" of the framework. */
  resume(guard: ToolGuard, ran: unknown[], state: string): Promise<string | undefined>;
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

async function askModel(
  guard: ToolGuard,
  ran: unknown[],
  messages: ModelMessage[],
): Promise<string | undefined> {
  const pay = aiTool({ inputSchema: PARAMETERS, execute: async (args) => ran.push(args) });
  const model = new MockLanguageModelV3({
    async doGenerate({ prompt }) {
      const isFirst = !prompt.some(({ role }) => role === 'tool');
      const call = {
        type: 'tool-call',
        toolCallId: 'c1',
        toolName: 'pay',
        input: JSON.stringify({ cents: CENTS }),
      };
      const content = [isFirst ? call : { type: 'text', text: 'Done.' }] as never;
      return {
        content,
        finishReason: { unified: isFirst ? 'tool-calls' : 'stop', raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
  const tools = aiSdk.guardTools({ pay }, guard, { pause: true });
  const { content, response } = await generateText({ model, tools, messages, stopWhen: stepCountIs(3) });
  const asked = content.find(({ type }) => type === 'tool-approval-request') as
    | { approvalId: string }
    | undefined;
  if (asked === undefined) return undefined;
  const answer = { type: 'tool-approval-response', approvalId: asked.approvalId, approved: true };
  return JSON.stringify([...messages, ...response.messages, { role: 'tool', content: [answer] }]);
}

const saver = new MemorySaver();

function graphOf(guard: ToolGuard, ran: unknown[]) {
  const pay = lcTool(async (args) => String(ran.push(args)), {
    name: 'pay',
    description: 'Pays.',
    schema: PARAMETERS,
  });
  const call = { name: 'pay', args: { cents: CENTS }, id: 'c1', type: 'tool_call' as const };
  return createAgent({
    model: fakeModel()
      .respondWithTools([call])
      .respond(new AIMessage('Done.'))
      .respond(new AIMessage('Done.')),
    tools: [pay],
    middleware: [guardMiddleware(guard, { pause: true })],
    checkpointer: saver,
  });
}

async function invoke(
  guard: ToolGuard,
  ran: unknown[],
  input: unknown,
  thread_id: string,
): Promise<string | undefined> {
  const result = await graphOf(guard, ran).invoke(input as never, { configurable: { thread_id } });
  const { __interrupt__: stops } = result as { __interrupt__?: readonly { value: object }[] };
  if (stops === undefined || stops.length === 0) return undefined;
  expect(stops[0]?.value).toMatchObject({ type: 'agent_identity_approval', tool: 'pay' });
  return thread_id;
}

let threads = 0;

function payerOf(guard: ToolGuard, ran: unknown[], isFirst: boolean) {
  const pay = openaiTool({
    ...{ name: 'pay', description: 'Pays.', parameters: PARAMETERS },
    execute: async (args) => ran.push(args),
  });
  const call = [functionCall('pay', JSON.stringify({ cents: CENTS }), { callId: 'c1' })];
  const model = new ScriptedModel([
    ...(isFirst ? [call] : []),
    [assistantMessage('Done.')],
    [assistantMessage('Done.')],
  ]);
  return new Agent({ name: 'payer', model, tools: openai.guardTools([pay], guard, { pause: true }) });
}

const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  'the Vercel AI SDK': {
    begin: (guard, ran) => askModel(guard, ran, [{ role: 'user', content: 'Pay.' }]),
    resume: (guard, ran, state) => askModel(guard, ran, JSON.parse(state)),
  },
  LangChain: {
    begin(guard, ran) {
      threads += 1;
      return invoke(guard, ran, { messages: [new HumanMessage('Pay.')] }, `t${threads}`);
    },
    resume: (guard, ran, thread) => invoke(guard, ran, new Command({ resume: 'yes' }), thread),
  },
  'OpenAI Agents': {
    async begin(guard, ran) {
      const result = await new Runner({ tracingDisabled: true }).run(payerOf(guard, ran, true), 'Pay.');
      return result.interruptions.length === 0 ? undefined : result.state.toString();
    },
    async resume(guard, ran, text) {
      const agent = payerOf(guard, ran, false);
      const state = await RunState.fromString(agent, text);
      for (const asked of state.getInterruptions()) state.approve(asked);
      const result = await new Runner({ tracingDisabled: true }).run(agent, state);
      return result.interruptions.length === 0 ? undefined : result.state.toString();
    },
  },
};

/** A shop where a person approves what costs more than 10, and new guards of it. */
async function openDesk() {
  const service = await openShop({ approval: { above: 10 } });
  return {
    service,
    guard: (subject?: string) => guardOf(service, { approvals: {}, ...(subject && { subject }) }),
  };
}

async function pendingId(service: IdentityService): Promise<string> {
  const [asked] = (await service.approvals.list({ status: 'pending' })).data;
  return asked?.id ?? expect.fail('no person is asked');
}

describe.each(Object.entries(FRAMEWORKS))('%s', (_name, { begin, resume }) => {
  test('runs never before the approval, once after it, and then stops again', async () => {
    const { service, guard } = await openDesk();
    const ran: unknown[] = [];
    const state = (await begin(guard(), ran)) ?? expect.fail('it did not stop');
    expect(ran).toEqual([]);
    await service.approvals.approve(await pendingId(service));
    expect(await resume(guard(), ran, state)).toBeUndefined();
    expect(ran).toEqual([{ cents: CENTS }]);
    expect(await begin(guard(), ran)).toBeDefined();
    expect(ran).toHaveLength(1);
    const { data } = await service.verifications.list({ limit: 100 });
    expect(data.filter(({ outcome }) => outcome !== null).map(({ outcome }) => outcome?.outcome)).toEqual([
      'succeeded',
    ]);
  });

  test('an early yes of the framework runs nothing', async () => {
    const { service, guard } = await openDesk();
    const ran: unknown[] = [];
    const state = (await begin(guard(), ran)) ?? expect.fail('it did not stop');
    const later = await resume(guard(), ran, state);
    expect(ran).toEqual([]);
    // A run that stops again continues after the approval.
    await service.approvals.approve(await pendingId(service));
    if (later !== undefined) await resume(guard(), ran, later);
    expect(ran).toHaveLength(later === undefined ? 0 : 1);
  });

  test('a rejected call, a suspended agent and another subject run nothing', async () => {
    const { service, guard } = await openDesk();
    const ran: unknown[] = [];
    const state = (await begin(guard(), ran)) ?? expect.fail('it did not stop');
    const id = await pendingId(service);
    await service.approvals.approve(id);
    await resume(guard('another'), ran, state).catch(() => undefined);
    expect(ran).toEqual([]);
    await service.suspend({ agent_id: 'did:web:example.com:agents:shopper' });
    await resume(guard(), ran, state).catch(() => undefined);
    expect(ran).toEqual([]);
    expect(await service.approvals.get(id)).toMatchObject({ status: 'approved' });
    const other = await openDesk();
    const rejected = (await begin(other.guard(), ran)) ?? expect.fail('it did not stop');
    await other.service.approvals.reject(await pendingId(other.service));
    await resume(other.guard(), ran, rejected).catch(() => undefined);
    expect(ran).toEqual([]);
  });
});

test('pause needs a guard with approvals', async () => {
  const guard = guardOf(await openShop());
  const problem = 'pause needs a guard with the option approvals';
  expect(() => aiSdk.guardTools({}, guard, { pause: true, partial: true })).toThrow(problem);
  expect(() => aiSdk.approvalOf(guard, { pause: true })).toThrow(problem);
  expect(() => guardMiddleware(guard, { pause: true })).toThrow(problem);
  expect(() => openai.guardTools([], guard, { pause: true, partial: true })).toThrow(problem);
});

test('needsApproval of a tool stays in force', async () => {
  const verifier = await openShop();
  const agentId = 'did:web:example.com:agents:shopper';
  const guard = createToolGuard({ verifier, agentId, approvals: {} });
  const execute = async () => 'ran';
  const asks = aiTool({ inputSchema: PARAMETERS, needsApproval: true, execute });
  const { search } = aiSdk.guardTools({ search: asks }, guard, { pause: true });
  const { needsApproval } = search as { needsApproval?: unknown };
  expect(await (needsApproval as (args: object, options: object) => Promise<boolean>)({}, {})).toBe(true);
});

test('approvalOf stops ai 7 at its own question until a person has decided', async () => {
  const { service, guard } = await openDesk();
  const ask = () =>
    aiSdk.approvalOf(guard(), { pause: true })({
      toolCall: { toolName: 'pay', toolCallId: '1', input: { cents: CENTS } },
    });
  expect(await ask()).toMatchObject({
    type: 'user-approval',
    reason: expect.stringContaining('approval_required'),
  });
  const id = await pendingId(service);
  await service.approvals.reject(id);
  expect(await ask()).toBeUndefined();
});
