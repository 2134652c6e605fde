import type { RedisClient } from './client.ts';
import type { SocketOptions } from './located-client.ts';

export interface OwnClient {
  readonly client: RedisClient;
  reconnect(): void;
  close(): void;
}

export interface OwnClientOptions {
  readonly create: (options: SocketOptions) => RedisClient;
  /** Says whether the client is still making the first connection, which has a single attempt. */
  readonly isStarting?: () => boolean;
  /** Says whether the client must try again after this error, although it would stop otherwise. */
  readonly startsOver?: (cause: unknown) => boolean;
}

/** The maximum number of calls that wait for an answer. More calls would be late anyway, and fill the memory. */
export const MAX_WAITING = 10_000;

const FIRST_PAUSE_MS = 25;
const LAST_PAUSE_MS = 400;
/** The time limit of each half of an attempt: reaching the server, and receiving its greeting. */
const ATTEMPT_MS = 1_000;
const PING_EVERY_MS = 1_000;
const SILENCE_MS = 3_000;

export function createOwnClient({ create, isStarting, startsOver }: OwnClientOptions): OwnClient {
  let isClosed = false;
  let isRestarting = false;
  let attempt = 0;

  const client = create({
    // No offline queue: queued commands would run long after their calls had been given up.
    disableOfflineQueue: true,
    commandsQueueMaxLength: 2 * MAX_WAITING,
    pingInterval: PING_EVERY_MS,
    socket: {
      connectTimeout: ATTEMPT_MS,
      socketTimeout: SILENCE_MS,
      reconnectStrategy(retries: number, cause: unknown) {
        if (isClosed || isRestarting) return false;
        if (isStarting?.() && !startsOver?.(cause)) return false;
        return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(retries, 10), LAST_PAUSE_MS);
      },
    },
  });

  /** Starts a new attempt. The client permits one attempt at a time, so the previous attempt is ended first. */
  function restart(): void {
    if (isRestarting) return;
    isRestarting = true;
    client.destroy();
    setImmediate(() => {
      isRestarting = false;
      if (!isClosed) client.connect().catch(ignore);
    });
  }

  /**
   * Restarts a connection that receives no greeting. A hanging server accepts connections, and the client would wait
   * forever.
   */
  function expectGreeting(): void {
    attempt += 1;
    const expectedAttempt = attempt;
    const giveUp = (): void => {
      if (expectedAttempt === attempt && client.isOpen && !isStarting?.()) restart();
    };
    setTimeout(() => setImmediate(giveUp), ATTEMPT_MS).unref();
  }

  function endAttempt(): void {
    attempt += 1;
    if (isClosed && client.isReady) client.destroy();
  }

  client.on('connect', expectGreeting);
  client.on('ready', endAttempt);
  // An error without a listener would end the process; each call gets the error itself.
  client.on('error', endAttempt);

  return {
    client,
    reconnect() {
      if (client.isReady) restart();
    },
    /**
     * Closes the client. A connecting client can only be ended after its attempt. Otherwise its socket would stay open.
     */
    close() {
      isClosed = true;
      client.unref();
      if (client.isReady) client.destroy();
    },
  };
}

function ignore(): void {}
