/**
 * Meters the stream of a model. At the end, the meter settles the hold with the reported usage, or with the output so
 * far.
 */
import { IdentityError, type ModelUsage, usageOf } from '../../../src/guard/index.ts';
import type { ModelHold } from './model-hold.ts';

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
export function meteredStream<Part extends MeteredPart>(
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
