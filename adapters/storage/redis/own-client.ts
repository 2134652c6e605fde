import type { ClientOptions, RedisClient } from './client.ts';

/** A client of our own: it reconnects until it is closed. */
export interface OwnClient {
  readonly client: RedisClient;
  /** Replaces a connection that has stopped answering. */
  reconnect(): void;
  close(): void;
}

/** How a client is made and begins. */
export interface OwnClientOptions {
  readonly create: (options: ClientOptions & { readonly socket: object }) => RedisClient;
  /** Whether the first connection is still being made: that gets one attempt. */
  readonly isStarting?: () => boolean;
}

/** How many calls may wait for an answer: more would only be late, and fill the memory. */
export const MAX_WAITING = 10_000;

/** The first pause before a new attempt, doubled each time up to the last. */
const FIRST_PAUSE_MS = 25;
const LAST_PAUSE_MS = 400;
/** The longest that each half of an attempt takes: to reach the server, and to be greeted by it. */
const ATTEMPT_MS = 1_000;
/** A connection is dead when it has not answered for the second of these times. */
const PING_EVERY_MS = 1_000;
const SILENCE_MS = 3_000;

/** A client that does not connect yet. */
export function createOwnClient({ create, isStarting }: OwnClientOptions): OwnClient {
  let isClosed = false;
  let isRestarting = false;
  let attempt = 0;

  const client = create({
    // Without an offline queue: queued commands would run long after their calls were given up.
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

  /** The client allows one attempt at a time: the previous one has to be over, which takes no I/O. */
  function restart(): void {
    if (isRestarting) return;
    isRestarting = true;
    client.destroy();
    setImmediate(() => {
      isRestarting = false;
      if (!isClosed) client.connect().catch(ignore);
    });
  }

  /** A server that hangs accepts connections and never answers: the client alone would wait. */
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
