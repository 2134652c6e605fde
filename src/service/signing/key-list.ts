/** The signing keys that this node knows. */
import { MAX_PAGE_SIZE } from '../../ports/limits.ts';
import type { Context } from '../shared/context.ts';
import type { SigningKeyRecord } from './collections.ts';

/** The signing keys of the storage. */
export interface KeyList {
  /** Returns every key, newest first, read less than `FRESH_MS` ago. At most one read runs at a time. */
  read(): Promise<readonly SigningKeyRecord[]>;
  /** Makes the next `read` ask the storage. */
  forget(): void;
  /** Ends the subscription to changes. */
  stop(): void;
}

/**
 * The age limit of the list. With the time of a read, a change on another node is seen within a second, even without
 * notices.
 */
const FRESH_MS = 800;

/** Makes the list of one service. */
export function createKeyList({
  store,
  caches,
  subscribe,
}: Pick<Context, 'store' | 'caches' | 'subscribe'>): KeyList {
  let known: { readonly records: Promise<readonly SigningKeyRecord[]>; readonly at: number } | undefined;
  const forget = () => {
    known = undefined;
  };
  const stop = subscribe((notice) => {
    if (notice === undefined || notice.collection === 'signing_keys') forget();
  });
  return {
    read() {
      const at = caches.monotonic();
      if (known !== undefined && at - known.at < FRESH_MS) return known.records;
      const reading = { records: store.list('signing_keys', { where: {}, limit: MAX_PAGE_SIZE }), at };
      known = reading;
      // A failed read is not an answer for later calls.
      reading.records.catch(() => {
        if (known === reading) known = undefined;
      });
      return reading.records;
    },
    forget,
    stop,
  };
}
