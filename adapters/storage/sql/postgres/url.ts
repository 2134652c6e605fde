import { IdentityError, suggestion } from '../../../../src/ports/index.ts';

/** What `pg` reads of a URL behind its question mark. */
const PARAMETERS: readonly string[] = [
  ...['host', 'port', 'user', 'password', 'db', 'encoding', 'client_encoding', 'options', 'application_name'],
  ...['fallback_application_name', 'ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation'],
  ...['uselibpqcompat', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'],
  ...['query_timeout', 'replication', 'binary'],
];

/**
 * `invalid_configuration` for the URL of something else, which `pg` would take for one of PostgreSQL, and for a parameter
 * that it does not read. What is unknown is not shown: it may be the rest of a password with a question mark.
 */
export function assertPostgresUrl(url: unknown): void {
  if (typeof url !== 'string' || !/^(?:postgres(?:ql)?:\/\/|socket:|\/)/i.test(url))
    throw misconfigured('A PostgreSQL URL begins with postgres:// or postgresql://');
  const [, text = ''] = url.split('?', 2);
  const unknown = [...new URLSearchParams(text).keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown === undefined) return;
  throw misconfigured(
    unknown === 'schema' || unknown === 'search_path'
      ? 'A PostgreSQL URL has no schema: the tables are made in the first of the search path, such as that of ?options=-c%20search_path%3Dagents.'
      : `The PostgreSQL URL has a parameter that is not known.${suggestion(unknown, PARAMETERS)}`,
  );
}

function misconfigured(message: string): IdentityError {
  return new IdentityError('invalid_configuration', message);
}
