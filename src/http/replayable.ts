import type { OnceOptions, ReplayOptions } from '../core.ts';
import type { Reply } from './endpoint.ts';

/** Makes the reply of an answer that may be a replay under the same idempotency key, which a header then says. */
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
