/** Reads the lines of an import; a line that is not a passport is named by its number. */
import { readJson } from '../../../src/http/binding.ts';
import { IdentityError } from '../../../src/index.ts';
import { MAX_LINE_BYTES, readLines, type TextLine } from '../input/text-lines.ts';
import { type ReadOptions, readDocument } from './foreign.ts';
import type { ForeignPassport } from './passport-line.ts';
import type { Report } from './report.ts';

/** A passport and the line on which it stands. */
export interface ReadPassport extends ForeignPassport {
  readonly line: number;
}

/** The content of a file. */
export interface ReadPassports {
  readonly passports: readonly ReadPassport[];
  readonly refused: readonly Report[];
}

/** The options of reading a file. */
export interface ReadFileOptions extends ReadOptions {
  /** A line that is refused does not stop the others. */
  readonly keepGoing: boolean;
}

/** Without `keepGoing` a file is not read any further after this many. */
const MAX_REFUSED = 20;

/** Reads a file of JSON lines, or stdin for `-`; of another format also a file that is one document. */
export async function readPassports(path: string, options: ReadFileOptions): Promise<ReadPassports> {
  const passports: ReadPassport[] = [];
  const refused: Report[] = [];
  const lines = readLines(path);
  for await (const text of options.from === 'own' ? lines : documentsOf(lines)) {
    try {
      passports.push({ line: text.number, ...readDocument(readObject(text), options) });
    } catch (error) {
      refused.push({ line: text.number, result: 'refused', reason: reasonOf(error) });
      if (!options.keepGoing && refused.length === MAX_REFUSED) break;
    }
  }
  return { passports, refused };
}

/** Yields the lines if the first one begins and ends as an object, otherwise all of them as one document. */
async function* documentsOf(lines: AsyncIterable<TextLine>): AsyncIterable<TextLine> {
  const iterator = lines[Symbol.asyncIterator]();
  let next = await iterator.next();
  if (next.done) return;
  const first = next.value;
  if (first.bytes === undefined || isObjectLine(first.bytes)) {
    yield first;
    yield* { [Symbol.asyncIterator]: () => iterator };
    return;
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  for (; !next.done && length <= MAX_LINE_BYTES; next = await iterator.next()) {
    const { bytes } = next.value;
    length += bytes?.length ?? MAX_LINE_BYTES + 1;
    parts.push(bytes ?? NEW_LINE, NEW_LINE);
  }
  yield { number: first.number, bytes: length > MAX_LINE_BYTES ? undefined : Buffer.concat(parts) };
}

const NEW_LINE = Buffer.from('\n');

function isObjectLine(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('latin1').trim();
  return text.startsWith('{') && text.endsWith('}');
}

/** Returns the reason why a line is refused: every field that is wrong. Throws any other error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof IdentityError)) throw error;
  const { errors = [] } = error.details;
  if (errors.length < 2) return error.message;
  return errors.map(({ path, message }) => `${path || '(all)'}: ${message}`).join(' ');
}

function readObject({ bytes }: TextLine): Readonly<Record<string, unknown>> {
  if (bytes === undefined) {
    throw new IdentityError('invalid_request', `It is longer than ${MAX_LINE_BYTES} bytes.`);
  }
  const value = readJson(bytes);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new IdentityError('invalid_request', 'A passport is one JSON object.');
}
