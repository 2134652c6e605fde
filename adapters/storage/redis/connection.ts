import {
  createDeadlines,
  createStorageEvents,
  type Deadlines,
  IdentityError,
  type StorageEvents,
  type StorageObserver,
} from '../../../src/ports/index.ts';
import type {
  ClientOptions,
  HostClient,
  RedisArgument,
  RedisClient,
  RedisPackages,
  ReplyTexts,
} from './client.ts';
import { isMoving, isReply, replyCodeOf } from './errors.ts';
import { FIND_MS, openLocator, type RedisMode } from './locate.ts';
import { createLocatedClient, type SocketOptions } from './located-client.ts';
import { createOwnClient, MAX_WAITING, type OwnClient } from './own-client.ts';
import { createRoleWatch, type IncarnationCheck, sendCommand } from './role-watch.ts';
import { assertStandalone } from './server.ts';
import { type Address, addressText, type RedisPlace, readRedisUrl } from './url.ts';

export interface RedisConnection {
  readonly mode: RedisMode;
  /** The number of replicas that must have a write before it is acknowledged. */
  readonly replicas: number;
  /** Returns the number of the present connection. Each connection has a different number. */
  number(): number;
  /**
   * Sends one command to a server that is a primary; rejects at once if there is no connection. `assertWanted` is
   * called right before the command is sent, and may throw.
   *
   * INVARIANT: nothing is sent on a new connection before its server was checked. An answer counts only if the server
   * was checked within `LOOK_EVERY_MS` before the command, or together with it.
   *
   * INVARIANT: commands are sent in the order of the calls, even after a check for which several calls waited. A `WAIT`
   * thus covers all writes before it.
   */
  send(args: readonly RedisArgument[], texts?: ReplyTexts, assertWanted?: () => void): Promise<unknown>;
  /**
   * Sets the `IncarnationCheck`, which accepts or refuses the present and each later incarnation of the server. An
   * incarnation is a period in which one process accepts writes. Rejects if the present incarnation is refused.
   * Replaces an earlier `IncarnationCheck` if its store could not be opened.
   */
  checkBy(check: IncarnationCheck): Promise<void>;
  readonly emit: StorageEvents['emit'];
  readonly observe: StorageEvents['observe'];
  /**
   * Sets the function to call if the connection is dropped because its server is no longer the primary of these keys.
   */
  onLeave(listener: () => void): void;
  /** Reports a call that has waited for an answer since an instant of `performance.now()`. */
  suspect(sinceMs: number): void;
  createSibling(): OwnClient;
  close(): void;
}

export interface ConnectOptions {
  readonly url: string;
  readonly namespace: string;
  readonly timeoutMs: number;
}

export async function connectTo(
  packages: RedisPackages,
  { url, namespace, timeoutMs }: ConnectOptions,
): Promise<RedisConnection> {
  const place = readRedisUrl(url);
  const { mode, locate } = await openLocator({ packages, place, namespace, timeoutMs });
  let last: Address | undefined;
  const createNoting = (note: (address: Address) => void) => (options: SocketOptions) =>
    createLocatedClient(
      {
        locate,
        create(address, options) {
          note(address);
          return packages.createClient(clientOptions(place, address, options));
        },
      },
      options,
    );
  let isStarting = true;
  let failure: unknown;
  const ownClient = createOwnClient({
    create: createNoting((address) => {
      last = address;
    }),
    isStarting: () => isStarting,
    startsOver(cause) {
      failure = cause;
      // The primary that was found may have died in the meantime.
      return mode !== 'single' && !(cause instanceof IdentityError || isReply(cause));
    },
  });
  try {
    const findMs = mode === 'single' ? 0 : FIND_MS;
    await redisDeadlines(timeoutMs + findMs)
      .limit(() => ownClient.client.connect())
      .catch((late: unknown) => {
        throw failure ?? late;
      });
    isStarting = false;
    const { replicas = mode === 'single' ? 0 : 1 } = place;
    return createConnection({
      client: ownClient.client,
      create: createNoting(ignore),
      own: ownClient,
      mode,
      replicas,
      address: () => last && addressText(last),
    });
  } catch (error) {
    ownClient.close();
    throw error;
  }
}

export function redisDeadlines(timeoutMs: number): Deadlines {
  return createDeadlines(timeoutMs, () => new Error(`Redis did not answer within ${timeoutMs} ms.`));
}

function clientOptions(place: RedisPlace, address: Address, options: SocketOptions): ClientOptions {
  const { tls, username, password, database } = place;
  return { ...options, username, password, database, socket: { ...options.socket, ...address, tls } };
}

/** Uses the client of the application. It connects the client if necessary, and never ends it. */
export async function connectOver(client: HostClient, deadlines: Deadlines): Promise<RedisConnection> {
  let onReady = ignore;
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
    client.on('ready', onReady);
  });
  const connect = async (): Promise<void> => {
    if (!client.isOpen) await client.connect();
    if (!client.isReady) await ready;
    assertStandalone(await sendCommand(client, ['INFO']));
  };
  try {
    await deadlines.limit(connect);
  } finally {
    client.off('ready', onReady);
  }
  const create = (options: SocketOptions): RedisClient => duplicate(client, options);
  return createConnection({ client, create, mode: 'single', replicas: 0, address: () => undefined });
}

interface ConnectionParts {
  readonly client: RedisClient;
  readonly create: (options: SocketOptions) => RedisClient;
  readonly own?: OwnClient;
  readonly mode: RedisMode;
  readonly replicas: number;
  readonly address: () => string | undefined;
}

function createConnection({
  client,
  create,
  own,
  mode,
  replicas,
  address,
}: ConnectionParts): RedisConnection {
  let waiting = 0;
  let answeredAt = performance.now();
  let number = 0;
  const { emit, observe } = createStorageEvents();
  const slot = createSlotWatch(emit);
  const watch = createRoleWatch({ client, own, replicas, address, emit });
  const { send: sendPlain } = watch;
  const onReady = (): void => {
    number += 1;
    watch.renew();
  };

  client.on('ready', onReady);
  client.on('error', watch.miss);

  const sendChecked: RedisConnection['send'] = async (args, texts, assertWanted) => {
    while (watch.isNew()) await watch.look();
    assertWanted?.();
    if (watch.isRecent()) return sendPlain(args, texts);
    // Sent right after the command, so that it costs no round trip of its own.
    const [answer] = await Promise.all([sendPlain(args, texts), watch.look()]);
    return answer;
  };

  return {
    mode,
    replicas,
    number: () => number,
    async send(args, texts, assertWanted) {
      if (!client.isReady) throw new Error('There is no connection to Redis.');
      if (waiting >= MAX_WAITING) throw new Error('Too many calls wait for Redis.');
      waiting += 1;
      try {
        const answer = await sendChecked(args, texts, assertWanted);
        slot.onAnswer(args);
        return answer;
      } catch (error) {
        slot.onError(error);
        if (LEFT_FOR.includes(replyCodeOf(error))) watch.leave();
        throw error;
      } finally {
        waiting -= 1;
        answeredAt = performance.now();
      }
    },
    emit,
    observe,
    checkBy: watch.checkBy,
    onLeave: watch.onLeave,
    suspect(sinceMs) {
      if (answeredAt < sinceMs) own?.reconnect();
    },
    createSibling: () => createOwnClient({ create }),
    close() {
      client.off('ready', onReady);
      client.off('error', watch.miss);
      own?.close();
    },
  };
}

/**
 * The error codes of a server that is a replica, or that does not have the keys. The primary must then be found again.
 */
const LEFT_FOR: readonly string[] = ['MOVED', 'READONLY', 'MASTERDOWN'];

/**
 * Duplicates a client with other options. The address is one of the socket options, so the socket options are merged.
 */
function duplicate(client: HostClient, options: SocketOptions): RedisClient {
  return client.duplicate({ ...options, socket: { ...client.options?.socket, ...options.socket } });
}

function ignore(): void {}

interface SlotWatch {
  onError(error: unknown): void;
  /** Records an answer to a command. The answer to a script means that the slot is not moving. */
  onAnswer(args: readonly RedisArgument[]): void;
}

function createSlotWatch(emit: StorageObserver): SlotWatch {
  let moves = false;
  return {
    onError(error) {
      if (moves || !isMoving(error)) return;
      moves = true;
      emit({ type: 'records_moving' });
    },
    onAnswer([command]) {
      if (moves && (command === 'EVAL' || command === 'EVALSHA')) moves = false;
    },
  };
}
