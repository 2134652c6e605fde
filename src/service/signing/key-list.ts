/** The signing keys as this node knows them. */
import { MAX_PAGE_SIZE } from '../../ports/limits.ts';
import type { SigningKeyRecord } from '../../ports/stored-records.ts';
import type { Context } from '../shared/context.ts';

/** The signing keys of the storage. */
export interface KeyList {
  /** Every key, newest first; read less than `FRESH_MS` ago. At most one read is under way. */
  read(): Promise<readonly SigningKeyRecord[]>;
  /** The next `read` asks the storage. */
  forget(): void;
  /** Ends the subscription to changes. */
  stop(): void;
}

/** With the time of a read, a change on another node counts here within a second, even if every notice is lost. */
const FRESH_MS = 800;

/** The list of one service. */
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
      // A read that failed is not an answer for those who ask later.
      reading.records.catch(() => {
        if (known === reading) known = undefined;
      });
      return reading.records;
    },
    forget,
    stop,
  };
}
