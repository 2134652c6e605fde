/** Reads how many tokens a model has used from the answers of OpenAI, Anthropic and the AI SDK. */

/** The tokens of one model call. */
export interface ModelUsage {
  /** The sum of input and output tokens. */
  readonly tokens: number;
  /** The tokens of the prompt, including tokens that a cache has read or written. */
  readonly input_tokens: number;
  /** The tokens of the answer, including its reasoning. */
  readonly output_tokens: number;
}

const INPUT = ['inputTokens', 'input_tokens', 'prompt_tokens'];
const OUTPUT = ['outputTokens', 'output_tokens', 'completion_tokens'];

/** The tokens that Anthropic does not count as input. Absent or `null`: none. */
const CACHED = ['cache_creation_input_tokens', 'cache_read_input_tokens'];

/**
 * Returns the usage in the answer of a model, or in its `usage`. Supports OpenAI, Anthropic and the AI SDK. Returns
 * `undefined` if a number is missing, negative or not whole.
 *
 * @example
 * import { usageOf } from 'agent-identity-service/guard';
 *
 * const answer = { usage: { input_tokens: 900, cache_read_input_tokens: 100, output_tokens: 180 } };
 * console.log(usageOf(answer)?.tokens); // 1180
 */
export function usageOf(response: unknown): ModelUsage | undefined {
  try {
    const usage = memberOf(response, 'usage') ?? response;
    const cachedCounts = CACHED.map((name) => memberOf(usage, name) ?? 0);
    const numbers = [numberOf(usage, INPUT), ...cachedCounts, numberOf(usage, OUTPUT)];
    if (!numbers.every(isCount)) return undefined;
    const output_tokens = numbers.at(-1) ?? 0;
    const tokens = numbers.reduce((sum, number) => sum + number, 0);
    return isCount(tokens) ? { tokens, input_tokens: tokens - output_tokens, output_tokens } : undefined;
  } catch {
    // A getter of the answer has thrown.
    return undefined;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/**
 * Returns the number in the first of these members that exists. Some answers of the AI SDK have an object in
 * this member. The number is then its `total`.
 */
function numberOf(usage: unknown, names: readonly string[]): unknown {
  const name = names.find((name) => memberOf(usage, name) !== undefined);
  const value = name === undefined ? undefined : memberOf(usage, name);
  return typeof value === 'object' ? memberOf(value, 'total') : value;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
