/** Verdict records as CSV (RFC 4180) that a spreadsheet cannot be made to run. */
import type { VerdictRecord } from '../../records.ts';

const COLUMNS = [
  'decision_id',
  'evaluated_at',
  'verdict',
  'reasons',
  'agent_id',
  'action',
  'target',
  'amount',
  'currency',
  'passport_version',
  'environment',
  'key_id',
  'dry_run',
  'request_id',
] as const satisfies readonly (keyof VerdictRecord)[];

/** The first line. */
export const CSV_HEADER: string = `${COLUMNS.join(',')}\r\n`;

/** One record as a line; `reasons` are their codes, parted by spaces. */
export function csvLine(record: VerdictRecord): string {
  return `${COLUMNS.map((column) => cell(textOf(record, column))).join(',')}\r\n`;
}

function textOf(record: VerdictRecord, column: (typeof COLUMNS)[number]): string {
  if (column === 'reasons') return record.reasons.map(({ code }) => code).join(' ');
  return `${record[column] ?? ''}`;
}

/** What begins like a formula gets a leading apostrophe; what holds a separator is quoted. */
function cell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
