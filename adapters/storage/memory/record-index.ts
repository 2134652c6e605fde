import type { ListOrder, StoredRecord } from '../../../src/ports/index.ts';
import { compareText, placeAmong } from './text-order.ts';

/**
 * A place in an index: the place of the record with this `id`. If `id` is absent, it is the place after all
 * records of the instant.
 */
export interface Place {
  readonly at: string;
  readonly id?: string;
}

export interface RecordIndex {
  /**
   * Adds the record. It does nothing if the index already has the record, or if the record lacks a field or the
   * instant.
   */
  add(record: StoredRecord): void;
  remove(record: StoredRecord): void;
  bucketOf(values: readonly string[]): Bucket;
}

/** Records in order, oldest first. Records before the index `first` are removed. */
export interface Bucket {
  readonly records: readonly StoredRecord[];
  readonly first: number;
}

/**
 * The maximum number of removed records at the front of the array before the array is shortened. Shifting a million
 * other records takes a millisecond.
 */
const MAX_GAPS = 10_000;

export function createRecordIndex(fields: readonly string[], order: ListOrder): RecordIndex {
  const buckets = new Map<string, { readonly records: StoredRecord[]; first: number }>();

  function nameOf(record: StoredRecord): string | undefined {
    const values = fields.map((field) => textField(record, field));
    if (textField(record, order) === undefined || values.includes(undefined)) return undefined;
    return JSON.stringify(values);
  }

  return {
    add(record) {
      const name = nameOf(record);
      if (name === undefined) return;
      const bucket = buckets.get(name) ?? { records: [], first: 0 };
      if (bucket.records.length === 0) buckets.set(name, bucket);
      const ownPlace = placeOf(record, order);
      const last = bucket.records.at(-1);
      // Most records arrive in order.
      if (last === undefined || compare(last, order, ownPlace) < 0) {
        bucket.records.push(record);
        return;
      }
      const place = placeIn(bucket, order, ownPlace);
      if (bucket.records[place]?.id !== record.id) bucket.records.splice(place, 0, record);
    },
    remove(record) {
      const name = nameOf(record);
      const bucket = name === undefined ? undefined : buckets.get(name);
      if (name === undefined || bucket === undefined) return;
      const { records } = bucket;
      const place = placeIn(bucket, order, placeOf(record, order));
      // A record that is missing was not added yet: the index is still being filled.
      if (records[place]?.id !== record.id) return;
      if (place === bucket.first) bucket.first += 1;
      else records.splice(place, 1);
      if (bucket.first === records.length) buckets.delete(name);
      else if (bucket.first === MAX_GAPS) {
        records.splice(0, bucket.first);
        bucket.first = 0;
      }
    },
    bucketOf: (values) => buckets.get(JSON.stringify(values)) ?? EMPTY,
  };
}

const EMPTY: Bucket = { records: [], first: 0 };

export function placeIn({ records, first }: Bucket, order: ListOrder, place: Place): number {
  return placeAmong(records, (record) => compare(record, order, place), first);
}

function compare(record: StoredRecord, order: ListOrder, place: Place): number {
  const { at } = placeOf(record, order);
  return compareText(at, place.at) || (place.id === undefined ? -1 : compareText(record.id, place.id));
}

function placeOf(record: StoredRecord, order: ListOrder): Place {
  return { at: textField(record, order) ?? '', id: record.id };
}

function textField(record: StoredRecord, field: string): string | undefined {
  const value = Object.hasOwn(record, field) ? record[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}
