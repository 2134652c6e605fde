import fc from 'fast-check';
import { expect, test } from 'vitest';
import { usageOf } from '../../src/guard/index.ts';

const of = (input_tokens: number, output_tokens: number) => ({
  tokens: input_tokens + output_tokens,
  input_tokens,
  output_tokens,
});

test.each<[string, object, ReturnType<typeof of>]>([
  ['OpenAI, chat', { prompt_tokens: 90, completion_tokens: 10, total_tokens: 100 }, of(90, 10)],
  [
    'OpenAI, responses',
    { input_tokens: 90, input_tokens_details: { cached_tokens: 80 }, output_tokens: 10, total_tokens: 100 },
    of(90, 10),
  ],
  ['Anthropic', { input_tokens: 5, output_tokens: 10 }, of(5, 10)],
  [
    'Anthropic with caches',
    { input_tokens: 5, cache_creation_input_tokens: 20, cache_read_input_tokens: 300, output_tokens: 10 },
    of(325, 10),
  ],
  [
    'Anthropic without caches',
    { input_tokens: 5, cache_creation_input_tokens: null, cache_read_input_tokens: null, output_tokens: 0 },
    of(5, 0),
  ],
  ['the AI SDK', { inputTokens: 7, outputTokens: 8, totalTokens: 15 }, of(7, 8)],
  [
    'a provider of the AI SDK',
    {
      inputTokens: { total: 7, noCache: 2, cacheRead: 5, cacheWrite: undefined },
      outputTokens: { total: 8, text: 8, reasoning: undefined },
    },
    of(7, 8),
  ],
])('reads the usage of %s, also within an answer', (_, usage, expected) => {
  expect(usageOf(usage)).toEqual(expected);
  expect(usageOf({ id: 'a', usage })).toEqual(expected);
  class Answer {
    get usage() {
      return usage;
    }
  }
  expect(usageOf(new Answer())).toEqual(expected);
});

const WRONG = [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '5', null, undefined, true, {}, [5]];

test('returns undefined for a number that is missing, negative, fractional or no number', () => {
  for (const wrong of WRONG) {
    expect(usageOf({ usage: { input_tokens: wrong, output_tokens: 5 } })).toBeUndefined();
    expect(usageOf({ usage: { input_tokens: 5, output_tokens: wrong } })).toBeUndefined();
    expect(usageOf({ usage: { inputTokens: { total: wrong }, outputTokens: { total: 5 } } })).toBeUndefined();
    if (wrong === null || wrong === undefined) continue;
    const cached = { input_tokens: 5, output_tokens: 5, cache_read_input_tokens: wrong };
    expect(usageOf({ usage: cached })).toBeUndefined();
  }
  const most = Number.MAX_SAFE_INTEGER;
  expect(usageOf({ input_tokens: most, output_tokens: 1 })).toBeUndefined();
});

test('never throws', () => {
  const throwing = Object.defineProperty({}, 'usage', {
    get() {
      throw new Error('no usage');
    },
  });
  expect(usageOf(throwing)).toBeUndefined();
  fc.assert(fc.property(fc.anything(), (value) => void usageOf(value)));
});
