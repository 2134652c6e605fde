import { createReadStream } from 'node:fs';
import { usageError } from '../output/error.ts';
import { nameOf } from './text-file.ts';

/** A line of a file, without its end. */
export interface TextLine {
  /** The number of the line, from 1. */
  readonly number: number;
  /** `undefined` for a line of more than `MAX_LINE_BYTES`. */
  readonly bytes: Uint8Array | undefined;
}

/** More than any passport takes. */
export const MAX_LINE_BYTES: number = 1024 * 1024;

const LINE_FEED = 0x0a;

/** Yields the lines of a file, or of stdin for `-`, that are not blank. A line that is too long has no bytes. */
export async function* readLines(path: string): AsyncIterable<TextLine> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (part: Uint8Array): void => {
    length += part.length;
    if (length > MAX_LINE_BYTES) parts = [];
    else parts.push(part);
  };
  const end = (): TextLine | undefined => {
    const bytes = length > MAX_LINE_BYTES ? undefined : Buffer.concat(parts);
    const line = { number, bytes };
    number += 1;
    parts = [];
    length = 0;
    return bytes === undefined || !isBlank(bytes) ? line : undefined;
  };
  for await (const chunk of openInput(path)) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      take(chunk.subarray(from, at));
      const line = end();
      if (line !== undefined) yield line;
      from = at + 1;
    }
    take(chunk.subarray(from));
  }
  const last = end();
  if (last !== undefined) yield last;
}

async function* openInput(path: string): AsyncIterable<Uint8Array> {
  try {
    const stream: AsyncIterable<Uint8Array | string> = path === '-' ? process.stdin : createReadStream(path);
    for await (const chunk of stream) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  } catch (cause) {
    throw usageError(`${nameOf(path)} cannot be read (${(cause as NodeJS.ErrnoException).code}).`, cause);
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
