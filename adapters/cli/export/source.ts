import type { VerificationFilter } from '../../../src/client.ts';
import type { Backend } from '../backend/verbs.ts';
import { visible } from '../output/terminal.ts';
import { csvPieces } from './csv-pieces.ts';
import type { ExportPiece } from './piece.ts';

/** The formats of an export. */
export const EXPORT_FORMATS = ['jsonl', 'csv'] as const;
/** One of them. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The filter of an export. */
export type ExportFilter = VerificationFilter;

/** Reads the records that fit, newest first, from the beginning at each call. */
export type ReadExport = (filter: ExportFilter) => AsyncIterable<ExportPiece>;

/** The largest page of `/verifications`. */
const PAGE = 100;

/** Reads the records of an account in one of the formats. */
export function exportSource(backend: Backend, format: ExportFormat): ReadExport {
  return format === 'csv' ? (filter) => readCsv(backend, filter) : (filter) => readJsonLines(backend, filter);
}

async function* readCsv(backend: Backend, filter: ExportFilter): AsyncIterable<ExportPiece> {
  yield* csvPieces(await backend.verifications.csv(filter));
}

async function* readJsonLines(backend: Backend, filter: ExportFilter): AsyncIterable<ExportPiece> {
  for await (const { data } of backend.verifications.list({ ...filter, limit: PAGE })) {
    const records = data.map((record) => ({
      id: record.decision_id,
      at: record.evaluated_at,
      line: `${visible(JSON.stringify(record))}\n`,
    }));
    yield { records };
  }
}
