import { accessSync, constants } from 'node:fs';
import { IdentityError, suggestion } from '../../../../src/ports/index.ts';
import { isLibpqName, LIBPQ_NAMES } from './libpq-parameters.ts';

const PARAMETERS: readonly string[] = [
  ...['host', 'port', 'user', 'password', 'db', 'encoding', 'client_encoding', 'options', 'application_name'],
  ...['fallback_application_name', 'ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation'],
  ...['uselibpqcompat', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'],
  ...['query_timeout', 'replication', 'binary'],
];

/** The libpq parameter that says which of several hosts to use. `pg` does not know it. */
const TARGET = 'target_session_attrs';
const WRITABLE: readonly string[] = ['read-write', 'primary'];
const MAX_HOSTS = 16;

/**
 * Returns a URL for `pg` for each host in a URL with several hosts, such as `postgres://h1:5432,h2/agents`.
 *
 * @throws {IdentityError} `invalid_configuration` for another kind of URL, for a malformed list of hosts, and for an
 * unknown or repeated parameter. The message does not quote the URL, which may contain a password.
 */
export function readPostgresUrl(url: unknown): readonly string[] {
  if (typeof url !== 'string' || !/^(?:postgres(?:ql)?:\/\/|socket:|\/)/i.test(url))
    throw misconfigured('A PostgreSQL URL begins with postgres:// or postgresql://');
  const [place = '', text] = url.split('?', 2);
  // A question mark in a password: what follows it is no parameter, and must not be named.
  if (text?.includes('@')) throw misconfigured('Write ? and @ in a PostgreSQL URL as %3F and %40.');
  const parameters = text?.split('&') ?? [];
  const values = new URLSearchParams(text);
  // A parameter without a value may be a part of a password: no message names it.
  const names = parameters.map((parameter) => (parameter.includes('=') ? nameOf(parameter) : ''));
  assertParameters(names, values.get(TARGET));
  assertFiles(values);
  const query = queryOf(parameters, values);
  const [, start, hosts, path] = /^(\w+:\/\/(?:[^/]*@)?)([^/]*)(.*)$/s.exec(place) ?? [];
  if (hosts === undefined || !hosts.includes(',')) return [`${place}${query}`];
  return splitHosts(hosts).map((host) => `${start}${host}${path}${query}`);
}

function queryOf(parameters: readonly string[], values: URLSearchParams): string {
  const isSystem = values.get('sslrootcert') === SYSTEM;
  const ownParameters = parameters.filter((parameter) => {
    const name = nameOf(parameter);
    return name !== TARGET && !isLibpqName(name) && !(isSystem && name === 'sslrootcert');
  });
  // As in libpq: the certificates of public authorities prove a host only with its name.
  if (isSystem && !values.has('sslmode')) ownParameters.push('sslmode=verify-full');
  return ownParameters.length === 0 ? '' : `?${ownParameters.join('&')}`;
}

/** Throws if a file of a certificate or key cannot be read, because `pg` would fail at each connection. */
function assertFiles(values: URLSearchParams): void {
  if (values.get('sslrootcert') === SYSTEM && (values.get('sslmode') ?? FULL) !== FULL) {
    throw misconfigured('sslrootcert=system of the PostgreSQL URL needs sslmode=verify-full.');
  }
  for (const name of ['sslcert', 'sslkey', 'sslrootcert']) {
    const file = values.get(name) ?? '';
    if (file === '' || file === SYSTEM) continue;
    try {
      accessSync(file, constants.R_OK);
    } catch (cause) {
      throw misconfigured(`The file ${JSON.stringify(file)} of ${name} cannot be read.`, cause);
    }
  }
}

/** The value of `sslrootcert` that selects the certificates of public authorities. */
const SYSTEM = 'system';
const FULL = 'verify-full';

function nameOf(parameter: string): string {
  return [...new URLSearchParams(parameter).keys()][0] ?? '';
}

function assertParameters(names: readonly string[], target: string | null): void {
  const knownNames = [...PARAMETERS, ...LIBPQ_NAMES, TARGET];
  const unknown = names.find((name) => !knownNames.includes(name));
  if (unknown === 'schema' || unknown === 'search_path') {
    throw misconfigured(
      'A PostgreSQL URL has no schema. The tables are made in the first schema of the search path. Set the path with ?options=-c%20search_path%3Dagents.',
    );
  }
  if (unknown === 'load_balance_hosts') {
    throw misconfigured(
      'Connections are not spread over hosts: leave load_balance_hosts out of the PostgreSQL URL.',
    );
  }
  if (unknown !== undefined) {
    throw misconfigured(
      `The PostgreSQL URL has a parameter that is not known: ${shown(unknown)}.${suggestion(unknown, knownNames)}`,
    );
  }
  if (new Set(names).size < names.length)
    throw misconfigured('The PostgreSQL URL has a parameter twice. Remove one.');
  if (target !== null && !WRITABLE.includes(target)) {
    throw misconfigured(
      `Only a host that takes writes can be used: ${TARGET} of the PostgreSQL URL is ${WRITABLE.join(' or ')}, or left out.`,
    );
  }
}

function splitHosts(list: string): readonly string[] {
  const hosts = list.split(',');
  if (hosts.length > MAX_HOSTS) throw misconfigured(`A PostgreSQL URL lists at most ${MAX_HOSTS} hosts.`);
  if (hosts.every((host) => HOST.test(host))) return hosts;
  throw misconfigured(
    'The PostgreSQL URL has a host that is empty or malformed: write host:port, or [address]:port for IPv6.',
  );
}

const HOST = /^(?:[^[\]:@\s]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

function shown(name: string): string {
  return /^\w{1,64}$/.test(name) ? name : 'its name is malformed';
}

function misconfigured(message: string, cause?: unknown): IdentityError {
  return new IdentityError('invalid_configuration', message, cause === undefined ? {} : { cause });
}
