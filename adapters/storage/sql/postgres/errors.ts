import { IdentityError, placeOf } from '../../../../src/ports/index.ts';

export function sqlStateOf(error: unknown): string | undefined {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && severity !== undefined ? code : undefined;
}

/**
 * Says whether an error makes the connection unusable. After an ordinary error reply of the server, the connection
 * stays usable.
 */
export function breaksConnection(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === undefined || ENDS_SESSION.test(state);
}

/** Says whether the server cancelled the statement. The connection is still usable then. */
export function wasCancelled(error: unknown): boolean {
  return sqlStateOf(error) === QUERY_CANCELED;
}

const QUERY_CANCELED = '57014';

export function isWrongSetUp(error: unknown): boolean {
  return startError(error).code === 'invalid_configuration';
}

/**
 * Creates the error of a failed start: `invalid_configuration` if a retry cannot help, else `storage_unavailable`. The
 * error never contains the URL, which may contain a password.
 */
export function startError(cause: unknown): IdentityError {
  if (cause instanceof IdentityError) return cause;
  const { code, message } = Object(cause) as { code?: unknown; message?: unknown };
  if (code === 'ERR_INVALID_URL' || cause instanceof URIError) {
    return new IdentityError(
      'invalid_configuration',
      'The PostgreSQL URL cannot be read. Write postgres://user:password@host/database.',
    );
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
 * The codes of connection exceptions, shutdowns, ended idle transactions and read-only sessions. A read-only session
 * may stay read-only although the server accepts writes again.
 */
const ENDS_SESSION = /^(?:08|57P|25P03|25006)/;

/** The codes of a missing privilege, and of a search path without a schema. */
const NO_RIGHT: readonly string[] = ['42501', '3F000'];

const MIGRATE =
  '(What a role that may change tables has to run: agent-identity migrate --print. Its own needs SELECT, INSERT, UPDATE and DELETE.)';

/** The codes of a wrong setup: no permission, no such database or schema, a table of another program. */
const WRONG_SET_UP = /^(?:28|3D|3F|42)/;
