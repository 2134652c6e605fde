import { type Deadlines, IdentityError } from '../../../src/ports/index.ts';
import type { ClientOptions, RedisArgument, RedisClient, RedisPackages, ReplyTexts } from './client.ts';
import { replyCodeOf } from './errors.ts';
import { createOwnClient, MAX_WAITING, type OwnClient } from './own-client.ts';
import { createRoleWatch, type EnterIncarnation, sendCommand } from './role-watch.ts';
import { assertStandalone } from './server.ts';

/** A connection that reconnects. */
export interface RedisConnection {
  /**
   * Sends one command to a server that is a primary; rejects at once without a connection. INVARIANT: nothing is sent
   * on a new connection before its server was checked. An answer counts only if the server was checked within
   * `LOOK_EVERY_MS` before the command, or together with it.
   */
  send(args: readonly RedisArgument[], as?: ReplyTexts): Promise<unknown>;
  /**
   * Calls `enter` for the current incarnation of the server and for each later one; rejects if the current one is
   * refused.
   */
  judgeBy(enter: EnterIncarnation): Promise<void>;
  /** Sets the function to call when the server has become a replica and the connection is dropped. */
  onLeave(listener: () => void): void;
  /** Reports a call that has waited for an answer since that instant of `performance.now()`. */
  suspect(sinceMs: number): void;
  /** Makes a second client of the same server, not connected yet. */
  createSibling(): OwnClient;
  close(): void;
}

/** Connects to the server of a URL; rejects if that takes longer than the time limit. */
export async function connectTo(
  { createClient }: RedisPackages,
  url: string,
  deadlines: Deadlines,
): Promise<RedisConnection> {
  assertRedisUrl(url);
  let isStarting = true;
  const own = createOwnClient({
    create: (options) => createFrom(createClient, { ...options, url }),
    isStarting: () => isStarting,
  });
  try {
    await deadlines.limit(async () => {
      await own.client.connect();
      assertStandalone(await sendCommand(own.client, ['INFO']));
    });
    isStarting = false;
    return createConnection(own.client, own);
  } catch (error) {
    own.close();
    throw error;
  }
}

/**
 * Throws `invalid_configuration` for another kind of URL, and for one with parameters, which Redis would not get. The
 * message quotes no part of the URL: it may contain a password.
 */
function assertRedisUrl(url: unknown): void {
  if (typeof url !== 'string' || !/^rediss?:\/\//i.test(url))
    throw misconfigured('A Redis URL begins with redis:// or rediss://');
  if (url.includes('?'))
    throw misconfigured('A Redis URL has no parameters: what the keys begin with is the option namespace.');
}

function misconfigured(message: string): IdentityError {
  return new IdentityError('invalid_configuration', message);
}

/** Uses the client of the host: connects it if necessary, and never ends it. */
export async function connectOver(client: RedisClient, deadlines: Deadlines): Promise<RedisConnection> {
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
  return createConnection(client);
}

function createConnection(client: RedisClient, own?: OwnClient): RedisConnection {
  let waiting = 0;
  let answeredAt = performance.now();
  const watch = createRoleWatch(client, own);
  const { send: sendPlain } = watch;

  client.on('ready', watch.renew);

  async function sendJudged(args: readonly RedisArgument[], as?: ReplyTexts): Promise<unknown> {
    while (watch.isNew()) await watch.look();
    if (watch.isRecent()) return sendPlain(args, as);
    // Sent right after the command, so that it costs no round trip of its own.
    const [answer] = await Promise.all([sendPlain(args, as), watch.look()]);
    return answer;
  }

  return {
    async send(args, as) {
      if (!client.isReady) throw new Error('There is no connection to Redis.');
      if (waiting >= MAX_WAITING) throw new Error('Too many calls wait for Redis.');
      waiting += 1;
      try {
        return await sendJudged(args, as);
      } catch (error) {
        if (replyCodeOf(error) === 'READONLY') watch.leaveReplica();
        throw error;
      } finally {
        waiting -= 1;
        answeredAt = performance.now();
      }
    },
    judgeBy: watch.judgeBy,
    onLeave: watch.onLeave,
    suspect(sinceMs) {
      if (answeredAt < sinceMs) own?.reconnect();
    },
    createSibling: () => createOwnClient({ create: (options) => duplicate(client, options) }),
    close() {
      client.off('ready', watch.renew);
      own?.close();
    },
  };
}

/** Creates a client from a URL. The library's error may quote the URL, so it is dropped. */
function createFrom(createClient: RedisPackages['createClient'], options: ClientOptions): RedisClient {
  try {
    return createClient(options);
  } catch {
    throw new IdentityError('invalid_configuration', 'The Redis URL cannot be read.');
  }
}

/** Duplicates a client with other options. The address is one of the socket options, so those are merged. */
function duplicate(client: RedisClient, options: ClientOptions & { readonly socket: object }): RedisClient {
  return client.duplicate({ ...options, socket: { ...client.options?.socket, ...options.socket } });
}

function ignore(): void {}
