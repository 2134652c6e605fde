import { type ListOrder, type ListQuery, type StoredRecord, turn } from '../../../src/ports/index.ts';
import { createRecordIndex, placeIn, type RecordIndex } from './record-index.ts';

export interface Collection {
  get(id: string): StoredRecord | undefined;
  put(record: StoredRecord): void;
  remove(id: string): void;
  list(query: ListQuery): Promise<readonly StoredRecord[]>;
  expired(cutoff: string, limit: number): Promise<readonly string[]>;
}

/**
 * The milliseconds after which filling a new index yields to the event loop. `LOOKED_AT` is the number of records
 * between two readings of the clock.
 */
const PIECE_MS = 5;
const LOOKED_AT = 250;

/**
 * Creates an empty collection. The first list by some fields creates an index for these fields. From then on, a page
 * costs a binary search and its own records, whatever the size of the collection.
 */
export function createCollection(): Collection {
  const records = new Map<string, StoredRecord>();
  const indexes = new Map<string, { readonly index: RecordIndex; readonly filled: Promise<void> }>();

  async function indexOf(fields: readonly string[], order: ListOrder): Promise<RecordIndex> {
    const name = JSON.stringify([order, ...fields]);
    const index = createRecordIndex(fields, order);
    const knownIndex = indexes.get(name) ?? { index, filled: fill(index) };
    // Registered before it is filled, so that records stored in the meantime are added as well.
    indexes.set(name, knownIndex);
    await knownIndex.filled;
    return knownIndex.index;
  }

  async function fill(index: RecordIndex): Promise<void> {
    let takenCount = 0;
    let startedAt = performance.now();
    for (const record of records.values()) {
      index.add(record);
      takenCount += 1;
      if (takenCount % LOOKED_AT > 0 || performance.now() - startedAt < PIECE_MS) continue;
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

  return {
    get: (id) => records.get(id),
    put(record) {
      remove(record.id);
      records.set(record.id, record);
      for (const { index } of indexes.values()) index.add(record);
    },
    remove,
    async list({ where, order = 'created_at', until, after, limit }) {
      const bucket = (await indexOf(Object.keys(where), order)).bucketOf(Object.values(where));
      const { records: sortedRecords, first } = bucket;
      const last = until === undefined ? sortedRecords.length : placeIn(bucket, order, { at: until });
      const instant = after?.[order];
      const place =
        after && instant !== undefined ? placeIn(bucket, order, { at: instant, id: after.id }) : undefined;
      if (order !== 'due_at') {
        const end = Math.min(place ?? last, last);
        return sortedRecords.slice(Math.max(first, end - limit), end).reverse();
      }
      const start = place === undefined ? first : place + Number(sortedRecords[place]?.id === after?.id);
      return sortedRecords.slice(start, Math.min(last, start + limit));
    },
    async expired(cutoff, limit) {
      const bucket = (await indexOf([], 'expires_at')).bucketOf([]);
      const { records: sortedRecords, first } = bucket;
      const end = placeIn(bucket, 'expires_at', { at: cutoff, id: '' });
      return sortedRecords.slice(first, Math.min(end, first + limit)).map(({ id }) => id);
    },
  };
}
