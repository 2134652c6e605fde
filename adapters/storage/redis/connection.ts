import { type Deadlines, IdentityError } from '../../../src/ports/index.ts';
import type { ClientOptions, RedisArgument, RedisClient, RedisPackages, ReplyTexts } from './client.ts';
import { replyCodeOf } from './errors.ts';
import { createOwnClient, MAX_WAITING, type OwnClient } from './own-client.ts';
import { createRoleWatch, type EnterRun, sendCommand } from './role-watch.ts';
import { assertStandalone } from './server.ts';

/** A connection that reconnects. */
export interface RedisConnection {
  /**
   * The answer to one command of a server that is a primary; rejects at once while there is no connection.
   * INVARIANT: nothing is sent on a new connection, nor answered from one that was not checked for a
   * moment, before its server is known.
   */
  send(args: readonly RedisArgument[], as?: ReplyTexts): Promise<unknown>;
  /** Calls `enter` for each run of a server, and for the current one; rejects when that one is refused. */
  judgeBy(enter: EnterRun): Promise<void>;
  /** Is called when the server has become a replica and the connection is dropped. */
  onLeave(listener: () => void): void;
  /** Reports a call that has had no answer since that instant of `performance.now()`. */
  suspect(sinceMs: number): void;
  /** A client of our own to the same server, not yet connected. */
  createSibling(): OwnClient;
  close(): void;
}

/** The connection to the server of a URL; rejects when it is not made within the time. */
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

/** `invalid_configuration` for a URL of something else, and for parameters, which Redis would not get. No part is shown: it may hold a password. */
function assertRedisUrl(url: unknown): void {
  if (typeof url !== 'string' || !/^rediss?:\/\//i.test(url))
    throw misconfigured('A Redis URL begins with redis:// or rediss://');
  if (url.includes('?'))
    throw misconfigured('A Redis URL has no parameters: what the keys begin with is the option namespace.');
}

function misconfigured(message: string): IdentityError {
  return new IdentityError('invalid_configuration', message);
}

/** The connection of the host's client. It connects that client where needed, and never ends it. */
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
    // Sent right behind the command, so that it costs no round trip of its own.
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
