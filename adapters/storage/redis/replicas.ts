import { IdentityError } from '../../../src/ports/index.ts';
import type { Send } from './client.ts';
import { isRefusal } from './errors.ts';
import { defineGuarded, type Script } from './script.ts';

/** The silence in seconds after which a replica does not count as following. */
const MAX_LAG_S = 3;

/** Counts in the answer to `INFO replication` the replicas that follow and that have reported lately. */
export function countReplicas(answer: unknown): number {
  const lines = String(answer).match(/^slave\d+:.*$/gm) ?? [];
  return lines.filter((line) => {
    const lag = /(?:^|,)lag=(\d+)/.exec(line)?.[1];
    return line.includes('state=online') && lag !== undefined && Number(lag) <= MAX_LAG_S;
  }).length;
}

/** Sends `WAIT`: returns the number of replicas that have all that was written before on the same connection. */
export async function waitFor(send: Send, replicas: number, ms: number): Promise<number> {
  return Number(await send(['WAIT', `${replicas}`, `${ms}`]));
}

/** Throws `invalid_configuration` if the server refuses `WAIT` and it is needed. */
export async function assertWaits(send: Send, replicas: number): Promise<void> {
  if (replicas === 0) return;
  // 0 replicas: it returns at once.
  await waitFor(send, 0, 1).catch((cause: unknown) => {
    if (!isRefusal(cause)) throw cause;
    throw new IdentityError(
      'invalid_configuration',
      'Redis refuses WAIT to this user, so that no write can wait for replicas: allow it, or add replicas=0 to the URL.',
      { cause },
    );
  });
}

/**
 * A write that changes nothing: what a `WAIT` behind it confirms includes all writes before it. It removes its key first,
 * because a server that is full lets a script begin only with what frees memory.
 */
export const touch: Script = defineGuarded(`
  redis.call('DEL', prefix .. 'confirm')
  redis.call('SET', prefix .. 'confirm', '1')`);
