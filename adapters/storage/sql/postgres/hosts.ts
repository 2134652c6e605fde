import { accessSync, constants } from 'node:fs';
import { createElapsedClock, IdentityError, suggestion } from '../../../../src/ports/index.ts';
import { isLibpqName, LIBPQ_NAMES, readLibpqOptions } from './libpq-parameters.ts';

/** The hosts in the URL of a database. All connections lead to one of them, the host in use. */
export interface Hosts {
  readonly count: number;
  /** The time limit of an attempt to connect to one of several hosts, in milliseconds. */
  readonly attemptMs: number;
  /** Returns the class of the clients for a pool. Each client connects to the host that is in use at that moment. */
  clients(Client: ClientClass): ClientClass;
  /** Makes the host of this client the host in use, because it accepts writes. */
  use(client: object): void;
  /** Switches to the next host, if the host in use is the host of this client. */
  leave(client: object): void;
  /** Records a sign that the server is gone. */
  miss(): void;
  /**
   * Returns the host and port of this client, if the URL has them, and the time since the first sign that the server is
   * gone. Without a client of this URL, returns the host in use.
   */
  state(client?: object): HostState;
}

/** A host. */
export interface HostState {
  readonly address?: string;
  /** Milliseconds since the first sign that the server is gone; 0 if there was none since a host was last used. */
  readonly withoutMs: number;
}

/** The part of the class `Client` of `pg` that the storage uses. */
export type ClientClass = new (
  config: object,
) => {
  connect(onEnd: (error?: unknown) => void): void;
  end(): unknown;
  /** The connection, which reports the authentication methods of a server. */
  readonly connection: {
    once(event: 'authenticationSASL', listener: (message: SaslOffer) => void): unknown;
  };
};

type SaslOffer = { readonly mechanisms: readonly string[] };

/** The share of a call's time limit for one attempt to connect. It allows two attempts within the limit. */
const ATTEMPT_SHARE = 0.4;

/**
 * Reads the hosts of a URL, for calls with this time limit. `onMiss` is called at each sign that the server is gone.
 * Throws as `readPostgresUrl` does.
 */
export function readHosts(url: string, timeoutMs: number, onMiss: () => void = ignore): Hosts {
  const urls = readPostgresUrl(url);
  const attemptMs = timeoutMs * ATTEMPT_SHARE;
  const { config: libpq, mustBind } = readLibpqOptions(url, urls.length === 1 ? timeoutMs : attemptMs);
  const hostOf = new WeakMap<object, number>();
  const { elapsed } = createElapsedClock();
  let current = 0;
  let missedAt: number | undefined;

  function miss(): void {
    missedAt ??= elapsed();
    onMiss();
  }

  function leave(client: object): void {
    miss();
    if (hostOf.get(client) === current) current = (current + 1) % urls.length;
  }

  return {
    count: urls.length,
    attemptMs,
    clients: (Client) =>
      class extends Client {
        constructor(config: object) {
          const limits = urls.length === 1 ? {} : { connectionTimeoutMillis: attemptMs };
          const host = current;
          super({ ...config, ...limits, ...libpq, connectionString: urls[host] });
          hostOf.set(this, host);
        }

        override connect(onEnd: (error?: unknown) => void): void {
          let binds = false;
          this.connection.once('authenticationSASL', ({ mechanisms }) => {
            binds = mechanisms.includes('SCRAM-SHA-256-PLUS');
          });
          super.connect((failedError) => {
            const isUnbound = !failedError && mustBind && !binds;
            if (isUnbound) this.end();
            const error = isUnbound ? unbound() : failedError;
            if (error) leave(this);
            onEnd(error);
          });
        }
      },
    use(client) {
      current = hostOf.get(client) ?? current;
      missedAt = undefined;
    },
    leave,
    miss,
    state(client) {
      // Another client may have left the host in use while this client is greeted.
      const host = client === undefined ? undefined : hostOf.get(client);
      const address = addressOf(urls[host ?? current]);
      const withoutMs = missedAt === undefined ? 0 : Math.round(elapsed() - missedAt);
      return { ...(address !== undefined && { address }), withoutMs };
    },
  };
}

function ignore(): void {}

function unbound(): Error {
  return new Error('The server offers no channel binding, which channel_binding=require of its URL needs.');
}

function addressOf(url: string | undefined): string | undefined {
  const host = url !== undefined && URL.canParse(url) ? new URL(url).host : '';
  return host === '' ? undefined : host;
}

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
