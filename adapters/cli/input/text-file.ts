import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { readJson } from '../../../src/http/binding.ts';
import { IdentityError } from '../../../src/index.ts';
import { usageError } from '../output/error.ts';

const MAX_BYTES = 1024 * 1024;

async function readBytes(path: string): Promise<Uint8Array> {
  if (path === '-') return buffer(process.stdin);
  try {
    return await readFile(path);
  } catch (cause) {
    throw usageError(`${path} cannot be read (${(cause as NodeJS.ErrnoException).code}).`, cause);
  }
}

export async function readSecretFile(path: string): Promise<string> {
  const bytes = await readBytes(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
  } catch (cause) {
    throw usageError(`${nameOf(path)} is not UTF-8 text. Save it as UTF-8.`, cause);
  }
}

/**
 * Reads the object in a JSON file, or from stdin if the path is `-`. A number that a double cannot represent is
 * refused, as in a request body over HTTP.
 */
export async function readJsonFile(path: string): Promise<Record<string, unknown>> {
  const value = await readValue(path);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new IdentityError('invalid_request', `${nameOf(path)}: There must be one JSON object.`);
}

export async function readJsonList(path: string): Promise<readonly unknown[]> {
  const value = await readValue(path);
  if (Array.isArray(value)) return value;
  throw new IdentityError('invalid_request', `${nameOf(path)}: There must be one JSON array.`);
}

async function readValue(path: string): Promise<unknown> {
  const bytes = await readBytes(path);
  if (bytes.length > MAX_BYTES) throw usageError(`${nameOf(path)} is larger than ${MAX_BYTES} bytes.`);
  return inFile(path, async () => readJson(bytes));
}

export async function inFile<Result>(path: string, callback: () => Promise<Result>): Promise<Result> {
  try {
    return await callback();
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    const { code, details, message } = error;
    throw new IdentityError(code, `${nameOf(path)}: ${message}`, { cause: error, details });
  }
}

export function nameOf(path: string): string {
  return path === '-' ? 'stdin' : path;
}

export interface TextLine {
  readonly number: number;
  /** The bytes; `undefined` for a line of more than `MAX_LINE_BYTES`. */
  readonly bytes: Uint8Array | undefined;
}

/** The maximum length of a line. No passport needs as much. */
export const MAX_LINE_BYTES: number = 1024 * 1024;

const LINE_FEED = 0x0a;

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
    let start = 0;
    for (let index = chunk.indexOf(LINE_FEED); index >= 0; index = chunk.indexOf(LINE_FEED, start)) {
      take(chunk.subarray(start, index));
      const line = end();
      if (line !== undefined) yield line;
      start = index + 1;
    }
    take(chunk.subarray(start));
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
