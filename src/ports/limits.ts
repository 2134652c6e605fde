/** The limits of the storage port, stated once: the core keeps to them, and every adapter reads them here. */

import { RESOLUTION_MS } from '../base/values/time-buckets.ts';

/** The most records of a page: every `limit` is from 1 to this. */
export const MAX_PAGE_SIZE = 1_000;

/** The most records that one `purge` removes. */
export const MAX_PURGE_SIZE = 1_000;

/**
 * The most that the mark of a store without a clock may fall behind before a call of `time` raises it, in milliseconds.
 */
export const MARK_INTERVAL_MS: number = RESOLUTION_MS.hour;

/** Throws a RangeError for the `limit` of a page that is out of range. */
export function assertPageSize(limit: number): void {
  if (limit >= 1 && limit <= MAX_PAGE_SIZE) return;
  throw new RangeError(`limit must be 1 to ${MAX_PAGE_SIZE.toLocaleString('en')}.`);
}
