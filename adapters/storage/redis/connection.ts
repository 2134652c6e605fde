import { type Deadlines, IdentityError } from '../../../src/ports/index.ts';
import type { ClientOptions, RedisArgument, RedisClient, RedisPackages, ReplyTexts } from './client.ts';
import { replyCodeOf } from './errors.ts';
import { createOwnClient, MAX_WAITING, type OwnClient } from './own-client.ts';
import { assertStandalone, readServer } from './server.ts';

/** A connection that mends itself. */
export interface RedisConnection {
  /**
   * The answer to one command of a server that is a primary; rejects at once while there is no connection.
   * INVARIANT: on a new connection nothing is sent, and nothing is answered from one that was not looked at for a
   * moment, before it is known where it leads.
   */
  send(args: readonly RedisArgument[], as?: ReplyTexts): Promise<unknown>;
  /** Asks `enter` about each run of a server, and about the present one; rejects when that one is refused. */
  judgeBy(enter: EnterRun): Promise<void>;
  /** Is called when the server was found to be a replica, and the connection is given up. */
  onLeave(listener: () => void): void;
  /** Tells it that a call has waited in vain since that instant of `performance.now()`. */
  suspect(sinceMs: number): void;
  /** A client of our own to the same server, not yet connected. */
  createSibling(): OwnClient;
  close(): void;
}

/** Decides, with commands of its own, whether calls may go to a run of a server; rejects when not. */
export type EnterRun = (run: string, send: (args: readonly string[]) => Promise<unknown>) => Promise<void>;

/** How often a connection to a server that has become a replica is given up. */
const DEMOTED_EVERY_MS = 250;

/** What a server that is connected was a moment ago is believed for so long: it may be made a replica. */
const LOOK_EVERY_MS = 250;

const NEVER = Number.NEGATIVE_INFINITY;

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
    await deadlines.limit(async () => {
      await own.client.connect();
      assertStandalone(await ask(own.client, ['INFO']));
    });
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
    assertStandalone(await ask(client, ['INFO']));
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
  let demotedAt = NEVER;
  let onLeave = ignore;
  let enter: EnterRun | undefined;
  let entered: string | undefined;
  let isNew = true;
  let lookedAt = NEVER;
  let looking: Promise<void> | undefined;

  /** The client connects again by itself. */
  function renew(): void {
    isNew = true;
    looking = undefined;
  }

  client.on('ready', renew);

  /** What was the primary may be a replica now, and its name lead to another. */
  function leaveReplica(): void {
    lookedAt = NEVER;
    if (performance.now() - demotedAt < DEMOTED_EVERY_MS) return;
    demotedAt = performance.now();
    setImmediate(() => {
      own?.reconnect();
      onLeave();
    });
  }

  /** Many calls share one look. */
  function look(): Promise<void> {
    if (looking !== undefined) return looking;
    const mine = lookNow().finally(() => {
      if (looking === mine) looking = undefined;
    });
    looking = mine;
    return mine;

    async function lookNow(): Promise<void> {
      const startedAt = performance.now();
      const { role, run } = readServer(await sendPlain(['INFO', 'replication']));
      if (role !== 'master') {
        leaveReplica();
        throw new Error('The Redis server is a replica, which is read-only.');
      }
      if (run !== entered && enter !== undefined) {
        await enter(run, sendPlain);
        entered = run;
      }
      if (looking !== mine) return;
      isNew = false;
      lookedAt = startedAt;
    }
  }

  function sendPlain(args: readonly RedisArgument[], as?: ReplyTexts): Promise<unknown> {
    return ask(client, args, as);
  }

  async function sendJudged(args: readonly RedisArgument[], as?: ReplyTexts): Promise<unknown> {
    while (isNew) await look();
    if (performance.now() - lookedAt < LOOK_EVERY_MS) return sendPlain(args, as);
    // Behind the command and with it, so that nobody waits for it alone.
    const [answer] = await Promise.all([sendPlain(args, as), look()]);
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
        if (replyCodeOf(error) === 'READONLY') leaveReplica();
        throw error;
      } finally {
        waiting -= 1;
        answeredAt = performance.now();
      }
    },
    async judgeBy(given) {
      enter = given;
      renew();
      await look();
    },
    onLeave(listener) {
      onLeave = listener;
    },
    suspect(sinceMs) {
      if (answeredAt < sinceMs) own?.reconnect();
    },
    createSibling: () => createOwnClient({ create: (options) => duplicate(client, options) }),
    close() {
      client.off('ready', renew);
      own?.close();
    },
  };
}

/** Whatever the host has set for its own commands. `$` is the type of a text in the protocol. */
const TYPES = {
  strings: { typeMapping: {} },
  bytes: { typeMapping: { ['$'.charCodeAt(0)]: Buffer } },
} as const;

function ask(
  client: RedisClient,
  args: readonly RedisArgument[],
  as: ReplyTexts = 'strings',
): Promise<unknown> {
  return client.sendCommand(args, TYPES[as]);
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
