/** Stores the trace ids of rows with 16 bytes each. Consecutive rows with the same trace id store it once. */
import { flattenString } from '../base/bytes/flatten-string.ts';
import { toHex } from '../base/bytes/hex.ts';
import { isTraceId } from '../base/values/trace-id.ts';
import { type ByteWriter, createByteReader } from './bytes.ts';

const BYTES_PER_ID = 16;
const ROW = { none: 0, own: 1, asBefore: 2 } as const;

/** The trace ids of rows that have any, by row. */
export interface RowTraces {
  ids(): readonly string[];
  /** Returns an estimate of the bytes that the trace ids will need. */
  size(): number;
}

/** Trace ids that grow as rows are added. */
export interface GrowingTraces extends RowTraces {
  add(row: number, trace_id: string | null | undefined): void;
  clear(): void;
}

/** Creates an empty set of trace ids. */
export function createRowTraces(): GrowingTraces {
  let ids: string[] = [];
  let givenCount = 0;
  return {
    ids: () => ids,
    size: () => (BYTES_PER_ID + 1) * givenCount,
    add(row, trace_id) {
      // A writer in JavaScript may give records of an older version, without a trace.
      if (trace_id === null || trace_id === undefined || !isTraceId(trace_id)) return;
      ids[row] = flattenString(trace_id);
      givenCount += 1;
    },
    clear() {
      ids = [];
      givenCount = 0;
    },
  };
}

/** Writes the column of `length` rows. */
export function writeTraces(
  writer: ByteWriter,
  length: number,
  idAt: (index: number) => string | undefined,
): void {
  let textBefore: string | undefined;
  for (let index = 0; index < length; index += 1) {
    const id = idAt(index);
    if (id === undefined) writer.byte(ROW.none);
    else if (id === textBefore) writer.byte(ROW.asBefore);
    else {
      writer.byte(ROW.own);
      for (let position = 0; position < id.length; position += 2)
        writer.byte(16 * digitAt(id, position) + digitAt(id, position + 1));
    }
    textBefore = id;
  }
}

const [ZERO, NINE, A] = [48, 57, 97];

function digitAt(text: string, position: number): number {
  const code = text.charCodeAt(position);
  return code <= NINE ? code - ZERO : code - A + 10;
}

/**
 * Reads the trace id of each of `length` rows. Returns an empty list if the block has no such column. Throws
 * a RangeError for a wrong column.
 */
export function readTraces(column: Uint8Array | undefined, length: number): readonly (string | null)[] {
  if (column === undefined) return [];
  const reader = createByteReader(column);
  const ids: (string | null)[] = [];
  for (let index = 0; index < length; index += 1) {
    const kind = reader.byte();
    if (kind === ROW.own) ids.push(toHex(reader.bytes(BYTES_PER_ID)));
    else if (kind === ROW.asBefore) ids.push(ids[index - 1] ?? null);
    else if (kind === ROW.none) ids.push(null);
    else throw new RangeError('This kind of trace id does not exist.');
  }
  return ids;
}
