/**
 * The digests of subjects in a block with a leaf: SHA-256 of a salt and the text. While both stand next to the block,
 * they show a subject; after an erasure nothing can be compared with its digest.
 */
import { createByteWriter } from './bytes.ts';
import { COLUMN, columnPart, joinColumns, splitColumns } from './format.ts';
import { SALT_BYTES, type SubjectBytes, type SubjectColumn, subjectAt } from './subjects.ts';

/** The bytes of a digest. */
const DIGEST_BYTES = 32;

/** The salts and the digests of the texts of a block, each one after the other. */
export interface SaltedDigests {
  readonly salts: Uint8Array;
  readonly digests: Uint8Array;
}

/** A subject of a block with the salt of its digest. */
export interface SaltedSubject {
  readonly salt: Uint8Array;
  readonly text: string;
}

/** Returns the bytes of a block with the digests of its texts, and the salts next to it. */
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
    columns.map(([number, own]) => columnPart(number, own)),
  );
}

/** Returns the digest of the subject of a row; `undefined` without any. */
export function digestAt({ numbers, digests }: SubjectColumn, place: number): Uint8Array | undefined {
  return partOf(digests, DIGEST_BYTES, numbers[place]);
}

/** Returns the subject of a row with its salt; `undefined` without one, and after its erasure. */
export function saltedAt(subjects: SubjectColumn, place: number): SaltedSubject | undefined {
  const text = subjectAt(subjects, place);
  const salt = partOf(subjects.salts, SALT_BYTES, subjects.numbers[place]);
  return text && salt && subjects.digests ? { salt, text } : undefined;
}

function partOf(
  bytes: Uint8Array | undefined,
  size: number,
  number: number | undefined,
): Uint8Array | undefined {
  return number ? bytes?.slice((number - 1) * size, number * size) : undefined;
}
