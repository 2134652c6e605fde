import type { ChangeNotice } from '../../../src/ports/index.ts';
import type { MarkedStore } from './marked-store.ts';
import type { OwnClient } from './own-client.ts';
import { readServer } from './server.ts';

/** Hears of changes. `undefined` stands for any number of them. */
export type ChangeListener = (notice: ChangeNotice | undefined) => void;

/** The channel of changes, over a connection of its own, which is made when the first listener comes. */
export interface Subscription {
  /** The function that it gives back ends it. */
  subscribe(listener: ChangeListener): () => void;
  /** Takes a new connection: the one it has may lead to a replica. */
  renew(): void;
  close(): void;
}

/** What a subscription is made of. */
export interface SubscriptionOptions {
  readonly createSibling: () => OwnClient;
  readonly channel: string;
  readonly hear: MarkedStore['hear'];
}

/** A connection that ended, and one that leads to a replica, are replaced after such a time. */
const PAUSE_MS = 25;
const REPLICA_PAUSE_MS = 250;

/** A channel that nobody listens to yet. What happens to it concerns the listeners alone. */
export function createSubscription({ createSibling, channel, hear }: SubscriptionOptions): Subscription {
  const listeners = new Set<{ readonly tell: ChangeListener }>();
  let sibling: OwnClient | undefined;
  let isClosed = false;

  function tell(notice: ChangeNotice | undefined): void {
    for (const listener of listeners) {
      try {
        listener.tell(notice);
      } catch {
        // What a listener throws would end the connection that it is called from.
      }
    }
  }

  /** One that is subscribed can be asked nothing any more: each new connection is that of a new client. */
  function open(): void {
    if (isClosed) return;
    const opened = createSibling();
    sibling = opened;
    const { client } = opened;
    let isSubscribed = false;

    client.on('ready', async () => {
      try {
        if (readServer(await client.sendCommand(['INFO', 'replication'])).role !== 'master') {
          replace(opened, REPLICA_PAUSE_MS);
          return;
        }
        await client.subscribe(channel, (text) => {
          const notice = hear(text);
          if (notice !== 'foreign') tell(notice);
        });
      } catch {
        // The connection has ended meanwhile, and the client makes another.
        if (!client.isReady) return;
        // The user may not: as if every message were lost.
      }
      isSubscribed = true;
      tell(undefined);
    });
    client.on('error', () => {
      if (isSubscribed) replace(opened, PAUSE_MS);
    });
    client.connect().catch(() => {});
  }

  function replace(opened: OwnClient | undefined, pauseMs: number): void {
    if (opened === undefined || opened !== sibling || isClosed) return;
    sibling = undefined;
    opened.close();
    setTimeout(() => {
      if (sibling === undefined) open();
    }, pauseMs).unref();
  }

  return {
    subscribe(listener) {
      if (listeners.size === 0 && sibling === undefined) open();
      const entry = { tell: listener };
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    renew: () => replace(sibling, PAUSE_MS),
    close() {
      isClosed = true;
      listeners.clear();
      sibling?.close();
    },
  };
}
