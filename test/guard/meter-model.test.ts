/** Models of the AI SDK that are metered: what is held, committed and returned. */
import { generateText, streamText } from 'ai';
import { expect, test } from 'vitest';
import { meterModel } from '../../adapters/guards/ai-sdk/index.ts';
import { answering, delta, finish, openModel, START, streaming, TOKENS, usageOf } from './model-stage.ts';

const prompt = 'Write.';
const text = (count: number) => Array.from({ length: count }, () => delta('word '));

async function partsOf(result: ReturnType<typeof streamText>): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const { type } of result.fullStream) types.push(type);
  return types;
}

test('commits the usage of a call, and sends the cap of the output to the model', async () => {
  const { model, mock, used } = await openModel(answering(usageOf(80, 20)));
  expect((await generateText({ model, prompt })).text).toBe('Hello.');
  await generateText({ model, prompt, maxOutputTokens: 9_999 });
  await generateText({ model, prompt, maxOutputTokens: 10 });
  expect(mock.doGenerateCalls.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([50, 50, 10]);
  expect(await used()).toEqual([[300, 0]]);
});

test.each([
  ['none', usageOf(undefined, undefined), 150],
  ['a negative one', usageOf(-5, 5), 150],
  ['more than was held', usageOf(300, 100), 400],
  ['more than ten holds', usageOf(3_000, 1_000), 1_500],
])('commits a usage: %s', async (_, usage, spent) => {
  const { model, used } = await openModel(answering(usage));
  await generateText({ model, prompt });
  expect(await used()).toEqual([[spent, 0]]);
});

test('a DENY throws before the model is called', async () => {
  const { model, mock, used } = await openModel(answering(usageOf(1, 1)), {
    passport: { budgets: [{ ...TOKENS, limit: 149 }] },
  });
  const denied = { code: 'tool_denied', details: { reasons: [{ code: 'budget_exceeded' }] } };
  await expect(generateText({ model, prompt, maxRetries: 0 })).rejects.toMatchObject(denied);
  const { stream } = { stream: streamText({ model, prompt, maxRetries: 0, onError: () => {} }) };
  expect(await partsOf(stream)).toContain('error');
  expect([mock.doGenerateCalls, mock.doStreamCalls]).toEqual([[], []]);
  expect(await used()).toEqual([[0, 0]]);
});

test('a failure before any output returns the hold', async () => {
  const fail = async () => {
    throw new Error('out of service');
  };
  const { model, used } = await openModel({ doGenerate: fail, doStream: fail });
  await expect(generateText({ model, prompt, maxRetries: 0 })).rejects.toThrow('out of service');
  await partsOf(streamText({ model, prompt, maxRetries: 0, onError: () => {} }));
  expect(await used()).toEqual([[0, 0]]);
});

test.each([
  ['with its usage', [...START, ...text(3), finish(90, 3)], 93],
  ['without a usage', [...START, ...text(3), finish()], 150],
  ['that is cut', [...START, ...text(3)], 105],
  ['that fails without output', [...START, { type: 'error', error: new Error('x') } as const], 0],
  ['of one large part that is cut', [...START, delta('x'.repeat(90))], 130],
  ['that ends at the cap', [...START, ...text(50), finish(90, 50)], 140],
])('a stream %s', async (_, parts, spent) => {
  const { model, used } = await openModel(streaming(parts));
  await partsOf(streamText({ model, prompt, onError: () => {} }));
  expect(await used()).toEqual([[spent, 0]]);
});

test('a stream that goes beyond its hold ends with an error part', async () => {
  const { model, used } = await openModel(streaming([...START, ...text(500), finish(1, 1)]));
  const errors: unknown[] = [];
  const types = await partsOf(streamText({ model, prompt, onError: ({ error }) => void errors.push(error) }));
  expect(types.filter((type) => type === 'text-delta')).toHaveLength(50);
  expect(types).toContain('error');
  expect(errors).toMatchObject([{ message: expect.stringContaining('50 tokens that are held') }]);
  expect(await used()).toEqual([[150, 0]]);
});

test('a stream that is aborted, or left, commits at least the output that came', async () => {
  const { model, used } = await openModel(streaming([...START, ...text(40), finish(1, 1)]));
  const abort = new AbortController();
  const { fullStream } = streamText({ model, prompt, abortSignal: abort.signal, onError: () => {} });
  let deltas = 0;
  for await (const { type } of fullStream) {
    if (type === 'text-delta') deltas += 1;
    if (deltas === 5) abort.abort();
  }
  await expect.poll(used).toMatchObject([[expect.any(Number), 0]]);
  const [[spent]] = (await used()) as [[number, number]];
  expect(spent).toBeGreaterThanOrEqual(105);
  const reader = (await model.doStream({ prompt: [] })).stream.getReader();
  for (let read = 0; read < 4; read += 1) await reader.read();
  await reader.cancel();
  await expect.poll(used).toEqual([[spent + 100 + 4, 0]]);
});

test('a hold is extended while the model runs', async () => {
  let end = () => {};
  const waits = new Promise<void>((resolve) => {
    end = resolve;
  });
  const answer = answering(usageOf(80, 20));
  const { model, service, agent_id, clock, used } = await openModel(
    {
      doGenerate: async () => {
        await waits;
        return answer.doGenerate({ prompt: [] });
      },
    },
    { options: { holdSeconds: 1 } },
  );
  const generated = generateText({ model, prompt });
  await expect.poll(used).toEqual([[0, 150]]);
  clock.advance(900);
  await new Promise((resolve) => setTimeout(resolve, 700));
  clock.advance(900);
  expect((await service.passports.budgets(agent_id)).data).toMatchObject([{ held: 150 }]);
  end();
  await generated;
  expect(await used()).toEqual([[100, 0]]);
});

test('price counts the real cost in a budget of money with overrun', async () => {
  const money = { name: 'money', window: 'day', limit: 1, overrun: true, actions: ['model.call'] } as const;
  const price = ({ tokens }: { readonly tokens: number }, modelId: string) => {
    expect(modelId).toBe('mock-model-id');
    return { amount: tokens / 100, currency: 'EUR' };
  };
  const passport = { currency: 'EUR', budgets: [TOKENS, { ...money, limit: 3 }] };
  const { model, used } = await openModel(answering(usageOf(300, 20)), { options: { price }, passport });
  await generateText({ model, prompt });
  expect(await used()).toEqual([
    [320, 0],
    [3.2, 0],
  ]);
  await expect(generateText({ model, prompt, maxRetries: 0 })).rejects.toMatchObject({
    details: { reasons: [{ code: 'budget_exceeded', budget: 'money' }] },
  });
});

test('a budget without overrun commits the hold if the model used more', async () => {
  const money = { name: 'money', window: 'day', limit: 5, actions: ['model.call'] } as const;
  const price = ({ tokens }: { readonly tokens: number }) => ({ amount: tokens / 100, currency: 'EUR' });
  const passport = { currency: 'EUR', budgets: [money] };
  const { model, used } = await openModel(answering(usageOf(300, 20)), { options: { price }, passport });
  await generateText({ model, prompt });
  expect(await used()).toEqual([[1.5, 0]]);
});

test('the default estimate counts the texts of the prompt and of the tools', async () => {
  const { model, service, used } = await openModel(answering(usageOf(undefined, undefined)), {
    options: { estimate: undefined } as object,
  });
  await generateText({ model, prompt: 'x'.repeat(600) });
  const [[spent]] = (await used()) as [[number, number]];
  expect(spent).toBeGreaterThanOrEqual(250);
  expect(spent).toBeLessThan(300);
  await service.close();
});

test.each([
  [{}, /verifier/],
  [{ verifier: { verify: () => {} } }, /verifier/],
  [{ maxOutputTokens: 0 }, /maxOutputTokens/],
  [{ holdSeconds: 604_801 }, /holdSeconds/],
  [{ agentId: '' }, /agentId/],
  [{ action: 5 }, /action/],
  [{ maxTokens: 5 }, /no option "maxTokens"/],
])('throws invalid_configuration for %j', (wrong, message) => {
  const verifier = { verify: () => {}, spends: { commit: () => {} } };
  const options = Object.keys(wrong).length === 0 ? {} : { verifier, agentId: 'a', action: 'b', ...wrong };
  expect(() => meterModel(options as never)).toThrow(message);
});

test('an estimate that is no number throws before the model is called', async () => {
  const { model, mock } = await openModel(answering(usageOf(1, 1)), {
    options: { estimate: () => Number.NaN },
  });
  await expect(generateText({ model, prompt, maxRetries: 0 })).rejects.toThrow(/estimate/);
  expect(mock.doGenerateCalls).toEqual([]);
});
