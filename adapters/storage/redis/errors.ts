import { IdentityError, placeOf } from '../../../src/ports/index.ts';

export function replyCodeOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown };
  return typeof message === 'string' ? (/^[A-Z]+/.exec(message)?.[0] ?? '') : '';
}

/**
 * Creates the error for settings that cannot work. The message must not quote any part of a URL, which may contain a
 * password.
 */
export function misconfigured(message: string): IdentityError {
  return new IdentityError('invalid_configuration', message);
}

/**
 * Says whether the server refuses a command to this user, or does not know the command. A failed connection does not
 * count.
 */
export function isRefusal(error: unknown): boolean {
  return /^(?:ERR|NOPERM)\b/.test(String(Object(error).message));
}

/** Says whether the error means that the slot of the keys is moving to another server of the cluster. */
export function isMoving(error: unknown): boolean {
  return (
    ['ASK', 'TRYAGAIN'].includes(replyCodeOf(error)) || /non local key/.test(String(Object(error).message))
  );
}

export function isReply(error: unknown): boolean {
  return replyCodeOf(error).length > 1;
}

/**
 * Creates the error of a failed start: `invalid_configuration` if a retry cannot help, else `storage_unavailable`. The
 * error never contains the URL, which may contain a password.
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

const WRONG_SET_UP =
  /^(?:WRONGPASS|NOAUTH|NOPERM|WRONGTYPE|CROSSSLOT|ERR (?:AUTH|Client sent AUTH|DB index|invalid DB|unknown command))/;
