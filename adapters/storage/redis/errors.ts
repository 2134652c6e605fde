import { IdentityError } from '../../../src/ports/index.ts';

/** What Redis names an error by, such as `NOSCRIPT`: the first word of its answer. */
export function replyCodeOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown };
  return typeof message === 'string' ? (/^[A-Z]+/.exec(message)?.[0] ?? '') : '';
}

/**
 * The error of a failed start: `invalid_configuration` for what no waiting will mend, else `storage_unavailable`.
 * The URL is in neither: it may hold a password.
 */
export function startError(cause: unknown): IdentityError {
  if (cause instanceof IdentityError) return cause;
  const { code, message } = Object(cause) as { code?: unknown; message?: unknown };
  const reason = String(typeof code === 'string' ? code : message).split('\n', 1)[0];
  return new IdentityError(
    WRONG_SET_UP.test(String(message)) ? 'invalid_configuration' : 'storage_unavailable',
    `Redis cannot be used: ${reason}`,
    { cause },
  );
}

/** Who may not, no such database, no scripts, a cluster, keys that are another program's. */
const WRONG_SET_UP =
  /^(?:WRONGPASS|NOAUTH|NOPERM|WRONGTYPE|MOVED|CROSSSLOT|ERR (?:AUTH|Client sent AUTH|DB index|invalid DB|unknown command))/;
