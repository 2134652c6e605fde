import { IdentityError, placeOf } from '../../../src/ports/index.ts';

/** Returns the error code of Redis, such as `NOSCRIPT`: the first word of its answer. */
export function replyCodeOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown };
  return typeof message === 'string' ? (/^[A-Z]+/.exec(message)?.[0] ?? '') : '';
}

/** Makes the error of settings that cannot work. The message must quote no part of a URL, which may contain a password. */
export function misconfigured(message: string): IdentityError {
  return new IdentityError('invalid_configuration', message);
}

/** Says whether the server refuses a command to this user, or does not know it. A failed connection is no refusal. */
export function isRefusal(error: unknown): boolean {
  return /^(?:ERR|NOPERM)\b/.test(String(Object(error).message));
}

/** Says whether a cluster reports with this error that the slot of the keys is moving to another server. */
export function isMoving(error: unknown): boolean {
  return (
    ['ASK', 'TRYAGAIN'].includes(replyCodeOf(error)) || /non local key/.test(String(Object(error).message))
  );
}

/** Says whether an error is an answer of Redis, not a failed connection. */
export function isReply(error: unknown): boolean {
  return replyCodeOf(error).length > 1;
}

/**
 * Makes the error of a failed start: `invalid_configuration` if a retry cannot help, `storage_unavailable` otherwise.
 * Neither contains the URL, which may contain a password.
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

/** Error codes of a wrong set-up: no permission, no such database, no scripts, keys of another program. */
const WRONG_SET_UP =
  /^(?:WRONGPASS|NOAUTH|NOPERM|WRONGTYPE|CROSSSLOT|ERR (?:AUTH|Client sent AUTH|DB index|invalid DB|unknown command))/;
