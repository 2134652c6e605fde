/** Records as lines of CSV, spelled one field after the other. */
import { usageText } from '../../src/base/values/usage.ts';
import { CSV_HEADER } from '../../src/core/insight/csv.ts';
import type { RecordedVerdict } from '../../src/records/outcome.ts';
import type { VerdictRecord } from '../../src/records.ts';

const COLUMNS = CSV_HEADER.trim().split(',') as readonly string[];
const RECORD = COLUMNS.slice(0, -6) as readonly (keyof VerdictRecord)[];

/** The cells of one record before its outcome. */
function csvCells(record: VerdictRecord): string {
  return RECORD.map((column) => cell(textOf(record, column))).join(',');
}

/** One record as a line. */
export function csvLine(record: VerdictRecord & Partial<RecordedVerdict>): string {
  const { outcome, usage } = record;
  const end = [outcome?.outcome ?? '', outcome?.code ?? '', outcome?.reported_at ?? ''];
  return `${csvCells(record)},${end.join(',')},${cell(record.verifier ?? '')},${cell(record.permit_audience ?? '')},${usage === undefined ? '' : usageText(usage)}\r\n`;
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
