import type { OnceOptions, ReplayOptions } from '../service.ts';
import type { Reply } from './endpoint.ts';

/** The reply with what `answer` gives; a header says so where it was given before under the same key. */
export async function replayable(
  once: OnceOptions,
  answer: (options: ReplayOptions) => Promise<unknown>,
): Promise<Reply> {
  let isReplayed = false;
  const onReplayed = (): void => {
    isReplayed = true;
  };
  const wasReplayed = (): boolean => isReplayed;
  const body = await answer({ onReplayed, ...once });
  return wasReplayed() ? { body, headers: { 'idempotent-replayed': 'true' } } : { body };
}
