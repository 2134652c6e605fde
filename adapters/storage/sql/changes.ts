import { type Change, type ChangeNotice, noticesOf } from '../../../src/ports/index.ts';

/** Is called for a change; `undefined` stands for any number of changes. */
export type ChangeListener = (notice: ChangeNotice | undefined) => void;

/** Carries notices between processes. A failure of it never fails a call. */
export interface ChangeChannel {
  /** Sends the notices to the other processes, after it has returned. */
  send?(notices: readonly ChangeNotice[]): void;
  /** Calls the listener for notices of other processes, until the returned function is called. */
  listen?(listener: ChangeListener): () => void;
  /** Sends the notices that are queued. */
  flush?(): Promise<void>;
}

/** The notices of one storage object: to its own listeners at once, to the others through the channel. */
export interface ChangeFeed {
  /** Publishes changes that are stored. */
  publish(changes: readonly Change[]): void;
  /** Adds the listener; the returned function removes it. */
  subscribe(listener: ChangeListener): () => void;
  /** Removes all listeners, and sends the queued notices. */
  close(): Promise<void>;
}

/** A feed without listeners. It listens to the channel only while it has listeners. */
export function createChangeFeed(channel: ChangeChannel = {}): ChangeFeed {
  const subscriptions = new Set<{ readonly listener: ChangeListener }>();
  let stopListening: (() => void) | undefined;

  function notify(notice: ChangeNotice | undefined): void {
    for (const { listener } of subscriptions) {
      try {
        listener(notice);
      } catch {
        // The write is committed, and an error of one listener must not keep the others from their notice.
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
