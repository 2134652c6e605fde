import type { OnceOptions, ReplayOptions } from '../core.ts';
import type { Reply } from './endpoint.ts';

export async function replayable(
  onceOptions: OnceOptions,
  answer: (options: ReplayOptions) => Promise<unknown>,
): Promise<Reply> {
  let isReplayed = false;
  const onReplayed = (): void => {
    isReplayed = true;
  };
  const wasReplayed = (): boolean => isReplayed;
  const body = await answer({ onReplayed, ...onceOptions });
  return wasReplayed() ? { body, headers: { 'idempotent-replayed': 'true' } } : { body };
}
