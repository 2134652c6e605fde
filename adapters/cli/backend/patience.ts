import { setTimeout as pause } from 'node:timers/promises';
import { IdentityError } from '../../../src/index.ts';

/** The maximum number of times that a request waits for the rate limit, at most one minute each time. */
const MAX_WAITS = 60;

/**
 * Wraps an object so that some of its methods wait if the account has used up its writes per minute. A refused request
 * has changed nothing, so it can be repeated.
 */
export function patient<Room extends object>(room: Room, names: readonly (keyof Room & string)[]): Room {
  const methods = names.map((name) => [name, waiting(room[name] as unknown as Method)]);
  return { ...room, ...Object.fromEntries(methods) };
}

type Method = (...args: readonly unknown[]) => PromiseLike<unknown>;

function waiting(ask: Method): Method {
  return async (...args) => {
    for (let waits = 0; ; waits += 1) {
      try {
        return await ask(...args);
      } catch (error) {
        const isOver = error instanceof IdentityError && error.code === 'rate_limited';
        if (!isOver || waits === MAX_WAITS) throw error;
        await pause((error.details.retryAfterSeconds ?? 1) * 1_000);
      }
    }
  };
}
