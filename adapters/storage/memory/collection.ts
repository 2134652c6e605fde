import type { ListQuery, StoredRecord } from '../../../src/index.ts';
import { comparePositions, lowerBound } from './text-order.ts';

/** Frozen records by id, and in the order of a list. */
export interface Collection {
  get(id: string): StoredRecord | undefined;
  /** Stores the record in the place of an earlier one of that id. */
  put(record: StoredRecord): void;
  remove(id: string): void;
  list(query: ListQuery): readonly StoredRecord[];
  /** At most `limit` ids of records with an `expires_at` before `before`. */
  expired(before: string, limit: number): readonly string[];
}

/** The records that share one value of a field, oldest first. */
type Bucket = StoredRecord[];

/** The buckets of one field by its value. */
type Index = Map<string, Bucket>;

/**
 * An empty collection. A field that was listed by once is indexed from then on, so a page costs two binary
 * searches and its own records, however many others there are.
 */
export function createCollection(): Collection {
  const records = new Map<string, StoredRecord>();
  const indexes = new Map<string | undefined, Index>();

  function indexOf(field: string | undefined): Index {
    const known = indexes.get(field);
    if (known !== undefined) return known;
    const index: Index = new Map();
    const sorted = [...records.values()].sort(comparePositions);
    for (const record of sorted) bucketFor(index, record, field)?.push(record);
    indexes.set(field, index);
    return index;
  }

  function remove(id: string): void {
    const record = records.get(id);
    if (record === undefined) return;
    records.delete(id);
    for (const [field, index] of indexes) {
      const bucket = bucketFor(index, record, field);
      if (bucket !== undefined) bucket.splice(lowerBound(bucket, record), 1);
    }
  }

  function put(record: StoredRecord): void {
    remove(record.id);
    records.set(record.id, record);
    for (const [field, index] of indexes) {
      const bucket = bucketFor(index, record, field);
      if (bucket !== undefined) bucket.splice(lowerBound(bucket, record), 0, record);
    }
  }

  function list(query: ListQuery): readonly StoredRecord[] {
    const conditions = Object.entries(query.where);
    const bucket = smallestBucket(conditions);
    const page: StoredRecord[] = [];
    let at = query.after === undefined ? bucket.length : lowerBound(bucket, query.after);
    while (at > 0 && page.length < query.limit) {
      at -= 1;
      const record = bucket[at];
      if (record !== undefined && matches(record, conditions)) page.push(record);
    }
    return page;
  }

  function smallestBucket(conditions: readonly (readonly [string, string])[]): Bucket {
    if (conditions.length === 0) return indexOf(undefined).get('') ?? [];
    return conditions
      .map(([field, value]) => indexOf(field).get(value) ?? [])
      .reduce((smallest, bucket) => (bucket.length < smallest.length ? bucket : smallest));
  }

  function expired(before: string, limit: number): readonly string[] {
    const ids: string[] = [];
    for (const [id, record] of records) {
      if (ids.length === limit) break;
      const expiresAt = textField(record, 'expires_at');
      if (expiresAt !== undefined && expiresAt < before) ids.push(id);
    }
    return ids;
  }

  return { get: (id) => records.get(id), put, remove, list, expired };
}

function matches(record: StoredRecord, conditions: readonly (readonly [string, string])[]): boolean {
  return conditions.every(([field, value]) => textField(record, field) === value);
}

/** The bucket that holds `record` in the index of `field` (`undefined`: of all records), made when missing. */
function bucketFor(index: Index, record: StoredRecord, field: string | undefined): Bucket | undefined {
  const value = field === undefined ? '' : textField(record, field);
  if (value === undefined) return undefined;
  const known = index.get(value);
  if (known !== undefined) return known;
  const bucket: Bucket = [];
  index.set(value, bucket);
  return bucket;
}

function textField(record: StoredRecord, field: string): string | undefined {
  const value = Object.hasOwn(record, field) ? record[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}
