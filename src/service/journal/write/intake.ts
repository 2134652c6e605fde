/** Buffers records before they enter a block, because encoding a record takes longer than its verdict. */
import type { VerdictRecord } from '../../../records.ts';
import type { Lanes } from './lanes.ts';

/** Buffers records. */
export interface Intake {
  /** The number of buffered records. */
  readonly length: number;
  /** Adds a copy of a record; returns `true` if that has sealed a block. */
  push(record: VerdictRecord, account_id: string, bucket: number): boolean;
  /** Moves all records into their lanes; returns `true` if that has sealed a block. */
  empty(): boolean;
}

/** A copy of a record, with its account and latency bucket. */
interface Entry {
  readonly record: VerdictRecord;
  readonly account_id: string;
  readonly bucket: number;
}

/** The number of records at which a call moves all of them into their lanes: about 0.2 ms of work. */
const MAX_RECORDS = 256;

/** Creates an intake before some lanes. */
export function createIntake(lanes: Lanes): Intake {
  const entries: Entry[] = [];

  function empty(): boolean {
    let isSealed = false;
    for (const { record, account_id, bucket } of entries) {
      if (lanes.push(record, account_id, bucket)) isSealed = true;
    }
    entries.length = 0;
    return isSealed;
  }

  return {
    get length() {
      return entries.length;
    },
    push(record, account_id, bucket) {
      entries.push({ record: copyOf(record), account_id, bucket });
      return entries.length >= MAX_RECORDS && empty();
    },
    empty,
  };
}

/** Copies a record, because the caller may change it later. */
function copyOf(record: VerdictRecord): VerdictRecord {
  const { reasons, budgets } = record;
  const copy = Object.isFrozen(reasons) ? { ...record } : { ...record, reasons: copies(reasons) };
  return budgets.length === 0 ? copy : { ...copy, budgets: copies(budgets) };
}

function copies<T extends object>(values: readonly T[]): readonly T[] {
  return values.map((value) => ({ ...value }));
}
