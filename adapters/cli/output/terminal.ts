/** Writes to the terminal. No other file writes there. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Prints one or more lines on stdout. Characters that could move the cursor are shown as escapes. */
export function print(text: string): void {
  process.stdout.write(`${visibleLines(text)}\n`);
}

export function printError(text: string): void {
  process.stderr.write(`${visibleLines(text)}\n`);
}

/** Prints a line on stderr if it is a terminal. The next call replaces the line; an empty text erases it. */
export function printProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${visible(text)}`);
}

/** Prints the value as one line of JSON on stdout. The escapes of `print` are valid in JSON. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/**
 * Prints the pieces of a CSV on stdout, no faster than the reader reads. The bytes are unchanged, except on a terminal,
 * which gets escapes. Resolves if the reader closes the stream early.
 */
export async function printCsv(pieces: AsyncIterable<string>): Promise<void> {
  const shownPieces = process.stdout.isTTY ? visibleCsv(pieces) : pieces;
  try {
    await pipeline(Readable.from(shownPieces, { highWaterMark: 1 }), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** Writes the text or bytes unchanged on stdout; resolves to `false` if the reader has closed the stream. */
export function writeOutput(text: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
      if (!error) resolve(true);
      else if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') resolve(false);
      else reject(error);
    });
  });
}

/**
 * Returns the text with escapes, as in JSON, for invisible characters. A record thus cannot move the cursor, reverse
 * the text or hide a part of it.
 */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/**
 * Returns the pieces of a CSV with the same escapes. A line break inside a cell is escaped too, so that each record is
 * one line.
 */
export async function* visibleCsv(pieces: AsyncIterable<string>): AsyncIterable<string> {
  let isQuoted = false;
  for await (const piece of pieces) {
    const shownParts = piece.split('"').map((part, index) => {
      // A quote within a cell is doubled: it ends and begins.
      if (index > 0) isQuoted = !isQuoted;
      return isQuoted ? visible(part) : visibleLines(part.replaceAll('\r', ''));
    });
    yield shownParts.join('"');
  }
}

function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

/** Ignores the error of a stream that the reader has closed early (`… | head -1`). */
export function guardOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
