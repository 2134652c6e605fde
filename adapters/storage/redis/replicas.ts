import { IdentityError } from '../../../src/ports/index.ts';
import type { Send } from './client.ts';
import { isRefusal } from './errors.ts';
import { defineGuarded, type Script } from './script.ts';

const MAX_LAG_S = 3;

export function countReplicas(answer: unknown): number {
  const lines = String(answer).match(/^slave\d+:.*$/gm) ?? [];
  return lines.filter((line) => {
    const lag = /(?:^|,)lag=(\d+)/.exec(line)?.[1];
    return line.includes('state=online') && lag !== undefined && Number(lag) <= MAX_LAG_S;
  }).length;
}

/** Sends `WAIT`. Returns the number of replicas that have all earlier writes of the same connection. */
export async function waitFor(send: Send, replicas: number, ms: number): Promise<number> {
  return Number(await send(['WAIT', `${replicas}`, `${ms}`]));
}

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
 * A write that changes nothing. A `WAIT` after it confirms all earlier writes. It removes its key first, because a full
 * server only lets a script begin with a command that frees memory.
 */
export const touch: Script = defineGuarded(`
  redis.call('DEL', prefix .. 'confirm')
  redis.call('SET', prefix .. 'confirm', '1')`);
