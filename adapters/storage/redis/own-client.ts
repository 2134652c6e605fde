import type { ClientOptions, RedisClient } from './client.ts';

/** A client that belongs to us: it connects again and again until it is closed. */
export interface OwnClient {
  readonly client: RedisClient;
  /** Gives up a connection on which nothing comes any more, for a new one. */
  reconnect(): void;
  close(): void;
}

/** How a client is made and begins. */
export interface OwnClientOptions {
  readonly create: (options: ClientOptions & { readonly socket: object }) => RedisClient;
  /** Whether the first connection is still being made: it is tried once. */
  readonly isStarting?: () => boolean;
}

/** Calls that wait for an answer: more would only be late, and fill the memory. */
export const MAX_WAITING = 10_000;

/** The first pause before a new attempt, doubled each time up to the last. */
const FIRST_PAUSE_MS = 25;
const LAST_PAUSE_MS = 400;
/** The longest that each half of an attempt takes: to reach the server, and to be greeted by it. */
const ATTEMPT_MS = 1_000;
/** A connection on which nothing has come for the second of them, although it was asked, is dead. */
const PING_EVERY_MS = 1_000;
const SILENCE_MS = 3_000;

/** A client that is not yet told to connect. */
export function createOwnClient({ create, isStarting }: OwnClientOptions): OwnClient {
  let isClosed = false;
  let isRestarting = false;
  let attempt = 0;

  const client = create({
    // What waits for a connection would be done long after it was given up.
    disableOfflineQueue: true,
    commandsQueueMaxLength: 2 * MAX_WAITING,
    pingInterval: PING_EVERY_MS,
    socket: {
      connectTimeout: ATTEMPT_MS,
      socketTimeout: SILENCE_MS,
      reconnectStrategy(retries: number) {
        if (isClosed || isRestarting || isStarting?.()) return false;
        return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(retries, 10), LAST_PAUSE_MS);
      },
    },
  });

  /** The client knows no two attempts at the same time: the one before has to be over, which takes no I/O. */
  function restart(): void {
    if (isRestarting) return;
    isRestarting = true;
    client.destroy();
    setImmediate(() => {
      isRestarting = false;
      if (!isClosed) client.connect().catch(ignore);
    });
  }

  /** A server that stands still accepts connections, and never greets: the client itself would wait. */
  function expectGreeting(): void {
    attempt += 1;
    const expected = attempt;
    const giveUp = (): void => {
      if (expected === attempt && client.isOpen && !isStarting?.()) restart();
    };
    setTimeout(() => setImmediate(giveUp), ATTEMPT_MS).unref();
  }

  function endAttempt(): void {
    attempt += 1;
    if (isClosed && client.isReady) client.destroy();
  }

  client.on('connect', expectGreeting);
  client.on('ready', endAttempt);
  // Without a listener an error would end the process; each call has its own.
  client.on('error', endAttempt);

  return {
    client,
    reconnect() {
      if (client.isReady) restart();
    },
    /** A client that is just connecting cannot be ended, or its socket would stay: it ends when that is over. */
    close() {
      isClosed = true;
      client.unref();
      if (client.isReady) client.destroy();
    },
  };
}

function ignore(): void {}
