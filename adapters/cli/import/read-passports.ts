/** Reads the lines of an import; a line that is not a passport is named by its number. */
import { readJson } from '../../../src/http/binding.ts';
import { IdentityError } from '../../../src/index.ts';
import { MAX_LINE_BYTES, readLines, type TextLine } from '../input/text-file.ts';
import { type PassportToImport, readPassportLine } from './passport-line.ts';

/** A passport and the line on which it stands. */
export interface ReadPassport extends PassportToImport {
  readonly line: number;
}

/** The content of a file. */
export interface ReadPassports {
  readonly passports: readonly ReadPassport[];
  readonly refused: readonly Report[];
}

/** The options of reading a file. */
export interface ReadFileOptions {
  /** A line that is refused does not stop the others. */
  readonly keepGoing: boolean;
}

/** Without `keepGoing` a file is not read any further after this many. */
const MAX_REFUSED = 20;

/** Reads a file of JSON lines, or stdin for `-`. */
export async function readPassports(path: string, options: ReadFileOptions): Promise<ReadPassports> {
  const passports: ReadPassport[] = [];
  const refused: Report[] = [];
  for await (const text of readLines(path)) {
    try {
      passports.push({ line: text.number, ...readPassportLine(readObject(text)) });
    } catch (error) {
      refused.push({ line: text.number, result: 'refused', reason: reasonOf(error) });
      if (!options.keepGoing && refused.length === MAX_REFUSED) break;
    }
  }
  return { passports, refused };
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

/** In the order in which they are counted. */
export const OUTCOMES = ['create', 'unchanged', 'differs', 'refused'] as const;
/**
 * `create`: the passport is new. `differs`: a different passport has its id, and stays. `refused`: it cannot be
 * issued.
 */
type Outcome = (typeof OUTCOMES)[number];

/** The outcome of one line. */
export interface Report {
  readonly line: number;
  readonly result: Outcome;
  /** Absent when the line names none. */
  readonly agent_id?: string;
  readonly fields?: readonly string[];
  /** Why it is refused. */
  readonly reason?: string;
}

type Counts = Readonly<Record<Outcome, number>>;

/** Counts the outcomes of the lines. */
export function countsOf(reports: readonly Report[]): Counts {
  const counts = { create: 0, unchanged: 0, differs: 0, refused: 0 };
  for (const { result } of reports) counts[result] += 1;
  return counts;
}

export function reportText({ line, result, agent_id, fields = [], reason }: Report): string {
  const facts = [
    ...(agent_id === undefined ? [] : [agent_id]),
    ...(fields.length === 0 ? [] : [`in ${fields.join(', ')}`]),
    ...(reason === undefined ? [] : [`line ${line}: ${reason}`]),
  ];
  return `${result.padEnd(9)}  ${facts.join(' ')}`;
}
