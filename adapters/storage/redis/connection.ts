import type { Deadlines } from '../../../src/deadlines.ts';
import { IdentityError } from '../../../src/index.ts';
import type { ClientOptions, RedisClient, RedisPackages } from './client.ts';
import { replyCodeOf } from './errors.ts';
import { createOwnClient, MOST_WAITING, type OwnClient } from './own-client.ts';

/** A connection that mends itself. */
export interface RedisConnection {
  /** The answer to one command; rejects at once while there is no connection. */
  send(args: readonly string[]): Promise<unknown>;
  /** Tells it that a call has waited in vain since that instant of `performance.now()`. */
  suspect(sinceMs: number): void;
  /** A client of our own to the same server, not yet connected. */
  createSibling(): OwnClient;
  close(): void;
}

/** How often a connection to a server that has become a replica is given up. */
const DEMOTED_EVERY_MS = 1_000;

/** The connection to the server of a URL; rejects when it is not made within the time. */
export async function connectTo(
  { createClient }: RedisPackages,
  url: string,
  deadlines: Deadlines,
): Promise<RedisConnection> {
  let isStarting = true;
  const own = createOwnClient({
    create: (options) => createFrom(createClient, { ...options, url }),
    isStarting: () => isStarting,
  });
  try {
    await deadlines.limit(() => own.client.connect());
    isStarting = false;
    return createConnection(own.client, own);
  } catch (error) {
    own.close();
    throw error;
  }
}

/** The connection of the host's client, which stays the host's: it is made when it is not, and never ended. */
export async function connectOver(client: RedisClient, deadlines: Deadlines): Promise<RedisConnection> {
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
    await deadlines.limit(connect);
  } finally {
    client.off('ready', onReady);
  }
  return createConnection(client);
}

function createConnection(client: RedisClient, own?: OwnClient): RedisConnection {
  let waiting = 0;
  let answeredAt = performance.now();
  let demotedAt = -DEMOTED_EVERY_MS;

  /** What was the primary may be a replica now, and its name lead to another. */
  function leaveReplica(): void {
    if (performance.now() - demotedAt < DEMOTED_EVERY_MS) return;
    demotedAt = performance.now();
    setImmediate(() => own?.reconnect());
  }

  return {
    async send(args) {
      if (!client.isReady) throw new Error('There is no connection to Redis.');
      if (waiting >= MOST_WAITING) throw new Error('Too many calls wait for Redis.');
      waiting += 1;
      try {
        return await client.sendCommand(args, PLAIN_TYPES);
      } catch (error) {
        if (replyCodeOf(error) === 'READONLY') leaveReplica();
        throw error;
      } finally {
        waiting -= 1;
        answeredAt = performance.now();
      }
    },
    suspect(sinceMs) {
      if (answeredAt < sinceMs) own?.reconnect();
    },
    createSibling: () => createOwnClient({ create: (options) => duplicate(client, options) }),
    close: () => own?.close(),
  };
}

/** Whatever the host has set for its own commands. */
const PLAIN_TYPES = { typeMapping: {} };

/** The client reads the URL. What it throws may name it, so that is left out. */
function createFrom(createClient: RedisPackages['createClient'], options: ClientOptions): RedisClient {
  try {
    return createClient(options);
  } catch {
    throw new IdentityError('invalid_configuration', 'The Redis URL cannot be read.');
  }
}

/** The address is among the options of the socket. */
function duplicate(client: RedisClient, options: ClientOptions & { readonly socket: object }): RedisClient {
  return client.duplicate({ ...options, socket: { ...client.options?.socket, ...options.socket } });
}

function ignore(): void {}
