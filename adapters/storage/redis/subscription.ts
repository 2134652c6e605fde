import type { ChangeNotice } from '../../../src/ports/index.ts';
import type { GuardedStore } from './guarded-store.ts';
import type { OwnClient } from './own-client.ts';
import { readServer } from './server.ts';

/** Receives a change. `undefined` means that any number of records may have changed. */
export type ChangeListener = (notice: ChangeNotice | undefined) => void;

/** The channel of changes. It has its own connection, which is opened for the first listener. */
export interface Subscription {
  subscribe(listener: ChangeListener): () => void;
  /** Replaces the connection, which may lead to a replica. */
  renew(): void;
  close(): void;
}

export interface SubscriptionOptions {
  readonly createSibling: () => OwnClient;
  readonly channel: string;
  readonly readNotice: GuardedStore['readNotice'];
}

const PAUSE_MS = 25;
const REPLICA_PAUSE_MS = 250;

/** Creates a channel without listeners. Its failures affect only the listeners. */
export function createSubscription({
  createSibling,
  channel,
  readNotice,
}: SubscriptionOptions): Subscription {
  const listeners = new Set<{ readonly notify: ChangeListener }>();
  let sibling: OwnClient | undefined;
  let isClosed = false;

  function notify(notice: ChangeNotice | undefined): void {
    for (const listener of listeners) {
      try {
        listener.notify(notice);
      } catch {
        // An error of a listener would end the connection that calls it.
      }
    }
  }

  /** Opens a connection. A subscribed client accepts no other commands, so each connection needs a new client. */
  function open(): void {
    if (isClosed) return;
    const openedClient = createSibling();
    sibling = openedClient;
    const { client } = openedClient;
    let isSubscribed = false;

    client.on('ready', async () => {
      try {
        if (readServer(await client.sendCommand(['INFO', 'replication'])).role !== 'master') {
          replace(openedClient, REPLICA_PAUSE_MS);
          return;
        }
        await client.subscribe(channel, (text) => {
          const notice = readNotice(text);
          if (notice !== 'foreign') notify(notice);
        });
      } catch {
        // The connection has ended in the meantime, and the client makes another.
        if (!client.isReady) return;
        // The user has no permission: the effect is the same as if every message were lost.
      }
      isSubscribed = true;
      notify(undefined);
    });
    client.on('error', () => {
      if (isSubscribed) replace(openedClient, PAUSE_MS);
    });
    client.connect().catch(() => {});
  }

  function replace(client: OwnClient | undefined, pauseMs: number): void {
    if (client === undefined || client !== sibling || isClosed) return;
    sibling = undefined;
    client.close();
    setTimeout(() => {
      if (sibling === undefined) open();
    }, pauseMs).unref();
  }

  return {
    subscribe(listener) {
      if (listeners.size === 0 && sibling === undefined) open();
      const entry = { notify: listener };
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
