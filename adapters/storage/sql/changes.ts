import { type Change, type ChangeNotice, noticesOf } from '../../../src/ports/index.ts';

/** Receives the notice of a change. `undefined` means that any number of records may have changed. */
export type ChangeListener = (notice: ChangeNotice | undefined) => void;

/** Carries notices between processes. A failure of the channel never fails a call. */
export interface ChangeChannel {
  /** Queues notices for other processes, and returns before they are sent. */
  send?(notices: readonly ChangeNotice[]): void;
  listen?(listener: ChangeListener): () => void;
  flush?(): Promise<void>;
}

export interface ChangeFeed {
  publish(changes: readonly Change[]): void;
  subscribe(listener: ChangeListener): () => void;
  close(): Promise<void>;
}

export function createChangeFeed(channel: ChangeChannel = {}): ChangeFeed {
  const subscriptions = new Set<{ readonly listener: ChangeListener }>();
  let stopListening: (() => void) | undefined;

  function notify(notice: ChangeNotice | undefined): void {
    for (const { listener } of subscriptions) {
      try {
        listener(notice);
      } catch {
        // The write is committed, and the other listeners need their notice as well.
      }
    }
  }

  function endListening(): void {
    stopListening?.();
    stopListening = undefined;
  }

  return {
    publish(changes) {
      const notices = noticesOf(changes);
      if (notices.length === 0) return;
      for (const notice of notices) notify(notice);
      channel.send?.(notices);
    },
    subscribe(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      stopListening ??= channel.listen?.(notify);
      return () => {
        subscriptions.delete(subscription);
        if (subscriptions.size === 0) endListening();
      };
    },
    async close() {
      subscriptions.clear();
      endListening();
      await channel.flush?.();
    },
  };
}
