/** The only place that writes to the terminal. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** One or more lines on stdout. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** One or more lines on stderr. */
export function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** A line on stderr that the next one replaces, where somebody looks at it; an empty one takes it away. */
export function printProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

/** The value as one line of JSON on stdout. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/** The pieces on stdout, no faster than they are taken. A reader who has gone ends it, and is no failure. */
export async function printAll(pieces: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces, { highWaterMark: 1 }), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** The text with control characters made visible, so that no record can move the cursor of who reads it. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** A reader who has gone (`… | head -1`) is no failure. */
export function guardOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
