/** Texts that few rows have, and few of which differ, while a block is built: a number for each row that has one. */
import { createNames, type Names } from './names.ts';

const BYTES_PER_NUMBER = 2;

/** The texts of rows that have any. */
export interface RowNames {
  readonly names: Names;
  /** The number of the text plus one, by row. */
  readonly numbers: readonly number[];
  /** An estimate of the bytes that they will need. */
  readonly size: number;
}

/** Texts to which rows are added. */
export interface GrowingRowNames extends RowNames {
  add(row: number, text: string | null | undefined): void;
  clear(): void;
}

/** Makes an empty set of texts; `hashesOf` as for names. */
export function createRowNames(hashesOf?: (text: string) => readonly number[]): GrowingRowNames {
  const names = createNames(hashesOf);
  let numbers: number[] = [];
  return {
    names,
    get numbers() {
      return numbers;
    },
    get size() {
      return names.size + BYTES_PER_NUMBER * numbers.length;
    },
    add(row, text) {
      // A writer in JavaScript may give records of an older version, without the field.
      if (text !== null && text !== undefined) numbers[row] = 1 + names.numberOf(text);
    },
    clear() {
      names.clear();
      numbers = [];
    },
  };
}
