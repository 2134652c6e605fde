/** Records as lines of CSV, spelled one field after the other. */
import type { VerdictRecord } from '../../src/records.ts';
import { CSV_HEADER } from '../../src/service/insight/csv.ts';

const COLUMNS = CSV_HEADER.trim().split(',') as readonly (keyof VerdictRecord)[];

/** One record as a line. */
export function csvLine(record: VerdictRecord): string {
  return `${COLUMNS.map((column) => cell(textOf(record, column))).join(',')}\r\n`;
}

function textOf(record: VerdictRecord, column: keyof VerdictRecord): string {
  if (column === 'reasons') return record.reasons.map(({ code }) => code).join(' ');
  if (column === 'ancestor_versions') return record.ancestor_versions?.join(' ') ?? '';
  return `${record[column] ?? ''}`;
}

function cell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
