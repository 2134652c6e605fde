/** A column of names. It stores each name once, and for each row a number with as few bytes as possible. */
import { storableText, withoutUnstorable } from '../base/bytes/flatten-string.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';

/** Gives each name a number while a block is built. */
export interface Names {
  texts(): readonly string[];
  /** Returns the result of `hashesOf` for each name. */
  hashes(): readonly (readonly number[])[];
  /** Returns an estimate of the bytes that the names will need. */
  size(): number;
  /**
   * Returns the number of a name, counting from 0 in the order of first use. Keeps a copy of the text. If the text is
   * from a stored record (`isStored`), keeps the text itself, because later comparisons with it are faster.
   */
  numberOf(text: string, isStored?: boolean): number;
  clear(): void;
}

interface Name {
  readonly text: string;
  readonly hashes: readonly number[];
  number: number;
  block: number;
}

/** The maximum number of names that are remembered between blocks. If there are more, most occur only once. */
const MAX_REMEMBERED = 2_048;

/** Creates an empty set of names. The hashes of a name are computed only once for all blocks. */
export function createNames(hashesOf: (text: string) => readonly number[] = () => []): Names {
  const names = new Map<string, Name>();
  let texts: string[] = [];
  let hashes: (readonly number[])[] = [];
  let size = 0;
  let block = 0;
  let last: Name | undefined;

  /**
   * Returns the entry of a name, which may be new. Two names that differ only in characters that databases do not store
   * have the same entry.
   */
  function learn(text: string, isStored: boolean): Name {
    const ownText = isStored ? withoutUnstorable(text) : storableText(text);
    const name = names.get(ownText) ?? { text: ownText, hashes: hashesOf(ownText), number: 0, block: -1 };
    names.set(ownText, name);
    return name;
  }

  function add(name: Name): void {
    name.block = block;
    name.number = texts.push(name.text) - 1;
    hashes.push(name.hashes);
    size += name.text.length + 2;
  }

  return {
    texts: () => texts,
    hashes: () => hashes,
    size: () => size,
    numberOf(text, isStored = false) {
      if (last === undefined || last.text !== text) last = names.get(text) ?? learn(text, isStored);
      if (last.block !== block) add(last);
      return last.number;
    },
    clear() {
      if (names.size > MAX_REMEMBERED) names.clear();
      texts = [];
      hashes = [];
      size = 0;
      block += 1;
      last = undefined;
    },
  };
}

/** A decoded column of names. `numbers[row]` is the index of the name of a row in `texts`. */
export interface NameColumn {
  readonly numbers: ArrayLike<number>;
  readonly texts: readonly string[];
}

/**
 * Writes a column of `rows` rows: the number of names, the names, then the number of each row in 0, 1, 2 or 4 bytes.
 */
export function writeNames(writer: ByteWriter, rows: number, { numbers, texts }: NameColumn): void {
  writer.varint(texts.length);
  for (const text of texts) writer.text(text);
  writeNumbers(writer, rows, numbers, texts.length);
}

/** Writes the numbers of `rows` rows, each below `count`. */
export function writeNumbers(
  writer: ByteWriter,
  rows: number,
  numbers: ArrayLike<number>,
  count: number,
): void {
  const width = widthOf(count);
  if (width !== 0) writer.numbers(numbers, rows, width);
}

/**
 * Reads the column of `rows` rows. Throws a RangeError for a number without a name, and if there are more names than
 * the rows could use.
 */
export function readNames(reader: ByteReader, rows: number): NameColumn {
  const texts = reader.list(reader.text, rows + 1);
  return { texts, numbers: readNumbers(reader, rows, texts.length) };
}

/**
 * Reads each name of a column once. If `read` fails for a name, throws a RangeError with the first row of that name.
 */
export function readValues<Value>(
  { numbers, texts }: NameColumn,
  read: (text: string) => Value,
): readonly Value[] {
  return texts.map((text, number) => {
    try {
      return read(text);
    } catch (error) {
      const row = Array.prototype.indexOf.call(numbers, number);
      const place = row < 0 ? 'No row' : `Row ${row}`;
      throw new RangeError(`${place}: ${(error as Error).message}`, { cause: error });
    }
  });
}

/** Reads the numbers of `rows` rows. Throws a RangeError if a number is not below `count`. */
export function readNumbers(reader: ByteReader, rows: number, count: number): ArrayLike<number> {
  const numbers = numbersOf(reader, rows, widthOf(count));
  for (let row = 0; row < rows; row += 1) {
    if ((numbers[row] as number) >= count) throw new RangeError('A number has no name.');
  }
  return numbers;
}

function numbersOf(reader: ByteReader, rows: number, width: 0 | 1 | 2 | 4): ArrayLike<number> {
  const bytes = reader.bytes(rows * width);
  if (width === 0) return new Uint8Array(rows);
  if (width === 1) return bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbers = width === 2 ? new Uint16Array(rows) : new Uint32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    numbers[row] = width === 2 ? view.getUint16(row * 2, true) : view.getUint32(row * 4, true);
  }
  return numbers;
}

function widthOf(names: number): 0 | 1 | 2 | 4 {
  if (names <= 1) return 0;
  return names <= 256 ? 1 : names <= 65_536 ? 2 : 4;
}

const BYTES_PER_NUMBER = 2;

/** Texts by row, for columns in which most rows have none. */
export interface RowNames {
  readonly names: Names;
  numbers(): readonly number[];
  /** Returns an estimate of the bytes that the texts will need. */
  size(): number;
}

interface GrowingRowNames extends RowNames {
  add(row: number, text: string | null | undefined): void;
  clear(): void;
}

/** Creates an empty set of texts. `hashesOf` returns the hashes of a text. */
export function createRowNames(hashesOf?: (text: string) => readonly number[]): GrowingRowNames {
  const names = createNames(hashesOf);
  let numbers: number[] = [];
  return {
    names,
    numbers: () => numbers,
    size: () => names.size() + BYTES_PER_NUMBER * numbers.length,
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
