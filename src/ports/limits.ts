/**
 * The limits of the storage interface, in one place: the core respects them, and every adapter imports them from here.
 */

import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import type { ListQuery } from './journal.ts';
import { type CollectionName, collections } from './stored-records.ts';

/** The maximum number of records of a page. Every `limit` is between 1 and this number. */
export const MAX_PAGE_SIZE = 1_000;

/** The maximum number of records that one `purge` removes, and of counters that one `write` forgets. */
export const MAX_PURGE_SIZE = 1_000;

/** The milliseconds after which a call of `time` must raise the stored time (mark) of a storage without a clock. */
export const MARK_INTERVAL_MS: number = RESOLUTION_MS.hour;

/**
 * Checks the query of a list.
 *
 * @throws {RangeError} If the `limit` of a page is out of range.
 * @throws {TypeError} For an order, or fields in it, that the collection does not declare.
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
  const fields = Object.keys(where);
  const isDeclared =
    order === 'due_at'
      ? due !== undefined && fields.length <= 1 && fields.every((field) => due.includes(field))
      : expired?.length === fields.length && expired.every((field) => fields.includes(field));
  if (!isDeclared) throw new TypeError(`${collection} cannot be listed by ${[...fields, order].join(', ')}.`);
}
