/** The limits of the storage port, stated once: the core keeps to them, and every adapter reads them here. */

import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import type { ListQuery } from './queries.ts';
import { type CollectionName, collections } from './stored-records.ts';

/** The most records of a page: every `limit` is from 1 to this. */
export const MAX_PAGE_SIZE = 1_000;

/** The most records that one `purge` removes. */
export const MAX_PURGE_SIZE = 1_000;

/**
 * The most that the mark of a store without a clock may fall behind before a call of `time` raises it, in milliseconds.
 */
export const MARK_INTERVAL_MS: number = RESOLUTION_MS.hour;

/**
 * Throws a RangeError for the `limit` of a page that is out of range, and a TypeError for an order, or fields in it,
 * that the collection does not declare.
 */
export function assertListed(
  collection: CollectionName,
  { where, order = 'created_at', after, limit }: ListQuery,
): void {
  if (!(limit >= 1 && limit <= MAX_PAGE_SIZE)) {
    throw new RangeError(`limit must be 1 to ${MAX_PAGE_SIZE.toLocaleString('en')}.`);
  }
  if (after !== undefined && after[order] === undefined) throw new TypeError(`after has no ${order}.`);
  if (order === 'created_at') return;
  const { due, expired } = collections[collection];
  const given = Object.keys(where);
  const isDeclared =
    order === 'due_at'
      ? due !== undefined && given.length <= 1 && given.every((field) => due.includes(field))
      : expired?.length === given.length && expired.every((field) => given.includes(field));
  if (!isDeclared) throw new TypeError(`${collection} cannot be listed by ${[...given, order].join(', ')}.`);
}
