/** Packs outcome reports into blocks. These blocks contain no records. */
import { idCount, idPrefix } from '../base/bytes/counted-ids.ts';
import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import { BLOCK_FLAGS } from '../ports/journal.ts';
import { type ByteWriter, createByteWriter } from './bytes.ts';
import { createColumns } from './columns.ts';
import { columnsWithoutRows, type SealedBlock } from './encode.ts';
import { buildFilter, filterHashes } from './filter.ts';
import { COLUMN, joinColumns, MAX_REPORTS } from './format.ts';
import { type OutcomeReport, type SplitReport, writeOutcomes } from './outcome-columns.ts';

const NO_ROWS = createColumns().columns();

/** A block of reports, and the packed reports. */
export interface PackedOutcomes<Report extends OutcomeReport> {
  readonly block: SealedBlock;
  /** The packed reports in their order. */
  readonly reports: readonly Report[];
}

/**
 * Packs reports into as few blocks as possible. Each block has the reports on the verdicts of one hour, from one full
 * hour to the next by `evaluated_ms`. The decision ids must be counted ids.
 */
export function packOutcomes<Report extends OutcomeReport>(
  reports: readonly Report[],
  scratch: ByteWriter = createByteWriter(),
): readonly PackedOutcomes<Report>[] {
  const sortedReports = reports.map(split).sort(compareReports);
  const packedOutcomes: PackedOutcomes<Report>[] = [];
  for (let start = 0, end = 0; start < sortedReports.length; start = end) {
    const hour = hourOf(sortedReports[start]);
    while (end < sortedReports.length && end - start < MAX_REPORTS && hourOf(sortedReports[end]) === hour)
      end += 1;
    const part = sortedReports.slice(start, end);
    packedOutcomes.push({ block: blockOf(part, scratch), reports: part });
  }
  return packedOutcomes;
}

function split<Report extends OutcomeReport>(report: Report): Report & SplitReport {
  const prefix = idPrefix(report.decision_id);
  const count = idCount(report.decision_id, prefix.length);
  if (count < 0) throw new RangeError('The decision id has no count.');
  return { prefix, count, ...report };
}

function compareReports(a: SplitReport, b: SplitReport): number {
  if (a.evaluated_ms !== b.evaluated_ms) return a.evaluated_ms - b.evaluated_ms;
  if (a.prefix !== b.prefix) return a.prefix < b.prefix ? -1 : 1;
  return a.count - b.count || a.reported_ms - b.reported_ms;
}

function hourOf(report: OutcomeReport | undefined): number {
  return Math.floor((report?.evaluated_ms ?? 0) / RESOLUTION_MS.hour);
}

function blockOf(reports: readonly SplitReport[], scratch: ByteWriter): SealedBlock {
  const names = [
    ...[...new Set(reports.map(({ agent_id }) => agent_id))].map((name) => filterHashes('agent', name)),
    ...[...new Set(reports.map(({ outcome }) => outcome))].map((name) => filterHashes('outcome', name)),
  ];
  return {
    from_ms: reports[0]?.evaluated_ms ?? 0,
    to_ms: reports.at(-1)?.evaluated_ms ?? 0,
    records: 0,
    denied: 0,
    erased: 0,
    flags: BLOCK_FLAGS.outcomes,
    filter: buildFilter(names),
    data: joinColumns(scratch, [
      // A release that does not know the last column finds a block without a record.
      ...columnsWithoutRows(NO_ROWS),
      [COLUMN.outcomes, (writer) => writeOutcomes(writer, reports)],
    ]),
  };
}
