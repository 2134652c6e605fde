import { IdentityError, placeOf } from '../../../../src/ports/index.ts';

/** The SQLSTATE of an error; `undefined` for an error that PostgreSQL has not answered. */
export function sqlStateOf(error: unknown): string | undefined {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && severity !== undefined ? code : undefined;
}

/** Whether the connection cannot be used any more: after anything but an ordinary answer of the server. */
export function breaksConnection(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === undefined || ENDS_SESSION.test(state);
}

/** Whether the server cancelled a statement and the connection is still usable. */
export function wasCancelled(error: unknown): boolean {
  return sqlStateOf(error) === QUERY_CANCELED;
}

const QUERY_CANCELED = '57014';

/**
 * The error of a failed start: `invalid_configuration` where a retry cannot help, else `storage_unavailable`.
 * The URL is in neither: it may hold a password.
 */
export function startError(cause: unknown): IdentityError {
  if (cause instanceof IdentityError) return cause;
  const { code, message } = Object(cause) as { code?: unknown; message?: unknown };
  if (code === 'ERR_INVALID_URL' || cause instanceof URIError) {
    return new IdentityError('invalid_configuration', 'The PostgreSQL URL cannot be read.');
  }
  const state = sqlStateOf(cause);
  const hint = NO_RIGHT.includes(state ?? '') ? ` ${MIGRATE}` : '';
  const isAnswer = state !== undefined || typeof code !== 'string';
  const reason = String(isAnswer ? message : `${code}${placeOf(cause)}`).split('\n', 1)[0];
  return new IdentityError(
    WRONG_SET_UP.test(state ?? '') ? 'invalid_configuration' : 'storage_unavailable',
    `PostgreSQL cannot be used: ${reason}${hint}`,
    { cause },
  );
}

/**
 * Connection exceptions, shutdowns, an idle transaction that was ended, and a session that may only read: such a
 * session can stay so when the server takes writes again.
 */
const ENDS_SESSION = /^(?:08|57P|25P03|25006)/;

/** Not permitted, and no usable schema. */
const NO_RIGHT: readonly string[] = ['42501', '3F000'];

const MIGRATE =
  '(What a role that may change tables has to run: agent-identity migrate --print. Its own needs SELECT, INSERT, UPDATE and DELETE.)';

/** No permission, no such database, no such schema, a table that exists already or is of another kind. */
const WRONG_SET_UP = /^(?:28|3D|3F|42)/;
