/** Records that were answered and are in no block yet: putting a record into columns takes longer than its verdict. */
import type { VerdictRecord } from '../../../records.ts';
import type { Lanes } from './lanes.ts';

/** Takes in records. */
export interface Intake {
  /** How many records it has. */
  readonly length: number;
  /** Takes in a copy of a record; whether a block was sealed. */
  push(record: VerdictRecord, account_id: string, bucket: number): boolean;
  /** Puts all of them into their lanes; whether a block was sealed. */
  empty(): boolean;
}

/** A copy of a record, and what the journal knows besides. */
interface Entry {
  readonly record: VerdictRecord;
  readonly account_id: string;
  readonly bucket: number;
}

/** How many are put into their lanes at once, by the call that brings the last of them: about 0.2 ms of work. */
const MAX_RECORDS = 256;

/** The intake of some lanes. */
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

/** The record is the caller's, who may change it. */
function copyOf(record: VerdictRecord): VerdictRecord {
  const { reasons, budgets } = record;
  const copy = Object.isFrozen(reasons) ? { ...record } : { ...record, reasons: copies(reasons) };
  return budgets.length === 0 ? copy : { ...copy, budgets: copies(budgets) };
}

function copies<T extends object>(values: readonly T[]): readonly T[] {
  return values.map((value) => ({ ...value }));
}
