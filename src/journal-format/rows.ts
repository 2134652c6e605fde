/** The columns of a block that is being built. Each column has one array, and all arrays grow together. */

const FIRST_CAPACITY = 16;

/** The columns. Each index of the arrays is one record. */
export interface Rows {
  readonly capacity: number;
  /** The times in milliseconds since the Unix epoch. */
  readonly times: Float64Array;
  /** The counter parts of the decision ids. */
  readonly counts: Float64Array;
  readonly buckets: Uint8Array;
  /** The numbers of names. In `targets`, 0 means `null`. */
  readonly agents: Uint16Array;
  readonly actions: Uint16Array;
  readonly targets: Uint16Array;
  readonly contexts: Uint16Array;
  readonly reasons: Uint16Array;
  /** The start and the end of the record's facts. */
  readonly factsFrom: Uint32Array;
  readonly factsTo: Uint32Array;
  /** The version of the passport plus one. 0 means `null`. */
  readonly versions: Float64Array;
  /** The amounts, as numbers from `amountNumber`. */
  readonly amounts: Float64Array;
}

export function newRows(capacity: number = FIRST_CAPACITY): Rows {
  return {
    capacity,
    times: new Float64Array(capacity),
    counts: new Float64Array(capacity),
    buckets: new Uint8Array(capacity),
    agents: new Uint16Array(capacity),
    actions: new Uint16Array(capacity),
    targets: new Uint16Array(capacity),
    contexts: new Uint16Array(capacity),
    reasons: new Uint16Array(capacity),
    factsFrom: new Uint32Array(capacity),
    factsTo: new Uint32Array(capacity),
    versions: new Float64Array(capacity),
    amounts: new Float64Array(capacity),
  };
}

/** Copies the rows into arrays of twice the length. */
export function grownRows(rows: Rows): Rows {
  const longerRows = newRows(rows.capacity * 2);
  for (const column of Object.keys(rows) as (keyof Rows)[]) {
    if (column !== 'capacity') longerRows[column].set(rows[column]);
  }
  return longerRows;
}

/**
 * Returns the first `length` rows, sorted by time and then by counter. Returns `undefined` if they are already sorted.
 */
export function orderOf({ times, counts }: Rows, length: number): Uint16Array | undefined {
  const compare = (a: number, b: number): number =>
    (times[a] as number) - (times[b] as number) || (counts[a] as number) - (counts[b] as number);
  let isSorted = true;
  for (let row = 1; row < length && isSorted; row += 1) isSorted = compare(row - 1, row) <= 0;
  return isSorted ? undefined : Uint16Array.from({ length }, (_, row) => row).sort(compare);
}
