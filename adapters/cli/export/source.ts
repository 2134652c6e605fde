import type { VerificationFilter } from '../../../src/client.ts';
import { IdentityError } from '../../../src/index.ts';
import { ocsfLine, type RecordedVerdict } from '../../../src/ocsf/index.ts';
import type { Backend } from '../backend/methods.ts';
import { visible } from '../output/terminal.ts';
import type { ExportPiece, ExportRecord } from './run-export.ts';

export const EXPORT_FORMATS = ['jsonl', 'csv', 'ocsf'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export type ExportFilter = VerificationFilter;

/** Reads the matching records, newest first. Each call starts from the beginning. */
export type ReadExport = (filter: ExportFilter) => AsyncIterable<ExportPiece>;

/** The maximum page size of `/verifications`. */
const PAGE = 100;

export function exportSource(backend: Backend, format: ExportFormat): ReadExport {
  if (format === 'csv') return (filter) => readCsv(backend, filter);
  const lineOf = format === 'ocsf' ? ocsfLine : (record: RecordedVerdict) => visible(JSON.stringify(record));
  return (filter) => readLines(backend, filter, lineOf);
}

async function* readCsv(backend: Backend, filter: ExportFilter): AsyncIterable<ExportPiece> {
  yield* csvPieces(await backend.verifications.csv(filter));
}

async function* readLines(
  backend: Backend,
  filter: ExportFilter,
  lineOf: (record: RecordedVerdict) => string,
): AsyncIterable<ExportPiece> {
  for await (const { data } of backend.verifications.list({ ...filter, limit: PAGE })) {
    const records = data.map((record) => ({
      id: record.decision_id,
      at: record.evaluated_at,
      line: `${lineOf(record)}\n`,
    }));
    yield { records };
  }
}

const LINE_END = '\r\n';
/**
 * The beginning of the CSV header of verdict records. The first two cells are never quoted, and no other kind of
 * records has both cells.
 */
const FIRST_CELLS = 'decision_id,evaluated_at,';

/** Cuts a CSV of verdict records (RFC 4180) into pieces at the ends of records. Only the first piece has a head. */
export async function* csvPieces(texts: AsyncIterable<string>): AsyncIterable<ExportPiece> {
  let isFirst = true;
  let unfinishedText = '';
  for await (const text of texts) {
    const lines = `${unfinishedText}${text}`.split(LINE_END);
    const { whole, rest } = joinQuoted(lines);
    unfinishedText = rest;
    const head = isFirst ? whole.shift() : undefined;
    if (head === undefined && isFirst) continue;
    if (head !== undefined && !head.startsWith(FIRST_CELLS)) throw foreign();
    isFirst = false;
    yield { ...(head !== undefined && { head }), records: whole.map(toRecord) };
  }
  if (isFirst || unfinishedText !== '') throw foreign();
}

/** Joins the lines of one record. A line break within quotes belongs to a cell. */
function joinQuoted(lines: readonly string[]): { readonly whole: string[]; readonly rest: string } {
  const whole: string[] = [];
  let open = '';
  for (const [index, line] of lines.entries()) {
    const joinedText = `${open}${line}`;
    const isLast = index === lines.length - 1;
    if (isLast) return { whole, rest: joinedText };
    const isWhole = joinedText.split('"').length % 2 === 1;
    if (isWhole) whole.push(`${joinedText}${LINE_END}`);
    open = isWhole ? '' : `${joinedText}${LINE_END}`;
  }
  return { whole, rest: open };
}

function toRecord(line: string): ExportRecord {
  const [id = '', instant = ''] = line.split(',', 2);
  return { id, at: instant, line };
}

function foreign(): IdentityError {
  return new IdentityError('service_unreachable', 'The answer is not a whole CSV of verdict records.');
}
