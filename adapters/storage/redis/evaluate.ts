import type { RedisArgument, ReplyTexts, Send } from './client.ts';
import { replyCodeOf } from './errors.ts';
import type { Script } from './script.ts';

export type Evaluate = (
  script: Script,
  args: readonly RedisArgument[],
  texts?: ReplyTexts,
) => Promise<unknown>;

export type Form = 'EVALSHA' | 'EVAL';

export function evaluateAs(
  form: Form,
  send: Send,
  ...[{ sha, text }, args, texts]: Parameters<Evaluate>
): Promise<unknown> {
  return send([form, form === 'EVALSHA' ? sha : text, '1', ...args], texts);
}

export async function inEitherForm<Answer>(run: (form: Form) => Promise<Answer>): Promise<Answer> {
  try {
    return await run('EVALSHA');
  } catch (error) {
    if (replyCodeOf(error) !== 'NOSCRIPT') throw error;
    return run('EVAL');
  }
}

export function evaluate(send: Send, ...args: Parameters<Evaluate>): Promise<unknown> {
  return inEitherForm((form) => evaluateAs(form, send, ...args));
}
