/** An agent with a budget of tokens, and scripted models of the real AI SDK. */
import { wrapLanguageModel } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { type MeterModelOptions, meterModel } from '../../adapters/guards/ai-sdk/index.ts';
import type { IdentityService } from '../../src/core.ts';
import type { Budget, PassportInput } from '../../src/records.ts';
import { openLocalService } from '../support/service.ts';

/** The types of the specification of models, as the mock of `ai` has them. */
type LanguageModelV3 = ReturnType<typeof wrapLanguageModel>;
type Generated = Awaited<ReturnType<LanguageModelV3['doGenerate']>>;
type Streamed = Awaited<ReturnType<LanguageModelV3['doStream']>>['stream'];

const ACTIONS = ['model.call'];
export const TOKENS: Budget = {
  name: 'tokens',
  window: 'day',
  limit: 1_000,
  unit: 'tokens',
  actions: ACTIONS,
};

export const usageOf = (input: number | undefined, output: number | undefined): Generated['usage'] => ({
  inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: output, text: output, reasoning: undefined },
});

export type Part = Streamed extends ReadableStream<infer Item> ? Item : never;
export const delta = (text: string): Part => ({ type: 'text-delta', id: '1', delta: text });
export const finish = (input?: number, output?: number): Part => ({
  type: 'finish',
  finishReason: { unified: 'stop', raw: undefined },
  usage: usageOf(input, output),
});
export const START: readonly Part[] = [
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: '1' },
];

type Script = Partial<Pick<LanguageModelV3, 'doGenerate' | 'doStream'>>;

interface OpenedModel {
  readonly model: LanguageModelV3;
  readonly mock: MockLanguageModelV3;
  readonly service: IdentityService;
  readonly clock: { advance(ms: number): void };
  readonly agent_id: string;
  /** Returns spent and held of each budget. */
  used(): Promise<readonly (readonly unknown[])[]>;
}

/** Meters a scripted model: 100 tokens of input and at most 50 of output, unless said otherwise. */
export async function openModel(
  script: Script,
  more: { readonly options?: Partial<MeterModelOptions>; readonly passport?: Partial<PassportInput> } = {},
): Promise<OpenedModel> {
  const { service, clock } = openLocalService();
  const { agent_id } = await service.passports.create({
    domain: 'ops.example',
    agent_name: 'writer',
    allowed_actions: ACTIONS,
    monetary_limit_per_txn: 100,
    budgets: [TOKENS],
    ...more.passport,
  });
  const mock = new MockLanguageModelV3(script);
  const middleware = meterModel({
    verifier: service,
    agentId: agent_id,
    action: 'model.call',
    estimate: () => 100,
    maxOutputTokens: 50,
    ...more.options,
  });
  const model = wrapLanguageModel({ model: mock, middleware });
  const used = async () => {
    const { data } = await service.passports.budgets(agent_id);
    return data.map(({ spent, held }) => [spent, held]);
  };
  return { model, mock, service, clock, agent_id, used };
}

/** A script that streams these parts. */
export function streaming(parts: readonly Part[]): Pick<LanguageModelV3, 'doStream'> {
  return { doStream: async () => ({ stream: simulateReadableStream({ chunks: [...parts] }) }) };
}

/** A script that answers with a text and this usage. */
export function answering(usage: Generated['usage']): Pick<LanguageModelV3, 'doGenerate'> {
  return {
    doGenerate: async () => ({
      content: [{ type: 'text' as const, text: 'Hello.' }],
      finishReason: { unified: 'stop' as const, raw: undefined },
      usage,
      warnings: [],
    }),
  };
}
