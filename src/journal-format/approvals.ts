/** Stores the approvals that intents named, and the seconds of holds. Few records have either. */
import { type ByteWriter, createByteReader } from './bytes.ts';
import { readNumbers, writeNumbers } from './names.ts';

/** Writes the approval of each row. Number 0 means no approval. If no row has an approval, the column is one byte. */
export function writeApprovals(
  writer: ByteWriter,
  rows: number,
  { numbers, texts }: { readonly numbers: ArrayLike<number>; readonly texts: readonly string[] },
): void {
  writer.varint(texts.length);
  for (const text of texts) writer.text(text);
  writeNumbers(writer, rows, numbers, texts.length + 1);
}

export function readApprovals(column: Uint8Array | undefined, rows: number): readonly (string | null)[] {
  if (column === undefined) return [];
  const reader = createByteReader(column);
  const texts = reader.list(reader.text, rows);
  if (texts.length === 0) return [];
  const numbers = readNumbers(reader, rows, texts.length + 1);
  return Array.from({ length: rows }, (_, row) => texts[(numbers[row] as number) - 1] ?? null);
}

export function readHolds(column: Uint8Array | undefined, rows: number): readonly (number | null)[] {
  if (column === undefined) return [];
  const reader = createByteReader(column);
  return Array.from({ length: rows }, () => reader.varint() || null);
}

export function writeHolds(writer: ByteWriter, rows: number, secondsAt: (row: number) => number): void {
  for (let row = 0; row < rows; row += 1) writer.varint(secondsAt(row));
}
