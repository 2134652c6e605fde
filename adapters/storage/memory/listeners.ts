import { type Change, type ChangeNotice, noticesOf } from '../../../src/ports/index.ts';

export interface Listeners {
  add(listener: (notice: ChangeNotice) => void): () => void;
  /** Calls every listener with the stored changes before it returns. */
  notify(changes: readonly Change[]): void;
  clear(): void;
}

export function createListeners(): Listeners {
  const subscriptions = new Set<{ readonly listener: (notice: ChangeNotice) => void }>();
  return {
    add(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => subscriptions.delete(subscription);
    },
    notify(changes) {
      if (subscriptions.size === 0) return;
      for (const notice of noticesOf(changes)) {
        for (const { listener } of subscriptions) tellOne(listener, notice);
      }
    },
    clear: () => subscriptions.clear(),
  };
}

function tellOne(listener: (notice: ChangeNotice) => void, notice: ChangeNotice): void {
  try {
    listener(notice);
  } catch {
    // The write is done, and an error of one listener must not keep the notice from the others.
  }
}
