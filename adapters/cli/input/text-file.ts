import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { readJson } from '../../../src/http/binding.ts';
import { IdentityError } from '../../../src/index.ts';
import { usageError } from '../output/error.ts';

const MAX_BYTES = 1024 * 1024;

/** Reads the bytes of a file, or of stdin for `-`. */
async function readBytes(path: string): Promise<Uint8Array> {
  if (path === '-') return buffer(process.stdin);
  try {
    return await readFile(path);
  } catch (cause) {
    throw usageError(`${path} cannot be read (${(cause as NodeJS.ErrnoException).code}).`, cause);
  }
}

/** Reads the secret in a file, or in stdin for `-`, without the line break at its end. */
export async function readSecretFile(path: string): Promise<string> {
  const bytes = await readBytes(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
  } catch (cause) {
    throw usageError(`${nameOf(path)} is not UTF-8 text.`, cause);
  }
}

/**
 * Reads the object in a JSON file, or in stdin for `-`, as strictly as a body over HTTP: a number that a double cannot
 * represent is refused, never rounded.
 */
export async function readJsonFile(path: string): Promise<Record<string, unknown>> {
  const value = await readValue(path);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new IdentityError('invalid_request', `${nameOf(path)}: There must be one JSON object.`);
}

/** Reads the array in a JSON file, as `readJsonFile` does an object. */
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

/** Returns the result of `judge`; an error of it names the file. */
export async function inFile<Result>(path: string, judge: () => Promise<Result>): Promise<Result> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    const { code, details, message } = error;
    throw new IdentityError(code, `${nameOf(path)}: ${message}`, { cause: error, details });
  }
}

/** Returns the name of the file in errors. */
export function nameOf(path: string): string {
  return path === '-' ? 'stdin' : path;
}
