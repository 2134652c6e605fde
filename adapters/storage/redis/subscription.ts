import type { ChangeNotice } from '../../../src/index.ts';
import { readNotice } from './notice.ts';
import type { OwnClient } from './own-client.ts';

/** Who wants to know of changes. `undefined` stands for any number of them. */
export type ChangeListener = (notice: ChangeNotice | undefined) => void;

/** The channel of changes, over a connection of its own, which is made when the first listener comes. */
export interface Subscription {
  /** The function that it gives back ends it. */
  subscribe(listener: ChangeListener): () => void;
  close(): void;
}

/** A channel that nobody listens to yet. Whatever happens to it concerns nobody but those who listen. */
export function createSubscription(createSibling: () => OwnClient, channel: string): Subscription {
  const listeners = new Set<{ readonly tell: ChangeListener }>();
  let sibling: OwnClient | undefined;

  function tell(notice: ChangeNotice | undefined): void {
    for (const listener of listeners) {
      try {
        listener.tell(notice);
      } catch {
        // What a listener throws would end the connection that it is called from.
      }
    }
  }

  function open(): OwnClient {
    const opened = createSibling();
    const { client } = opened;
    let isSubscribed = false;
    client.on('ready', async () => {
      try {
        // The client itself subscribes again after a new connection.
        if (!isSubscribed) await client.subscribe(channel, (text) => tell(readNotice(text)));
        isSubscribed = true;
      } catch {
        // The connection has ended meanwhile, or the user may not: as if every message were lost.
      }
      tell(undefined);
    });
    client.connect().catch(() => {});
    return opened;
  }

  return {
    subscribe(listener) {
      sibling ??= open();
      const entry = { tell: listener };
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    close() {
      listeners.clear();
      sibling?.close();
    },
  };
}
