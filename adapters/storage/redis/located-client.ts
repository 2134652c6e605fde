import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientOptions, RedisClient } from './client.ts';
import type { Address } from './url.ts';

export interface Location {
  readonly locate: () => Promise<Address>;
  readonly create: (address: Address, options: SocketOptions) => RedisClient;
}

export type SocketOptions = ClientOptions & { readonly socket: object };

/** Returns the pause in milliseconds before the next attempt, or `false` to stop. */
type ReconnectStrategy = (retries: number, cause: unknown) => number | false;

/**
 * Creates a client that finds its server before each connection. It emits the events of a client of `@redis/client`:
 * `connect`, `ready` and `error`. Each connection gets a new client, because a client cannot change its address.
 */
export function createLocatedClient({ locate, create }: Location, options: SocketOptions): RedisClient {
  const events = new EventEmitter();
  const { reconnectStrategy } = options.socket as { readonly reconnectStrategy: ReconnectStrategy };
  const ownOptions = { ...options, socket: { ...options.socket, reconnectStrategy: false } };
  let [isOpen, isUnref] = [false, false];
  /** The number of the present series of attempts. Attempts of an earlier series have no effect. */
  let series = 0;
  let inner: { readonly client: RedisClient; isConnected: boolean } | undefined;

  async function connectOnce(ownTurn: number): Promise<void> {
    const address = await locate();
    if (ownTurn !== series) throw ended();
    const client = create(address, ownOptions);
    const current = { client, isConnected: false };
    inner = current;
    listen(client, {
      isCurrent: () => inner === current,
      events,
      onConnect: () => Object.assign(current, { isConnected: true }),
      onLost: (error) =>
        rest(ownTurn, 0, error)
          .then(() => connectFrom(ownTurn))
          .catch(ignore),
    });
    if (isUnref) client.unref();
    await client.connect();
  }

  async function connectFrom(ownTurn: number): Promise<void> {
    for (let retries = 0; ; retries += 1) {
      try {
        return await connectOnce(ownTurn);
      } catch (error) {
        if (ownTurn !== series) throw error;
        await rest(ownTurn, retries, error);
      }
    }
  }

  async function rest(ownTurn: number, retries: number, error: unknown): Promise<void> {
    inner = undefined;
    const pauseMs = reconnectStrategy(retries, error);
    isOpen = pauseMs !== false;
    events.emit('error', error);
    if (pauseMs === false) throw error;
    await pause(pauseMs);
    if (ownTurn !== series) throw ended();
  }

  return {
    get isOpen() {
      return isOpen;
    },
    get isReady() {
      return inner?.client.isReady === true;
    },
    async connect() {
      isOpen = true;
      series += 1;
      await connectFrom(series);
    },
    sendCommand: (args, options) => inner?.client.sendCommand(args, options) ?? unreachable(),
    subscribe: (channel, listener) => inner?.client.subscribe(channel, listener) ?? unreachable(),
    unref() {
      isUnref = true;
      inner?.client.unref();
    },
    destroy() {
      isOpen = false;
      series += 1;
      const last = inner;
      inner = undefined;
      if (last?.isConnected && last.client.isOpen) last.client.destroy();
    },
    on: (event, listener) => events.on(event, listener),
    off: (event, listener) => events.off(event, listener),
  };
}

interface Consequences {
  readonly isCurrent: () => boolean;
  /** Receives the events, except for the error that ends an attempt or a connection. */
  readonly events: EventEmitter;
  readonly onConnect: () => void;
  readonly onLost: (error: unknown) => void;
}

function listen(client: RedisClient, consequences: Consequences): void {
  const { isCurrent, events, onConnect, onLost } = consequences;
  let wasReady = false;
  const whenCurrent = (act: () => void) => (): void => {
    if (isCurrent()) act();
    else setImmediate(() => client.isOpen && client.destroy());
  };
  client.on(
    'connect',
    whenCurrent(() => {
      onConnect();
      events.emit('connect');
    }),
  );
  client.on(
    'ready',
    whenCurrent(() => {
      wasReady = true;
      events.emit('ready');
    }),
  );
  client.on('error', (error) => {
    // An error of an attempt rejects the attempt.
    if (!isCurrent() || !wasReady) return;
    if (client.isReady) events.emit('error', error);
    else onLost(error);
  });
}

function unreachable(): Promise<never> {
  return Promise.reject(new Error('There is no connection to Redis.'));
}

function ended(): Error {
  return new Error('The client was closed.');
}

function ignore(): void {}
