import {
  type DuePart,
  type ExpiredQuery,
  type ListQuery,
  type StoredRecord,
  turn,
} from '../../../src/ports/index.ts';
import { createRecordIndex, type Order, type Place, placeIn, type RecordIndex } from './record-index.ts';

/** Frozen records by id, and in the order of each list. */
export interface Collection {
  get(id: string): StoredRecord | undefined;
  /** Stores the record, and replaces an earlier one with its id. */
  put(record: StoredRecord): void;
  remove(id: string): void;
  list(query: ListQuery): Promise<readonly StoredRecord[]>;
  listExpired(query: ExpiredQuery): Promise<readonly StoredRecord[]>;
  /** Returns at most `limit` ids of records whose `expires_at` is before `before`. */
  expired(before: string, limit: number): Promise<readonly string[]>;
  /** Returns at most `limit` records whose `due_at` is `before` or earlier, the earliest first. */
  due(before: string, limit: number, part?: DuePart): Promise<readonly StoredRecord[]>;
}

/**
 * The time that records are added to a new index before it yields, and the number of records between two looks at the
 * time.
 */
const PIECE_MS = 5;
const LOOKED_AT = 250;

/**
 * Makes an empty collection. The first list by some fields makes an index of them. From then on a page costs a binary
 * search and its own records, independent of the size of the collection.
 */
export function createCollection(): Collection {
  const records = new Map<string, StoredRecord>();
  const indexes = new Map<string, { readonly index: RecordIndex; readonly filled: Promise<void> }>();

  async function indexOf(fields: readonly string[], order: Order): Promise<RecordIndex> {
    const name = JSON.stringify([order, ...fields]);
    const index = createRecordIndex(fields, order);
    const known = indexes.get(name) ?? { index, filled: fill(index) };
    // Registered before it is filled, so that records stored in the meantime are added as well.
    indexes.set(name, known);
    await known.filled;
    return known.index;
  }

  async function fill(index: RecordIndex): Promise<void> {
    let taken = 0;
    let startedAt = performance.now();
    for (const record of records.values()) {
      index.add(record);
      taken += 1;
      if (taken % LOOKED_AT > 0 || performance.now() - startedAt < PIECE_MS) continue;
      await turn();
      startedAt = performance.now();
    }
  }

  function remove(id: string): void {
    const record = records.get(id);
    if (record === undefined) return;
    records.delete(id);
    for (const { index } of indexes.values()) index.remove(record);
  }

  async function walk(
    where: Readonly<Record<string, string>>,
    order: Order,
    before: Place | undefined,
    limit: number,
  ): Promise<readonly StoredRecord[]> {
    const bucket = (await indexOf(Object.keys(where), order)).bucketOf(Object.values(where));
    const { records: sorted, first } = bucket;
    const end = before === undefined ? sorted.length : placeIn(bucket, order, before);
    return sorted.slice(Math.max(first, end - limit), end).reverse();
  }

  return {
    get: (id) => records.get(id),
    put(record) {
      remove(record.id);
      records.set(record.id, record);
      for (const { index } of indexes.values()) index.add(record);
    },
    remove,
    list: ({ where, after, limit }) =>
      walk(where, 'created_at', after && { at: after.created_at, id: after.id }, limit),
    listExpired({ where, by, after, limit }) {
      const isInside = after !== undefined && after.expires_at <= by;
      const from = isInside ? { at: after.expires_at, id: after.id } : { at: by };
      return walk({ ...where }, 'expires_at', from, limit);
    },
    async expired(before, limit) {
      const bucket = (await indexOf([], 'expires_at')).bucketOf([]);
      const { records: sorted, first } = bucket;
      const end = placeIn(bucket, 'expires_at', { at: before, id: '' });
      return sorted.slice(first, Math.min(end, first + limit)).map(({ id }) => id);
    },
    async due(before, limit, { where = {}, after } = {}) {
      const bucket = (await indexOf(Object.keys(where), 'due_at')).bucketOf(Object.values(where));
      const end = placeIn(bucket, 'due_at', { at: before });
      let start =
        after === undefined ? bucket.first : placeIn(bucket, 'due_at', { at: after.due_at, id: after.id });
      if (after !== undefined && bucket.records[start]?.id === after.id) start += 1;
      return bucket.records.slice(start, Math.min(end, start + limit));
    },
  };
}
