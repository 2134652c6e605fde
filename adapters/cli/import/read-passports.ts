/** Reads the lines of an import. An error names the number of its line. */
import { readJson } from '../../../src/http/binding.ts';
import { IdentityError } from '../../../src/index.ts';
import { MAX_LINE_BYTES, readLines, type TextLine } from '../input/text-file.ts';
import { type PassportToImport, readPassportLine } from './passport-line.ts';

export interface ReadPassport extends PassportToImport {
  readonly line: number;
}

export interface ReadPassports {
  readonly passports: readonly ReadPassport[];
  readonly refused: readonly Report[];
}

export interface ReadFileOptions {
  readonly keepGoing: boolean;
}

/** The number of refused lines after which reading stops, without `keepGoing`. */
const MAX_REFUSED = 20;

export async function readPassports(path: string, options: ReadFileOptions): Promise<ReadPassports> {
  const passports: ReadPassport[] = [];
  const refusedReports: Report[] = [];
  for await (const text of readLines(path)) {
    try {
      passports.push({ line: text.number, ...readPassportLine(readObject(text)) });
    } catch (error) {
      refusedReports.push({ line: text.number, result: 'refused', reason: reasonOf(error) });
      if (!options.keepGoing && refusedReports.length === MAX_REFUSED) break;
    }
  }
  return { passports, refused: refusedReports };
}

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
  throw new IdentityError(
    'invalid_request',
    'This value is no JSON object. Write a passport as one object, in braces.',
  );
}

/** The outcomes in the order of the summary. */
export const OUTCOMES = ['create', 'unchanged', 'differs', 'refused'] as const;
/**
 * The outcome of a line. `create`: the passport is new. `differs`: the existing passport differs, and stays. `refused`:
 * the passport cannot be issued.
 */
type Outcome = (typeof OUTCOMES)[number];

export interface Report {
  readonly line: number;
  readonly result: Outcome;
  readonly agent_id?: string;
  readonly fields?: readonly string[];
  readonly reason?: string;
}

type Counts = Readonly<Record<Outcome, number>>;

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
