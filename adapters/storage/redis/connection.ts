import { IdentityError } from '../../../src/index.ts';
import type { ClientOptions, RedisClient, RedisPackages } from './client.ts';
import { within } from './deadline.ts';
import { replyCodeOf } from './errors.ts';

/** A connection that mends itself. */
export interface RedisConnection {
  /** The answer to one command; rejects at once while there is no connection. */
  send(args: readonly string[]): Promise<unknown>;
  /** Tells it that a call has waited in vain since that instant of `performance.now()`. */
  suspect(sinceMs: number): void;
  /** A client of its own to the same server, not yet connected, which reconnects until it is closed. */
  createSibling(): Sibling;
  close(): void;
}

/** A client that belongs to us, and its end. */
export interface Sibling {
  readonly client: RedisClient;
  close(): void;
}

/** The first pause before a new attempt, doubled each time up to the last. */
const FIRST_PAUSE_MS = 25;
const LAST_PAUSE_MS = 400;
/** A connection on which nothing has come for the second of them, although it was asked, is dead. */
const PING_EVERY_MS = 1_000;
const SILENCE_MS = 3_000;
const MOST_CONNECT_MS = 1_000;
/** How often a connection to a server that has become a replica is given up. */
const DEMOTED_EVERY_MS = 1_000;
/** Calls that wait for an answer: more would only be late, and fill the memory. */
const MOST_WAITING = 10_000;

/** The connection to the server of a URL, made within the time, which is also the longest that making a new one takes. */
export async function connectTo(
  { createClient }: RedisPackages,
  url: string,
  timeoutMs: number,
): Promise<RedisConnection> {
  let isStarting = true;
  const own = createOwn(
    (options) => createFrom(createClient, { ...options, url }),
    timeoutMs,
    () => isStarting,
  );
  try {
    await within(timeoutMs, () => own.client.connect(), own.close);
  } catch (error) {
    own.close();
    throw error;
  }
  isStarting = false;
  return createConnection(own.client, timeoutMs, own.close);
}

/** The connection of the host's client, which stays the host's: it is made when it is not, and never ended. */
export async function connectOver(client: RedisClient, timeoutMs: number): Promise<RedisConnection> {
  let onReady = ignore;
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
    client.on('ready', onReady);
  });
  const connect = async (): Promise<void> => {
    if (!client.isOpen) await client.connect();
    if (!client.isReady) await ready;
  };
  try {
    await within(timeoutMs, connect, ignore);
  } finally {
    client.off('ready', onReady);
  }
  return createConnection(client, timeoutMs);
}

function createConnection(client: RedisClient, timeoutMs: number, closeOwn?: () => void): RedisConnection {
  let waiting = 0;
  let answeredAt = performance.now();
  let demotedAt = -DEMOTED_EVERY_MS;

  /** Only between two attempts of its own: `connect` knows no second one at the same time. */
  function reconnect(): void {
    if (closeOwn === undefined || !client.isReady) return;
    client.destroy();
    client.connect().catch(ignore);
  }

  /** What was the primary may be a replica now, and its name lead to another. */
  function leaveReplica(): void {
    if (performance.now() - demotedAt < DEMOTED_EVERY_MS) return;
    demotedAt = performance.now();
    setImmediate(reconnect);
  }

  return {
    async send(args) {
      if (!client.isReady) throw new Error('There is no connection to Redis.');
      if (waiting >= MOST_WAITING) throw new Error('Too many calls wait for Redis.');
      waiting += 1;
      try {
        return await client.sendCommand([...args], PLAIN_TYPES);
      } catch (error) {
        if (replyCodeOf(error) === 'READONLY') leaveReplica();
        throw error;
      } finally {
        waiting -= 1;
        answeredAt = performance.now();
      }
    },
    suspect(sinceMs) {
      if (answeredAt < sinceMs) reconnect();
    },
    createSibling: () => createOwn((options) => duplicate(client, options), timeoutMs),
    close: () => closeOwn?.(),
  };
}

/** Whatever the host has set for its own commands. */
const PLAIN_TYPES = { typeMapping: {} };

type OwnOptions = ClientOptions & { readonly socket: object };

function createOwn(
  create: (options: OwnOptions) => RedisClient,
  timeoutMs: number,
  mustNotRetry: () => boolean = () => false,
): Sibling {
  let isClosed = false;
  const client = create({
    disableOfflineQueue: true,
    commandsQueueMaxLength: MOST_WAITING + 100,
    pingInterval: PING_EVERY_MS,
    socket: {
      connectTimeout: Math.min(timeoutMs, MOST_CONNECT_MS),
      socketTimeout: SILENCE_MS,
      reconnectStrategy(retries: number) {
        if (isClosed || mustNotRetry()) return false;
        return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(retries, 10), LAST_PAUSE_MS);
      },
    },
  });
  // Without a listener an error would end the process; each call has its own.
  client.on('error', ignore);
  const end = (): void => {
    if (client.isOpen) client.destroy();
  };
  return {
    client,
    /** A client that is just connecting cannot be ended: its socket would stay open. It ends when that is over. */
    close() {
      if (isClosed) return;
      isClosed = true;
      client.unref();
      if (client.isReady) end();
      else client.on('ready', end);
    },
  };
}

/** The client reads the URL. What it throws names it, so that is left out. */
function createFrom(createClient: RedisPackages['createClient'], options: ClientOptions): RedisClient {
  try {
    return createClient(options);
  } catch {
    throw new IdentityError('invalid_configuration', 'The Redis URL cannot be read.');
  }
}

/** The address is part of the options of the socket. */
function duplicate(client: RedisClient, options: OwnOptions): RedisClient {
  return client.duplicate({ ...options, socket: { ...client.options?.socket, ...options.socket } });
}

function ignore(): void {}
