import { setTimeout as pause } from 'node:timers/promises';
import {
  createElapsedClock,
  type Deadlines,
  IdentityError,
  knownOptions,
  type OptionNames,
  type StorageAdapter,
  type StorageHealth,
  wholeNumber,
} from '../../../src/ports/index.ts';
import { type HostClient, loadRedis, type RedisPackages, type Send } from './client.ts';
import { connectOver, connectTo, type RedisConnection, redisDeadlines } from './connection.ts';
import { isRefusal, misconfigured, startError } from './errors.ts';
import { type GuardedStore, openGuardedStore } from './guarded-store.ts';
import { changesChannel } from './keys.ts';
import { createRedisStorage } from './redis-storage.ts';
import { isFewReplicas } from './role-watch.ts';
import { defineGuarded } from './script.ts';
import { createSubscription } from './subscription.ts';

/** The options for a URL and for a store of the application. */
export interface RedisSettings {
  /**
   * The prefix of all keys, without the braces: 1 to 100 of the characters `A-Z a-z 0-9 . _ -`. Default
   * `agent-identity`.
   */
  readonly namespace?: string;
  /** The time limit of a call in milliseconds, from 10 to 60,000. Default 1,000. */
  readonly timeoutMs?: number;
  /**
   * `required` refuses a server that may lose acknowledged writes. With `stated`, you state that the server
   * keeps every acknowledged write, although its settings cannot be read. If the readable settings show that
   * writes may be lost, the server is refused nevertheless. By default, no server is refused, and the method
   * `check` reports the durability.
   */
  readonly durability?: 'required' | 'stated';
  /**
   * The number of verdicts to keep, for all accounts together: 1 to 100,000,000, default 1,000,000. The oldest blocks
   * are removed first. A block has up to some thousand verdicts of an account and is removed as a whole, so slightly
   * more verdicts are kept.
   */
  readonly journalCap?: number;
}

/** The options for a server, a cluster or Sentinels with a URL. */
export interface RedisUrlOptions extends RedisSettings {
  /**
   * The URL, such as `redis://user:password@host:6379/0`, or `rediss://` for TLS. It may list up to 16 addresses of a
   * Redis Cluster. With `?sentinel=<name>` it lists the addresses of Sentinels that know the primary under this name.
   */
  readonly url: string;
}

/** The members of a `@keyv/redis` store that the storage uses. */
export interface KeyvRedisStore {
  /** A client of one server. The storage connects it if necessary. */
  readonly client: unknown;
}

/** A Keyv over a `@keyv/redis` store. */
export interface KeyvOverRedis {
  readonly store: KeyvRedisStore;
}

/**
 * The options for a server behind a store of the application. The client belongs to the application, and reconnects
 * according to its own settings.
 */
export interface RedisStoreOptions extends RedisSettings {
  /**
   * The store, such as `new KeyvRedis(url)` or a `Keyv` over it. Its client sends every command. Its namespace,
   * serialization and hooks are not used.
   */
  readonly store: KeyvRedisStore | KeyvOverRedis;
}

/** The options of `redisStorage`. */
export type RedisStorageOptions = RedisUrlOptions | RedisStoreOptions;

/** The default prefix of all keys. */
export const DEFAULT_NAMESPACE = 'agent-identity';
const DEFAULT_TIMEOUT_MS = 1_000;
const DEFAULT_JOURNAL_CAP = 1_000_000;

const OPTIONS: OptionNames<RedisStorageOptions> = {
  url: true,
  store: true,
  namespace: true,
  timeoutMs: true,
  durability: true,
  journalCap: true,
};

/** Checks the server, and opens the storage. */
export async function openRedisStorage(options: RedisStorageOptions): Promise<StorageAdapter> {
  const { namespace = DEFAULT_NAMESPACE, durability } = knownOptions('redisStorage', options, OPTIONS);
  if (durability !== undefined && durability !== 'required' && durability !== 'stated')
    throw misconfigured('durability must be required or stated.');
  if (!/^[A-Za-z0-9._-]{1,100}$/.test(namespace)) {
    throw misconfigured('namespace must be 1 to 100 of the characters A-Z a-z 0-9 . _ -');
  }
  const timeoutMs = wholeNumber('timeoutMs', options.timeoutMs ?? DEFAULT_TIMEOUT_MS, {
    from: 10,
    to: 60_000,
  });
  const journalCap = wholeNumber('journalCap', options.journalCap ?? DEFAULT_JOURNAL_CAP, {
    from: 1,
    to: 100_000_000,
  });
  const deadlines = redisDeadlines(timeoutMs);
  const packages = await loadRedis();
  let connection: RedisConnection | undefined;
  try {
    const openedConnection = await connect(options, { packages, deadlines, namespace, timeoutMs });
    connection = openedConnection;
    const store = await untilFollowed(timeoutMs, () =>
      openGuardedStore({ packages, connection: openedConnection, namespace, deadlines, timeoutMs }),
    );
    const durabilityTerms = { replicas: openedConnection.replicas, isStated: durability === 'stated' };
    const check = () => readHealth(store, durabilityTerms);
    const health = await check();
    if (durability === 'required' && health.durability !== 'durable') {
      throw misconfigured(`Redis may lose acknowledged writes. ${health.detail ?? ''}`.trim());
    }
    const { createSibling } = openedConnection;
    const channel = changesChannel(namespace);
    const subscription = createSubscription({ createSibling, channel, readNotice: store.readNotice });
    openedConnection.onLeave(subscription.renew);
    const { detail } = health;
    const strictRefusal =
      health.durability === 'durable'
        ? {}
        : { strictRefusal: `Redis may lose acknowledged writes. ${detail ?? ''}`.trim() };
    return createRedisStorage({
      store,
      subscription,
      journalCap,
      observe: openedConnection.observe,
      release: openedConnection.close,
      check,
      ...strictRefusal,
    });
  } catch (error) {
    connection?.close();
    throw startError(error);
  }
}

const FOLLOW_EVERY_MS = 250;

/**
 * Opens the store, and tries again while too few replicas follow. A slow server, or a server that has just taken over,
 * gets its replicas a moment later.
 */
async function untilFollowed<Opened>(limitMs: number, open: () => Promise<Opened>): Promise<Opened> {
  const { elapsed } = createElapsedClock();
  let failure: unknown;
  for (const end = elapsed() + limitMs; ; await pause(FOLLOW_EVERY_MS)) {
    try {
      return await open();
    } catch (error) {
      // A set-up that is refused stays refused.
      if (error instanceof IdentityError) throw error;
      // Its connection is left, so that the next attempt may have none yet.
      if (isFewReplicas(error)) failure = error;
      if (failure === undefined || elapsed() > end) throw failure ?? error;
    }
  }
}

interface ConnectParts {
  readonly packages: RedisPackages;
  readonly deadlines: Deadlines;
  readonly namespace: string;
  readonly timeoutMs: number;
}

async function connect(
  options: RedisStorageOptions,
  { packages, deadlines, ...limits }: ConnectParts,
): Promise<RedisConnection> {
  const { url, store } = options as Partial<RedisUrlOptions & RedisStoreOptions>;
  if (url !== undefined) {
    return connectTo(packages, { url, ...limits });
  }
  if (store === undefined) throw misconfigured('Name a url or a store.');
  const { client } = Object(
    'store' in Object(store) ? Object(store).store : store,
  ) as Partial<KeyvRedisStore>;
  if (!isOneServer(client))
    throw misconfigured('store must be a KeyvRedis, or a Keyv over one, with a client to one server.');
  return connectOver(client, deadlines);
}

/** Says whether the client is for one server. Clients of a cluster or of Sentinels have other members. */
function isOneServer(value: unknown): value is HostClient {
  if (typeof value !== 'object' || value === null || 'slots' in value || 'getSentinelNode' in value)
    return false;
  const client: Partial<HostClient> = value;
  return typeof client.sendCommand === 'function' && typeof client.duplicate === 'function';
}

interface HealthOptions {
  readonly replicas: number;
  /** `true` if the operator has stated that the store keeps every acknowledged write. */
  readonly isStated: boolean;
}

/**
 * Reads from the server's settings how durable an acknowledged write is. `durable` means that each write is on disk
 * before its answer, no record is ever evicted, and no replica without the write can take over. Rejects for a replica,
 * which is read-only.
 */
async function readHealth(
  { run }: GuardedStore,
  { replicas, isStated }: HealthOptions,
): Promise<StorageHealth> {
  return run(async (evaluate, send) => {
    const [state, settings] = await Promise.all([
      readState(send),
      readSettings(send),
      evaluate(assertMarked, []),
    ]);
    if (state.get('role') !== 'master')
      throw new Error('The Redis server is a replica, which is read-only. Name its primary.');
    const shownFlaws = [...(settings === undefined ? [] : flawsOf(settings)), ...flawsOfState(state)];
    const unknown = [...(settings === undefined ? [UNREADABLE] : []), ...flawsOfReplicas(state, replicas)];
    const flaws = isStated ? shownFlaws : [...shownFlaws, ...unknown];
    if (flaws.length > 0) return { durability: 'unproved', detail: flaws.join(' ') };
    if (isStated) return { durability: 'durable', detail: STATED };
    return { durability: 'durable', ...(replicas > 0 && { detail: UNSEEN }) };
  });
}

const assertMarked = defineGuarded('return 1');

const SETTINGS = ['appendonly', 'appendfsync', 'maxmemory', 'maxmemory-policy'] as const;

type Settings = Readonly<Record<(typeof SETTINGS)[number], string>>;

const UNREADABLE = `CONFIG GET is not allowed here: whether ${SETTINGS.join(', ')} keep every write is not known.`;

function flawsOf(settings: Settings): readonly string[] {
  const { appendonly, appendfsync, maxmemory } = settings;
  const policy = settings['maxmemory-policy'];
  const flaws: string[] = [];
  if (appendonly !== 'yes') {
    flaws.push('appendonly is off: a crash of Redis loses what was written after the last snapshot.');
  } else if (appendfsync !== 'always') {
    const loss =
      appendfsync === 'everysec' ? 'the last second or two' : 'what the system has not yet written';
    flaws.push(`appendfsync is ${appendfsync}, not always: a power cut or a kill may lose ${loss}.`);
  }
  // The policies volatile-* evict nothing either, because no key has a time to live.
  if (maxmemory !== '0' && policy.startsWith('allkeys-')) {
    flaws.push(
      `maxmemory-policy is ${policy}, not noeviction: when the memory is full, records are dropped.`,
    );
  }
  return flaws;
}

const STATED = 'Stated by the operator, not read from the server.';
const UNSEEN =
  'These are the settings of the primary. The settings of its replicas cannot be read from here.';

function flawsOfState(state: ReadonlyMap<string, string>): readonly string[] {
  return [
    ...(state.get('aof_last_write_status') === 'err'
      ? ['The append-only file could not be written lately.']
      : []),
    ...(state.get('master_replid') === undefined
      ? ['It does not name its runs: a fail-over that lost writes may not be noticed.']
      : []),
  ];
}

function flawsOfReplicas(state: ReadonlyMap<string, string>, waitedFor: number): readonly string[] {
  const connectedCount = Number(state.get('connected_slaves') ?? 0);
  if (connectedCount <= waitedFor) return [];
  if (waitedFor === 0)
    return [`Replicas (${connectedCount}) follow later: a fail-over to one may lose the last writes.`];
  return [
    `A write waits for ${waitedFor} of ${connectedCount} replicas. A fail-over to another replica may lose writes, and a node that has made one of them then refuses the replica.`,
  ];
}

async function readState(send: Send): Promise<ReadonlyMap<string, string>> {
  const lines = String(await send(['INFO'])).split('\r\n');
  return new Map(lines.map((line) => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1)]));
}

/**
 * Reads the settings one by one, because servers before 7.0 cannot return several. Hosted servers may refuse the
 * command.
 */
async function readSettings(send: Send): Promise<Settings | undefined> {
  const read = async (name: string): Promise<readonly [string, string]> => {
    const answer = await send(['CONFIG', 'GET', name]).catch((error: unknown) => {
      if (isRefusal(error)) return undefined;
      throw error;
    });
    // RESP3 returns a map, RESP2 a list of names and values.
    const value = Array.isArray(answer) ? answer[1] : Object(answer)[name];
    return [name, typeof value === 'string' ? value : ''];
  };
  const result = Object.fromEntries(await Promise.all(SETTINGS.map(read))) as Settings;
  return SETTINGS.every((name) => result[name] !== '') ? result : undefined;
}
