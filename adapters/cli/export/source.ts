import type { Backend } from '../backend/verbs.ts';
import { visible } from '../output/terminal.ts';
import { csvPieces } from './csv-pieces.ts';
import type { ExportPiece } from './piece.ts';

/** How the records of an export are spelled. */
export const EXPORT_FORMATS = ['jsonl', 'csv'] as const;
/** One of them. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Which records. */
export type ExportFilter = Parameters<Backend['exportVerifications']>[0];

/** Reads the records that fit, newest first, from the beginning at each call. */
export type ReadExport = (filter: ExportFilter) => AsyncIterable<ExportPiece>;

/** The largest page of `/verifications`. */
const PAGE = 100;

/** Reads the records of an account in one of the formats. */
export function exportSource(backend: Backend, format: ExportFormat): ReadExport {
  return format === 'csv' ? (filter) => readCsv(backend, filter) : (filter) => readJsonLines(backend, filter);
}

async function* readCsv(backend: Backend, filter: ExportFilter): AsyncIterable<ExportPiece> {
  yield* csvPieces(await backend.exportVerifications(filter));
}

async function* readJsonLines(backend: Backend, filter: ExportFilter): AsyncIterable<ExportPiece> {
  let cursor: string | null = null;
  do {
    const request = { ...filter, limit: PAGE, ...(cursor !== null && { cursor }) };
    const page: Awaited<ReturnType<Backend['listVerifications']>> = await backend.listVerifications(request);
    const records = page.data.map((record) => ({
      id: record.decision_id,
      at: record.evaluated_at,
      line: `${visible(JSON.stringify(record))}\n`,
    }));
    yield { records };
    cursor = page.next_cursor;
  } while (cursor !== null);
}
