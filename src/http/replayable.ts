import type { OnceOptions, ReplayOptions, VerifyCaller } from '../service.ts';
import type { Callers, Reply } from './endpoint.ts';

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
  const body = await answer({ ...once, onReplayed });
  return { body, ...(wasReplayed() && { headers: { 'idempotent-replayed': 'true' } }) };
}

/** The same caller, under an idempotency key. */
export function under(
  caller: Callers['key'],
  idempotency_key: string,
  { onReplayed, idempotency_route }: Pick<VerifyCaller, 'onReplayed' | 'idempotency_route'>,
): VerifyCaller {
  return {
    ...caller,
    idempotency_key,
    ...(onReplayed && { onReplayed }),
    ...(idempotency_route !== undefined && { idempotency_route }),
  };
}
