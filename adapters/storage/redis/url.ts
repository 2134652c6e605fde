import { isIPv6 } from 'node:net';
import { type IdentityError, suggestion } from '../../../src/ports/index.ts';
import { misconfigured } from './errors.ts';

/** The address of a server. */
export interface Address {
  readonly host: string;
  readonly port: number;
  /** The name that the certificate of the server must contain, if it differs from `host`. */
  readonly servername?: string;
}

/** Formats the host and port of a server. */
export function addressText({ host, port }: Address): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** The contents of a Redis URL. */
export interface RedisPlace {
  readonly addresses: readonly Address[];
  /** The name under which Sentinels know the primary. If it is set, the addresses belong to Sentinels. */
  readonly sentinel?: string;
  /** The number of replicas that must have a write before it is acknowledged, if the URL contains it. */
  readonly replicas?: number;
  readonly database: number;
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
}

const MAX_ADDRESSES = 16;
const MAX_REPLICAS = 5;
const PORT = 6379;
const SENTINEL_PORT = 26_379;
const PARAMETERS: readonly string[] = ['sentinel', 'replicas'];

/**
 * Parses a URL such as `redis://user:password@h1:6379,[::1]:6380/0?sentinel=agents`.
 *
 * @throws {IdentityError} `invalid_configuration` for any other text. The message quotes no part of the URL, which may
 * contain a password.
 */
export function readRedisUrl(url: unknown): RedisPlace {
  if (typeof url !== 'string' || !/^rediss?:\/\//i.test(url))
    throw misconfigured('A Redis URL begins with redis:// or rediss://');
  const { scheme = '', user, list = '', path = '', query = '' } = URL_PARTS.exec(url)?.groups ?? {};
  if (scheme === '' || !/^\d{0,5}$/.test(path)) throw unreadable();
  if (user?.includes(',')) throw misconfigured(ENCODE);
  const parameters = readParameters(query);
  const port = parameters.sentinel === undefined ? PORT : SENTINEL_PORT;
  return {
    addresses: readAddresses(list, port),
    ...parameters,
    ...readUser(user),
    database: Number(path),
    tls: scheme.toLowerCase() === 'rediss',
  };
}

const URL_PARTS =
  /^(?<scheme>rediss?):\/\/(?:(?<user>[^@/?#]*)@)?(?<list>[^/?#]*)(?:\/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?$/i;

const ENCODE = 'A comma or @ in the user or password of a Redis URL is written as %2C or %40.';

function readParameters(query: string): Pick<RedisPlace, 'sentinel' | 'replicas'> {
  const entries = [...new URLSearchParams(query)];
  const names = entries.map(([name]) => name);
  const unknown = names.find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) {
    throw misconfigured(
      `A Redis URL has no parameters but ${PARAMETERS.join(' and ')}: what the keys begin with is the option namespace.${suggestion(unknown, PARAMETERS)}`,
    );
  }
  if (new Set(names).size < names.length)
    throw misconfigured('The Redis URL has a parameter twice. Remove one.');
  const { sentinel, replicas } = Object.fromEntries(entries) as Readonly<Record<string, string | undefined>>;
  if (sentinel !== undefined && !/^[A-Za-z0-9._-]{1,100}$/.test(sentinel))
    throw misconfigured('sentinel of the Redis URL must be 1 to 100 of the characters A-Z a-z 0-9 . _ -');
  if (replicas !== undefined && !(/^\d$/.test(replicas) && Number(replicas) <= MAX_REPLICAS))
    throw misconfigured(`replicas of the Redis URL must be 0 to ${MAX_REPLICAS}.`);
  return {
    ...(sentinel !== undefined && { sentinel }),
    ...(replicas !== undefined && { replicas: Number(replicas) }),
  };
}

function readAddresses(list: string, port: number): readonly Address[] {
  if (list.includes('@')) throw misconfigured(ENCODE);
  const texts = list.split(',');
  if (texts.length > MAX_ADDRESSES)
    throw misconfigured(`A Redis URL lists at most ${MAX_ADDRESSES} addresses.`);
  return texts.map((text) => readAddress(text, port));
}

function readAddress(text: string, defaultPort: number): Address {
  const { name, ipv6, port = `${defaultPort}` } = ADDRESS.exec(text)?.groups ?? {};
  const host = ipv6 ?? name;
  const isHost = ipv6 === undefined ? name !== undefined : isIPv6(ipv6);
  if (host === undefined || !isHost || Number(port) < 1 || Number(port) > 65_535) {
    throw misconfigured(
      'The Redis URL cannot be read: an address is empty or malformed. Write host:port, or [address]:port for IPv6.',
    );
  }
  return { host, port: Number(port) };
}

const ADDRESS = /^(?:(?<name>[^[\]:@\s%]+)|\[(?<ipv6>[\da-f:.]+)\])(?::(?<port>\d{1,5}))?$/i;

function readUser(text = ''): Pick<RedisPlace, 'username' | 'password'> {
  const { name = '', password = '' } = /^(?<name>[^:]*)(?::(?<password>.*))?$/s.exec(text)?.groups ?? {};
  try {
    return {
      ...(name !== '' && { username: decodeURIComponent(name) }),
      ...(password !== '' && { password: decodeURIComponent(password) }),
    };
  } catch {
    throw unreadable();
  }
}

function unreadable(): IdentityError {
  return misconfigured('The Redis URL cannot be read. Write redis://host:port.');
}
