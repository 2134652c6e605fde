/**
 * Stores the subjects of a block: numbers in its data, and the texts in separate bytes. Only the texts can be erased.
 */
import { type ByteReader, type ByteWriter, createByteReader, createByteWriter } from './bytes.ts';
import {
  COLUMN,
  type ColumnPart,
  columnPart,
  isBlockError,
  joinColumns,
  MAX_RECORDS,
  orDamaged,
  splitColumns,
} from './format.ts';
import { readNumbers, writeNumbers } from './names.ts';

/** The length of the salt of a digest in bytes. */
export const SALT_BYTES = 16;

/** The text that replaces an erased subject. No subject is empty. */
export const ERASED = '';

/** The subjects of the rows of a block. */
export interface SubjectColumn {
  /** The number of the subject of each row. Empty if no row of the block has one. */
  readonly numbers: ArrayLike<number>;
  /**
   * The texts by their numbers. Number 0 means no subject. The text is `null` for number 0 and for a text that cannot
   * be read, and `ERASED` for an erased text.
   */
  readonly texts: readonly (string | null)[];
  /** `true` if the texts are missing or damaged. */
  readonly isLost: boolean;
  /** The digests of the texts, one after another. `undefined` if the block has none. */
  readonly digests: Uint8Array | undefined;
  /** The salts of the digests, one after another. The salt of an erased text is zeros. */
  readonly salts: Uint8Array | undefined;
}

/** The bytes of a block that contain subjects. */
export interface SubjectBytes {
  readonly data: Uint8Array;
  readonly erasable?: Uint8Array;
}

const NONE: SubjectColumn = {
  numbers: [],
  texts: [null],
  isLost: false,
  digests: undefined,
  salts: undefined,
};

/** Writes the numbers of `rows` rows. 0 means no subject; the numbers from 1 stand for the `count` texts. */
export function writeSubjects(writer: ByteWriter, rows: number, numbers: Uint16Array, count: number): void {
  writer.varint(count);
  writeNumbers(writer, rows, numbers, count + 1);
}

/** Encodes the texts as the separate bytes of a block. Overwrites `scratch`. */
export function encodeSubjects(scratch: ByteWriter, texts: readonly string[]): Uint8Array {
  return joinColumns(scratch, [textsPart(texts)]);
}

/** Reads the columns with subjects, and the separate bytes with their texts. Throws a RangeError for an invalid column. */
export function readSubjects(
  columns: ReadonlyMap<number, Uint8Array>,
  erasable: Uint8Array | undefined,
  rows: number,
): SubjectColumn {
  const column = columns.get(COLUMN.subjects);
  if (column === undefined) return NONE;
  const { count, numbers } = numbersOf(column, rows);
  const digests = columns.get(COLUMN.digests);
  const { texts, salts } = besideOf(erasable);
  return texts?.length === count
    ? { numbers, texts: [null, ...texts], isLost: false, digests, salts }
    : { numbers, texts: new Array(count + 1).fill(null), isLost: true, digests, salts: undefined };
}

/** Returns the subject of a row. Returns `null` if there is none, and `ERASED` if it was erased. */
export function subjectAt({ numbers, texts }: SubjectColumn, row: number): string | null {
  return texts[numbers[row] ?? 0] ?? null;
}

/**
 * Erases one subject from the separate bytes of a block. Returns the new bytes, and the number of records in
 * the block that had this subject. Returns `undefined` if the block does not have the subject. Throws a block
 * error for damaged data.
 */
export function eraseSubject(
  { data, erasable }: SubjectBytes,
  subject: string,
): { readonly erasable: Uint8Array; readonly records: number } | undefined {
  const { texts } = besideOf(erasable);
  const row = texts?.indexOf(subject) ?? -1;
  if (erasable === undefined || texts === undefined || row < 0) return undefined;
  const otherParts = [...splitColumns(erasable)]
    .filter(([column]) => column !== COLUMN.subjects)
    .map(([column, bytes]) => columnPart(column, column === COLUMN.digests ? unsalted(bytes, row) : bytes));
  const keptTexts = texts.with(row, ERASED);
  const records = orDamaged(() => rowsWith(data, row + 1));
  return { erasable: joinColumns(createByteWriter(), [textsPart(keptTexts), ...otherParts]), records };
}

function textsPart(texts: readonly string[]): ColumnPart {
  return [
    COLUMN.subjects,
    (writer) => {
      writer.varint(texts.length);
      for (const text of texts) writer.text(text);
    },
  ];
}

interface Beside {
  readonly texts?: readonly string[];
  readonly salts?: Uint8Array | undefined;
}

function besideOf(erasable: Uint8Array | undefined): Beside {
  if (erasable === undefined) return {};
  try {
    return orDamaged(() => {
      const columns = splitColumns(erasable);
      const reader = open(columns.get(COLUMN.subjects));
      const texts = reader.list(reader.text, MAX_RECORDS);
      return { texts, salts: columns.get(COLUMN.digests) };
    });
  } catch (error) {
    if (!isBlockError(error)) throw error;
    return {};
  }
}

function unsalted(salts: Uint8Array, row: number): Uint8Array {
  return salts.slice().fill(0, row * SALT_BYTES, (row + 1) * SALT_BYTES);
}

function numbersOf(
  column: Uint8Array,
  rows: number,
): { readonly count: number; readonly numbers: ArrayLike<number> } {
  const reader = createByteReader(column);
  const count = reader.varint();
  if (count > rows) throw new RangeError('There are more subjects than rows.');
  return { count, numbers: readNumbers(reader, rows, count + 1) };
}

function rowsWith(data: Uint8Array, wantedNumber: number): number {
  const columns = splitColumns(data);
  const rows = open(columns.get(COLUMN.head)).varint();
  const { numbers } = numbersOf(columns.get(COLUMN.subjects) ?? new Uint8Array(), rows);
  let foundCount = 0;
  for (let row = 0; row < rows; row += 1) if (numbers[row] === wantedNumber) foundCount += 1;
  return foundCount;
}

function open(column: Uint8Array | undefined): ByteReader {
  return createByteReader(column ?? new Uint8Array());
}

const DIGEST_BYTES = 32;

/** The salts and the digests of the texts of a block, each as one sequence of bytes. */
interface SaltedDigests {
  readonly salts: Uint8Array;
  readonly digests: Uint8Array;
}

/** A subject of a block with the salt of its digest. */
export interface SaltedSubject {
  readonly salt: Uint8Array;
  readonly text: string;
}

/** Adds the digests of the texts to `data`, and the salts of the texts to the separate bytes `erasable`. */
export function withDigests(
  { data, erasable }: Required<SubjectBytes>,
  { salts, digests }: SaltedDigests,
): Required<SubjectBytes> {
  return { data: withColumn(data, digests), erasable: withColumn(erasable, salts) };
}

function withColumn(bytes: Uint8Array, column: Uint8Array): Uint8Array {
  const columns = [...splitColumns(bytes), [COLUMN.digests, column] as const];
  return joinColumns(
    createByteWriter(),
    columns.map(([number, ownBytes]) => columnPart(number, ownBytes)),
  );
}

/** Returns the digest of the subject of a row. Returns `undefined` if there is none. */
export function digestAt({ numbers, digests }: SubjectColumn, row: number): Uint8Array | undefined {
  return partOf(digests, DIGEST_BYTES, numbers[row]);
}

/** Returns the subject of a row with its salt. Returns `undefined` if there is none, or if it was erased. */
export function saltedAt(subjects: SubjectColumn, row: number): SaltedSubject | undefined {
  const text = subjectAt(subjects, row);
  const salt = partOf(subjects.salts, SALT_BYTES, subjects.numbers[row]);
  return text && salt && subjects.digests ? { salt, text } : undefined;
}

function partOf(
  bytes: Uint8Array | undefined,
  size: number,
  number: number | undefined,
): Uint8Array | undefined {
  return number ? bytes?.slice((number - 1) * size, number * size) : undefined;
}
