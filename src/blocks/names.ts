/** A column of names: numbers in as few bytes as there are names, and the names once. */
import { storableText } from '../base/flatten-string.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';

/** Gives each name a number while a block is built. */
export interface Names {
  readonly texts: readonly string[];
  /** An estimate of the bytes that the names will need. */
  readonly size: number;
  /** The number of a name: 0 for the first, one more for each new one. Keeps nothing of the text it is given. */
  numberOf(text: string): number;
  clear(): void;
}

/** No names. */
export function createNames(): Names {
  const numbers = new Map<string, number>();
  let texts: string[] = [];
  let size = 0;
  let last = '';
  let lastNumber = -1;

  /** Two names that differ only in what no text may hold are one name. */
  function add(text: string): number {
    const own = storableText(text);
    const number = numbers.get(own) ?? texts.push(own) - 1;
    numbers.set(own, number);
    size += own.length + 2;
    return number;
  }

  return {
    get texts() {
      return texts;
    },
    get size() {
      return size;
    },
    numberOf(text) {
      if (text === last && lastNumber >= 0) return lastNumber;
      lastNumber = numbers.get(text) ?? add(text);
      last = texts[lastNumber] as string;
      return lastNumber;
    },
    clear() {
      numbers.clear();
      texts = [];
      size = 0;
      last = '';
      lastNumber = -1;
    },
  };
}

/** A column that was read: `numbers[row]` is the place of the name of a row. */
export interface NameColumn {
  readonly numbers: ArrayLike<number>;
  readonly texts: readonly string[];
}

/** Writes a column: how many names, the names, then the number of each row in 0, 1, 2 or 4 bytes. */
export function writeNames(writer: ByteWriter, { numbers, texts }: NameColumn): void {
  writer.varint(texts.length);
  for (const text of texts) writer.text(text);
  const width = widthOf(texts.length);
  if (width === 0) return;
  if (width === 1) {
    writer.bytes(Uint8Array.from(numbers));
    return;
  }
  const bytes = new DataView(new ArrayBuffer(numbers.length * width));
  for (let row = 0; row < numbers.length; row += 1) {
    if (width === 2) bytes.setUint16(row * 2, numbers[row] as number, true);
    else bytes.setUint32(row * 4, numbers[row] as number, true);
  }
  writer.bytes(new Uint8Array(bytes.buffer));
}

/** Reads the column of `rows` rows; throws a RangeError for a number without a name. */
export function readNames(reader: ByteReader, rows: number): NameColumn {
  const texts = Array.from({ length: reader.varint() }, reader.text);
  const numbers = readNumbers(reader, rows, widthOf(texts.length));
  for (let row = 0; row < rows; row += 1) {
    if ((numbers[row] as number) >= texts.length) throw new RangeError('A number has no name.');
  }
  return { texts, numbers };
}

function readNumbers(reader: ByteReader, rows: number, width: number): ArrayLike<number> {
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

function widthOf(names: number): number {
  if (names <= 1) return 0;
  return names <= 256 ? 1 : names <= 65_536 ? 2 : 4;
}
