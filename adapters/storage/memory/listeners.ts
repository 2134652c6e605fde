import { type Change, type ChangeNotice, noticesOf } from '../../../src/ports/index.ts';

/** Who wants to hear of changes. */
export interface Listeners {
  /** Tells the listener until the function it gives back is called. */
  add(listener: (notice: ChangeNotice) => void): () => void;
  /** Tells of changes that are stored, before it returns. */
  tell(changes: readonly Change[]): void;
  clear(): void;
}

/** No listeners. */
export function createListeners(): Listeners {
  const subscriptions = new Set<{ readonly listener: (notice: ChangeNotice) => void }>();
  return {
    add(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => subscriptions.delete(subscription);
    },
    tell(changes) {
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
    // What is stored is stored, and the others want to hear of it.
  }
}
