/** The events with which a storage reports changes of its servers. */

/** An event about the servers of a storage. It never contains a URL or a credential. */
export type StorageEvent =
  /** A connection was lost or restored. The next call may reach another server, or the same server after a restart. */
  | { readonly type: 'server_uncertain' }
  /** The storage now uses another server, or the same server after a restart. Its clock may differ. */
  | {
      readonly type: 'primary_changed';
      /** The host and port of the server, if the storage knows them. */
      readonly address?: string;
      /** The milliseconds since the storage first noticed that it had no usable server. 0 if it noticed nothing. */
      readonly withoutMs: number;
    }
  /**
   * The records move to another server one after another, and calls reject until the move ends. Reported once for each
   * move.
   */
  | { readonly type: 'records_moving' }
  /** A call rejected because too few replicas have its write. The write may still take effect. */
  | { readonly type: 'unconfirmed'; readonly reached: number; readonly needed: number }
  /**
   * Calls were sent to the storage. `count` is the number of calls that were sent together, because they had to wait
   * for an earlier call. A single call has a `count` of 1.
   */
  | { readonly type: 'joined'; readonly kind: 'get' | 'write'; readonly count: number };

/** Receives events. It must not throw. */
export type StorageObserver = (event: StorageEvent) => void;

/** The observers of the events of a storage. */
export interface StorageEvents {
  /** Calls all observers. Ignores their errors, because they must not change an answer of the storage. */
  readonly emit: StorageObserver;
  /** Adds an observer; returns the function that removes it. */
  observe(observer: StorageObserver): () => void;
}

/** Creates a list without observers. */
export function createStorageEvents(): StorageEvents {
  const observers = new Set<{ readonly observer: StorageObserver }>();
  return {
    emit(event) {
      for (const { observer } of observers) {
        try {
          observer(event);
        } catch {
          // Nothing that an observer does may reach a call.
        }
      }
    },
    observe(observer) {
      const entry = { observer };
      observers.add(entry);
      return () => {
        observers.delete(entry);
      };
    },
  };
}
