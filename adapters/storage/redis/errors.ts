import { IdentityError, placeOf } from '../../../src/ports/index.ts';

/** The error code of Redis, such as `NOSCRIPT`: the first word of its answer. */
export function replyCodeOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown };
  return typeof message === 'string' ? (/^[A-Z]+/.exec(message)?.[0] ?? '') : '';
}

/**
 * The error of a failed start: `invalid_configuration` where a retry cannot help, else `storage_unavailable`.
 * The URL is in neither: it may hold a password.
 */
export function startError(cause: unknown): IdentityError {
  if (cause instanceof IdentityError) return cause;
  const { code, message } = Object(cause) as { code?: unknown; message?: unknown };
  const reason = String(typeof code === 'string' ? `${code}${placeOf(cause)}` : message).split('\n', 1)[0];
  return new IdentityError(
    WRONG_SET_UP.test(String(message)) ? 'invalid_configuration' : 'storage_unavailable',
    `Redis cannot be used: ${reason}`,
    { cause },
  );
}

/** No permission, no such database, no scripts, a cluster, keys of another program. */
const WRONG_SET_UP =
  /^(?:WRONGPASS|NOAUTH|NOPERM|WRONGTYPE|MOVED|CROSSSLOT|ERR (?:AUTH|Client sent AUTH|DB index|invalid DB|unknown command))/;
