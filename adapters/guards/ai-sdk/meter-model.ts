import { IdentityError, type ModelUsage, usageOf } from '../../../src/guard/index.ts';
import { holdModelCall, type ModelCost, type ModelHold, type ModelVerifier } from './model-hold.ts';

/** The parameters of a model call that a meter reads. */
export interface ModelParams {
  /** The maximum number of output tokens. */
  readonly maxOutputTokens?: number | undefined;
  /** The messages. */
  readonly prompt?: unknown;
  /** The tools that the model may call. */
  readonly tools?: unknown;
  /** Aborts the call. */
  readonly abortSignal?: AbortSignal | undefined;
}

/** The options of `meterModel`. */
export interface MeterModelOptions {
  /** The service, or `createIdentityClient`. */
  readonly verifier: ModelVerifier;
  /** The agent whose budgets are used, such as `did:web:example.com:agents:writer`. */
  readonly agentId: string;
  /** The action of each call, such as `model.call`. */
  readonly action: string;
  /**
   * Returns the number of input tokens of a call, a whole number. Default: a third of the characters in the prompt and
   * the tools, plus 1,000 for each file.
   */
  readonly estimate?: (params: ModelParams) => number;
  /** The maximum number of output tokens of a call, which the meter sends to the model; default 4,096. */
  readonly maxOutputTokens?: number;
  /**
   * Returns the cost of a usage, in the minor units of the currency. Without this function, budgets of money count
   * nothing.
   */
  readonly price?: (usage: ModelUsage, modelId: string) => ModelCost;
  /** The seconds of a hold, 1 to 604,800; default 300. The meter extends the hold while the model runs. */
  readonly holdSeconds?: number;
}

/** The middleware for `wrapLanguageModel`. */
export interface ModelMeter {
  readonly specificationVersion: 'v3';
  /** Limits the number of output tokens. Never rejects. */
  transformParams<Params extends ModelParams>(call: { readonly params: Params }): Promise<Params>;
  /**
   * Creates a hold, calls the model and commits the hold.
   *
   * @throws {IdentityError} `tool_denied` on DENY, before the model is called.
   * @throws {IdentityError} The error of `verify` if there is no verdict.
   */
  wrapGenerate<Result extends object>(call: {
    readonly doGenerate: () => PromiseLike<Result>;
    readonly params: ModelParams;
    readonly model: { readonly modelId: string };
  }): Promise<Result>;
  /**
   * Creates a hold, calls the model, and commits the hold at the end of the stream.
   *
   * @throws {IdentityError} `tool_denied` on DENY, before the model is called.
   * @throws {IdentityError} The error of `verify` if there is no verdict.
   */
  wrapStream<Part extends MeteredPart, Result extends { readonly stream: ReadableStream<Part> }>(call: {
    readonly doStream: () => PromiseLike<Result>;
    readonly params: ModelParams;
    readonly model: { readonly modelId: string };
  }): Promise<Result>;
}

const KNOWN: Readonly<Record<keyof MeterModelOptions, true>> = {
  verifier: true,
  agentId: true,
  action: true,
  estimate: true,
  maxOutputTokens: true,
  price: true,
  holdSeconds: true,
};
const MAX_OUTPUT = 4_096;
const HOLD_SECONDS = 300;
const MAX_HOLD_SECONDS = 604_800;

/**
 * Creates middleware that takes the tokens of model calls from the budgets of an agent. It holds tokens before each
 * call, and commits the used tokens after it. A DENY throws `tool_denied` before the model is called. Tested with `ai`
 * 6.0.326.
 *
 * @throws {IdentityError} `invalid_configuration` for options that cannot work.
 *
 * @example
 * import { createIdentityClient } from 'agent-identity-service/client';
 * import { meterModel } from 'agent-identity-service/guard/ai-sdk';
 *
 * const verifier = createIdentityClient({ baseUrl: 'http://127.0.0.1/api', apiKey: 'key' });
 * const agentId = 'did:web:example.com:agents:writer';
 * const middleware = meterModel({ verifier, agentId, action: 'model.call', maxOutputTokens: 500 });
 * console.log(middleware.specificationVersion); // v3
 */
export function meterModel(options: MeterModelOptions): ModelMeter {
  const { verifier, agentId, action, price, estimate = estimatedInput } = checked(options);
  const { maxOutputTokens: limit = MAX_OUTPUT, holdSeconds = HOLD_SECONDS } = options;
  const terms = { verifier, agentId, action, price, holdSeconds };
  const capOf = ({ maxOutputTokens = limit }: ModelParams) => Math.min(maxOutputTokens, limit);

  function held(params: ModelParams, { modelId }: { readonly modelId: string }) {
    const input_tokens = estimate(params);
    require(isWhole(input_tokens, 0), 'estimate returns a whole number of tokens.');
    const output_tokens = capOf(params);
    const usage = { tokens: input_tokens + output_tokens, input_tokens, output_tokens };
    return { usage, hold: holdModelCall(terms, { usage, modelId, signal: params.abortSignal }) };
  }

  return {
    specificationVersion: 'v3',

    transformParams: async ({ params }) => ({ ...params, maxOutputTokens: capOf(params) }),

    async wrapGenerate({ doGenerate, params, model }) {
      const hold = await held(params, model).hold;
      const result = await orRelease(hold, doGenerate);
      await hold.commit(usageOf(result));
      return result;
    },

    async wrapStream({ doStream, params, model }) {
      const { usage, hold: holding } = held(params, model);
      const hold = await holding;
      const result = await orRelease(hold, doStream);
      return { ...result, stream: meteredStream(result.stream, hold, usage, params.abortSignal) };
    },
  };
}

async function orRelease<Result>(hold: ModelHold, call: () => PromiseLike<Result>): Promise<Result> {
  try {
    return (await call()) as Result;
  } catch (error) {
    await hold.release();
    throw error;
  }
}

function checked(options: MeterModelOptions): MeterModelOptions {
  const { verifier, agentId, action, maxOutputTokens = 1, holdSeconds = 1 } = known(options);
  const { verify, spends } = Object(verifier);
  require(typeof verify === 'function' &&
    typeof Object(spends).commit === 'function', 'verifier needs verify and spends.');
  require(typeof agentId === 'string' && agentId !== '', 'agentId is the id of a passport.');
  require(typeof action === 'string' && action !== '', 'action is a text such as model.call.');
  require(isWhole(maxOutputTokens, 1), 'maxOutputTokens is a whole number above 0.');
  require(isWhole(holdSeconds, 1) &&
    holdSeconds <= MAX_HOLD_SECONDS, `holdSeconds is a whole number from 1 to ${MAX_HOLD_SECONDS}.`);
  return options;
}

function known(options: MeterModelOptions): MeterModelOptions {
  require(typeof options === 'object' && options !== null, 'the options are no object.');
  const names = Object.keys(KNOWN);
  const unknownName = Object.keys(options).find((name) => !names.includes(name));
  if (unknownName === undefined) return options;
  const nearest = names.find((name) => unknownName.startsWith(name) || name.startsWith(unknownName));
  const hint = nearest === undefined ? '.' : `. Did you mean ${nearest}?`;
  require(false, `there is no option ${JSON.stringify(unknownName)}${hint}`);
}

function isWhole(value: unknown, minimum: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= minimum;
}

function require(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new IdentityError('invalid_configuration', `meterModel: ${problem}`);
}

const CHARACTERS_PER_TOKEN = 3;
const TOKENS_PER_FILE = 1_000;

function estimatedInput({ prompt, tools }: ModelParams): number {
  return Math.ceil(charactersIn([prompt, tools]) / CHARACTERS_PER_TOKEN);
}

function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + charactersIn(item), 0);
  if ((value as { readonly type?: unknown }).type === 'file') return TOKENS_PER_FILE * CHARACTERS_PER_TOKEN;
  return Object.entries(value).reduce((sum, [name, item]) => sum + name.length + charactersIn(item), 0);
}

// Meters the stream of a model. At the end, the meter settles the hold with the reported usage, or with the
// output so far.

/** A part of a model stream, with the fields that a meter reads. */
export interface MeteredPart {
  readonly type: string;
}

interface Came {
  /** A lower bound of the tokens. A delta has at least one token, and a token has at most 12 bytes of text. */
  readonly least: number;
  /** An estimate of the tokens: one for three bytes of text. */
  readonly about: number;
  readonly isAny: boolean;
}

const BYTES_PER_TOKEN = { least: 12, about: 3 } as const;
const DELTAS: readonly string[] = ['text-delta', 'reasoning-delta', 'tool-input-delta'];
const OUTPUT: readonly string[] = ['tool-call', 'tool-result', 'file', 'source'];

/**
 * Passes on the parts, and settles the hold at the end of the stream. The hold is also settled if the consumer leaves
 * the stream or the stream is aborted.
 */
function meteredStream<Part extends MeteredPart>(
  stream: ReadableStream<Part>,
  hold: ModelHold,
  heldUsage: ModelUsage,
  signal: AbortSignal | undefined,
): ReadableStream<Part> {
  const reader = stream.getReader();
  const counter = createCounter();
  let isSettled = false;

  async function settle(end: 'finished' | 'failed' | 'cut', usage?: ModelUsage): Promise<void> {
    if (isSettled) return;
    isSettled = true;
    signal?.removeEventListener('abort', onAbort);
    const came = counter.came();
    if (end === 'finished') return hold.commit(usage);
    if (end === 'failed' && !came.isAny) return hold.release();
    const output_tokens = Math.min(heldUsage.output_tokens, Math.max(came.least, came.about));
    const { input_tokens } = heldUsage;
    return hold.commit({ tokens: input_tokens + output_tokens, input_tokens, output_tokens });
  }

  const onAbort = (): void => void settle('cut');
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });

  return new ReadableStream<Part>(
    {
      async pull(controller) {
        let next: ReadableStreamReadResult<Part>;
        try {
          next = await reader.read();
        } catch (error) {
          await settle('failed');
          controller.error(error);
          return;
        }
        if (next.done) {
          await settle('failed');
          controller.close();
          return;
        }
        const part = next.value;
        counter.add(part);
        if (counter.came().least > heldUsage.output_tokens) {
          await settle('finished');
          controller.enqueue({ type: 'error', error: exceeded(heldUsage) } as unknown as Part);
          controller.close();
          await reader.cancel().catch(() => undefined);
          return;
        }
        if (part.type === 'finish') await settle('finished', usageOf(part));
        controller.enqueue(part);
      },
      async cancel(reason) {
        await settle('cut');
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function exceeded({ output_tokens }: ModelUsage): IdentityError {
  const message = `The output has reached the ${output_tokens} tokens that are held for it.`;
  return new IdentityError('tool_denied', message);
}

function createCounter(): { add(part: MeteredPart): void; came(): Came } {
  const encoder = new TextEncoder();
  let [deltas, bytes, isAny] = [0, 0, false];
  return {
    add(part) {
      const { delta } = part as { readonly delta?: unknown };
      if (DELTAS.includes(part.type) && typeof delta === 'string' && delta !== '') {
        deltas += 1;
        bytes += encoder.encode(delta).length;
        isAny = true;
      } else if (OUTPUT.includes(part.type)) isAny = true;
    },
    came() {
      const [minimum, estimate] = [BYTES_PER_TOKEN.least, BYTES_PER_TOKEN.about].map((size) =>
        Math.ceil(bytes / size),
      ) as [number, number];
      return { least: Math.max(deltas, minimum), about: estimate, isAny };
    },
  };
}
