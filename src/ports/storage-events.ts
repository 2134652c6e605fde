/** The events of a storage, in which it reports changes of its servers. */

/** Something that happened to the servers of a storage. No event holds a URL or a credential. */
export type StorageEvent =
  /**
   * A connection was lost or made again. The next call may reach another server, or the same server after a restart.
   */
  | { readonly type: 'server_uncertain' }
  /** The storage works on another server than before, or on the same server after a restart. Its clock may differ. */
  | {
      readonly type: 'primary_changed';
      /** The host and port of the server, if the storage knows them. */
      readonly address?: string;
      /** The milliseconds without a usable server, since the first sign of it; 0 without such a sign. */
      readonly withoutMs: number;
    }
  /** The records move to another server one by one, and calls reject until that is done. Reported once for each move. */
  | { readonly type: 'records_moving' }
  /** A call rejected because fewer replicas than needed have its write. The write may still take effect. */
  | { readonly type: 'unconfirmed'; readonly reached: number; readonly needed: number }
  /** Calls that had waited went to the store together, or one of them alone. */
  | { readonly type: 'joined'; readonly kind: 'get' | 'write'; readonly count: number };

/** Receives events. It must not throw. */
export type StorageObserver = (event: StorageEvent) => void;

/** The observers of a storage. */
export interface StorageEvents {
  /** Calls all observers. It ignores their errors, because they must not change an answer of the storage. */
  readonly emit: StorageObserver;
  /** Adds an observer; returns the function that removes it. */
  observe(observer: StorageObserver): () => void;
}

/** Makes a list without observers. */
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
