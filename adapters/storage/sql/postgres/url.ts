import { IdentityError, suggestion } from '../../../../src/ports/index.ts';

/** The parameters of a URL that `pg` reads. */
const PARAMETERS: readonly string[] = [
  ...['host', 'port', 'user', 'password', 'db', 'encoding', 'client_encoding', 'options', 'application_name'],
  ...['fallback_application_name', 'ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation'],
  ...['uselibpqcompat', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'],
  ...['query_timeout', 'replication', 'binary'],
];

/**
 * Throws `invalid_configuration` for another kind of URL, which `pg` would accept, and for an unknown parameter. The
 * message does not quote the parameter: it may be the rest of a password with a question mark.
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
