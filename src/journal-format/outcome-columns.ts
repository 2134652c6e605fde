/** Stores outcome reports, sorted by the time of their verdicts and then by decision id. */

import { idCount, idPrefix, idSpeller } from '../base/bytes/counted-ids.ts';
import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import { OUTCOMES } from '../base/values/vocabulary.ts';
import { BLOCK_FLAGS } from '../ports/journal.ts';
import type { Outcome } from '../records/outcome.ts';
import type { Environment } from '../records.ts';
import {
  type ByteReader,
  type ByteWriter,
  createByteReader,
  createByteWriter,
  readCounts,
  readTimes,
  writeRuns,
} from './bytes.ts';
import { createColumns } from './columns.ts';
import { contextText, readContext } from './context.ts';
import { columnsWithoutRows, type SealedBlock } from './encode.ts';
import { buildFilter, filterHashes } from './filter.ts';
import { COLUMN, joinColumns, MAX_REPORTS } from './format.ts';
import { createNames, type NameColumn, readNames, readValues, writeNames } from './names.ts';

/** A report in the form that a block stores. Times are milliseconds since the Unix epoch. */
export interface OutcomeReport {
  readonly decision_id: string;
  /** The instant of the verdict. */
  readonly evaluated_ms: number;
  readonly agent_id: string;
  readonly outcome: Outcome;
  readonly code: string | null;
  readonly reported_ms: number;
  readonly environment: Environment;
  readonly key_id: string | null;
}

/** A report with the two parts of its decision id. */
interface SplitReport extends OutcomeReport {
  readonly prefix: string;
  readonly count: number;
}

/**
 * The reports of a block, in the order of `evaluated_ms` and `decision_id`. `place` is the position of a report in this
 * order.
 */
export interface OutcomeColumns {
  readonly length: number;
  /** The instant of the verdict of each report, in milliseconds since the Unix epoch. */
  readonly times: ArrayLike<number>;
  readonly agents: NameColumn;
  outcome(row: number): Outcome;
  environment(row: number): Environment;
  decisionId(row: number): string;
  report(row: number): OutcomeReport;
}

const NO_CODE = '';

function writeOutcomes(writer: ByteWriter, reports: readonly SplitReport[]): void {
  const { length } = reports;
  const base = reports[0]?.evaluated_ms ?? 0;
  const reportAt = (index: number): SplitReport => reports[index] as SplitReport;
  writer.varint(length);
  writer.varint(base);
  writeRuns(writer, length, (index) => reportAt(index).evaluated_ms - base);
  writeRuns(writer, length, (index) => reportAt(index).count);
  for (const nameOf of [prefixOf, agentOf, contextOf, codeOf]) {
    const names = createNames();
    const numbers = reports.map((report) => names.numberOf(nameOf(report)));
    writeNames(writer, length, { numbers, texts: names.texts() });
  }
  for (const { outcome } of reports) writer.byte(OUTCOMES.indexOf(outcome));
  for (const { reported_ms, evaluated_ms } of reports) writer.signed(reported_ms - evaluated_ms);
}

function prefixOf({ prefix }: SplitReport): string {
  return prefix;
}

function agentOf({ agent_id }: SplitReport): string {
  return agent_id;
}

function contextOf({ environment, key_id }: SplitReport): string {
  return contextText({ environment, key_id, dry_run: false, currency: null });
}

function codeOf({ code }: SplitReport): string {
  return code ?? NO_CODE;
}

/** Reads the column of outcomes. If the block has no such column, returns an empty list of reports. */
export function readOutcomes(column: Uint8Array | undefined): OutcomeColumns {
  const reader = createByteReader(column ?? Uint8Array.of(0, 0, 0, 0, 0, 0));
  const length = reader.varint();
  if (length > MAX_REPORTS) throw new RangeError(`A block has at most ${MAX_REPORTS} reports.`);
  const base = reader.varint();
  const times = readTimes(reader, length, base);
  const counts = readCounts(reader, length);
  const prefixes = readNames(reader, length);
  const agents = readNames(reader, length);
  const contexts = readNames(reader, length);
  const codes = readNames(reader, length);
  const statuses = readStatuses(reader, length);
  const delays = Float64Array.from({ length }, reader.signed);
  const callers = readValues(contexts, readContext);
  const spellers = prefixes.texts.map(idSpeller);
  const callerAt = (row: number) => callers[contexts.numbers[row] as number] as (typeof callers)[number];
  const decisionId = (row: number): string =>
    spellers[prefixes.numbers[row] as number]?.(counts[row] as number) ?? '';
  const outcome = (row: number): Outcome => OUTCOMES[statuses[row] as number] as Outcome;
  return {
    length,
    times,
    agents,
    outcome,
    environment: (row) => callerAt(row).environment,
    decisionId,
    report(row) {
      const { environment, key_id } = callerAt(row);
      const evaluated_ms = times[row] as number;
      return {
        decision_id: decisionId(row),
        evaluated_ms,
        agent_id: agents.texts[agents.numbers[row] as number] as string,
        outcome: outcome(row),
        code: codes.texts[codes.numbers[row] as number] || null,
        reported_ms: evaluated_ms + (delays[row] as number),
        environment,
        key_id,
      };
    },
  };
}

function readStatuses(reader: ByteReader, length: number): Uint8Array {
  const statuses = reader.bytes(length);
  if (statuses.some((status) => status >= OUTCOMES.length)) throw new RangeError('There is no such outcome.');
  return statuses;
}

// Packs outcome reports into blocks. These blocks contain no records.

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
