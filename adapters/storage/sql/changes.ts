import { type Change, type ChangeNotice, noticesOf } from '../../../src/ports/index.ts';

/** Hears of a change; `undefined` stands for any number of them. */
export type ChangeListener = (notice: ChangeNotice | undefined) => void;

/** What carries notices between processes. Nothing of it ever fails a call. */
export interface ChangeChannel {
  /** Tells the other processes, after it has returned. */
  send?(notices: readonly ChangeNotice[]): void;
  /** Hears of the other processes, until the function it gives back is called. */
  listen?(hear: ChangeListener): () => void;
  /** Sends what waits to be sent. */
  flush?(): Promise<void>;
}

/** The notices of one storage object: to its own listeners at once, to the others through the channel. */
export interface ChangeFeed {
  /** Tells of changes that are stored. */
  publish(changes: readonly Change[]): void;
  /** Tells the listener until the function it gives back is called. */
  subscribe(listener: ChangeListener): () => void;
  /** Ends all listening, and sends what waits. */
  close(): Promise<void>;
}

/** A feed that nobody listens to yet; the channel is listened to only while somebody does. */
export function createChangeFeed(channel: ChangeChannel = {}): ChangeFeed {
  const subscriptions = new Set<{ readonly listener: ChangeListener }>();
  let stopListening: (() => void) | undefined;

  function tell(notice: ChangeNotice | undefined): void {
    for (const { listener } of subscriptions) {
      try {
        listener(notice);
      } catch {
        // What is stored is stored, and the others want to hear of it.
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
      for (const notice of notices) tell(notice);
      channel.send?.(notices);
    },
    subscribe(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      stopListening ??= channel.listen?.(tell);
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
