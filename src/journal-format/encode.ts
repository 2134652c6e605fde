/** Encodes rows as the bytes of a block, with its filter and its header. */
import { BLOCK_FLAGS, type Block } from '../ports/journal.ts';
import { TEXT_AMOUNT } from './amounts.ts';
import { writeApprovals, writeHolds } from './approvals.ts';
import { type ByteWriter, type Drop, writeDrops, writeRuns } from './bytes.ts';
import type { Columns } from './columns.ts';
import { readContext } from './context.ts';
import { buildFilter, filterHashes } from './filter.ts';
import { COLUMN, type ColumnPart, joinColumns } from './format.ts';
import type { RowNames } from './names.ts';
import { writeNames } from './names.ts';
import { writeTraces } from './row-traces.ts';
import { orderOf } from './rows.ts';
import { encodeSubjects, writeSubjects } from './subjects.ts';

/** A finished block, without the name that its writer gives it. */
export type SealedBlock = Omit<Block, 'writer' | 'seq' | 'account_id'>;

interface Built extends Columns {
  readonly length: number;
  readonly prefix: string;
  readonly drops: readonly Drop[];
  readonly hasApprovals: boolean;
}

/** Encodes these rows as a block, sorted by time and counter. Overwrites `scratch`. */
export function encodeRows(block: Built, scratch: ByteWriter): SealedBlock {
  const { rows, length, drops } = block;
  const { subjects } = block.optional;
  const order = orderOf(rows, length);
  const ends = length === 0 ? [] : [order?.[0] ?? 0, order?.[length - 1] ?? length - 1];
  // Drops may be stored hours after the records: they must not extend the span that a search relies on.
  const times = length === 0 ? drops.map(({ at_ms }) => at_ms) : ends.map((row) => rows.times[row] as number);
  let deniedCount = 0;
  for (let row = 0; row < length; row += 1) if (rows.reasons[row] !== 0) deniedCount += 1;
  return {
    from_ms: Math.min(...times),
    to_ms: Math.max(...times),
    records: length,
    denied: deniedCount,
    flags: flagsOf(block),
    filter: filterOf(block),
    data: joinColumns(scratch, columnsOf(block, order)),
    erased: 0,
    ...(subjects.numbers().length > 0 && { erasable: encodeSubjects(scratch, subjects.names.texts()) }),
  };
}

/** Returns the columns of a block without records. */
export function columnsWithoutRows(columns: Columns): readonly ColumnPart[] {
  return columnsOf({ length: 0, prefix: '', drops: [], hasApprovals: true, ...columns }, undefined);
}

function flagsOf({ names, drops }: Built): number {
  let flags = drops.length > 0 ? BLOCK_FLAGS.drops : 0;
  for (const text of names.contexts.texts()) {
    const { environment, dry_run } = readContext(text);
    flags |= BLOCK_FLAGS[environment] | (dry_run ? BLOCK_FLAGS.dryRuns : 0);
  }
  return flags;
}

function filterOf({ names, templates, optional }: Built): Uint8Array {
  const codes = new Set(templates.codes().flat());
  const reasons = [...codes].map((code) => filterHashes('reason', code));
  return buildFilter([...names.agents.hashes(), ...reasons, ...optional.subjects.names.hashes()]);
}

function columnsOf(block: Built, order: Uint16Array | undefined): readonly ColumnPart[] {
  const { rows, length, prefix, names, templates, facts, texts, drops } = block;
  const { traces, subjects, approvals, holds } = block.optional;
  const rowAt = (index: number): number => (order === undefined ? index : (order[index] as number));
  const base = length === 0 ? 0 : (rows.times[rowAt(0)] as number);
  const namesPart =
    (numbers: Uint16Array, texts: readonly string[]) =>
    (writer: ByteWriter): void =>
      writeNames(writer, length, { numbers: inOrder(numbers, order, length), texts });
  const columns: ColumnPart[] = [
    [
      COLUMN.head,
      (writer) => {
        writer.varint(length);
        writer.varint(base);
        writer.text(prefix);
      },
    ],
    [
      COLUMN.times,
      (writer) => writeRuns(writer, length, (index) => (rows.times[rowAt(index)] as number) - base),
    ],
    [COLUMN.counts, (writer) => writeRuns(writer, length, (index) => rows.counts[rowAt(index)] as number)],
    [COLUMN.latencies, (writer) => writer.numbers(inOrder(rows.buckets, order, length), length, 1)],
    [COLUMN.agents, namesPart(rows.agents, names.agents.texts())],
    [COLUMN.actions, namesPart(rows.actions, names.actions.texts())],
    [COLUMN.targets, namesPart(rows.targets, ['', ...names.targets.texts()])],
    [COLUMN.contexts, namesPart(rows.contexts, names.contexts.texts())],
    [COLUMN.reasons, namesPart(rows.reasons, templates.texts())],
    [COLUMN.facts, (writer) => facts.write(writer, factPlaces(block, rowAt))],
    [
      COLUMN.versions,
      (writer) => writeVersions(writer, length, (index) => rows.versions[rowAt(index)] as number),
    ],
    [COLUMN.amounts, (writer) => writeAmounts(writer, block, rowAt)],
  ];
  for (const column of ['requests', 'budgets', 'usages'] as const) {
    const ofRows = texts[column];
    if (ofRows.length === 0) continue;
    columns.push([COLUMN[column], (writer) => writeTexts(writer, length, (index) => ofRows[rowAt(index)])]);
  }
  const numbersOf = (names: RowNames): Uint16Array => {
    const numbers = names.numbers();
    return Uint16Array.from({ length }, (_, index) => numbers[rowAt(index)] ?? 0);
  };
  for (const column of ['proofs', 'ancestors', 'permits', 'verifiers'] as const) {
    const ofRows = block.optional[column];
    if (ofRows.numbers().length === 0) continue;
    const texts = ['', ...ofRows.names.texts()];
    columns.push([
      COLUMN[column],
      (writer) => writeNames(writer, length, { numbers: numbersOf(ofRows), texts }),
    ]);
  }
  if (subjects.numbers().length > 0)
    columns.push([
      COLUMN.subjects,
      (writer) => writeSubjects(writer, length, numbersOf(subjects), subjects.names.texts().length),
    ]);
  if (block.hasApprovals)
    columns.push([
      COLUMN.approvals,
      (writer) =>
        writeApprovals(writer, length, { numbers: numbersOf(approvals), texts: approvals.names.texts() }),
    ]);
  if (holds.length > 0)
    columns.push([COLUMN.holds, (writer) => writeHolds(writer, length, (index) => holds[rowAt(index)] ?? 0)]);
  if (traces.ids().length > 0)
    columns.push([
      COLUMN.traces,
      (writer) => writeTraces(writer, length, (index) => traces.ids()[rowAt(index)]),
    ]);
  if (drops.length > 0) columns.push([COLUMN.drops, (writer) => writeDrops(writer, drops)]);
  return columns;
}

function inOrder<Column extends Uint8Array | Uint16Array>(
  column: Column,
  order: Uint16Array | undefined,
  length: number,
): Column {
  if (order === undefined) return column;
  const orderedColumn = column.slice(0, length) as Column;
  for (let index = 0; index < length; index += 1)
    orderedColumn[index] = column[order[index] as number] as number;
  return orderedColumn;
}

function writeAmounts(
  writer: ByteWriter,
  { rows, length, texts }: Built,
  rowAt: (index: number) => number,
): void {
  for (let index = 0; index < length; index += 1) {
    const amount = rows.amounts[rowAt(index)] as number;
    writer.varint(amount);
    if (amount === TEXT_AMOUNT) writer.text(texts.amounts[rowAt(index)] as string);
  }
}

function* factPlaces({ rows, length }: Built, rowAt: (index: number) => number): Generator<[number, number]> {
  for (let index = 0; index < length; index += 1) {
    const row = rowAt(index);
    if (rows.reasons[row] !== 0) yield [rows.factsFrom[row] as number, rows.factsTo[row] as number];
  }
}

function writeVersions(writer: ByteWriter, length: number, versionAt: (index: number) => number): void {
  const first = length === 0 ? 0 : versionAt(0);
  let isSame = true;
  for (let index = 1; index < length && isSame; index += 1) isSame = versionAt(index) === first;
  writer.byte(isSame ? 0 : 1);
  if (isSame) writer.varint(first);
  else for (let index = 0; index < length; index += 1) writer.varint(versionAt(index));
}

function writeTexts(writer: ByteWriter, length: number, textAt: (index: number) => string | undefined): void {
  for (let index = 0; index < length; index += 1) {
    const text = textAt(index);
    writer.byte(text === undefined ? 0 : 1);
    if (text !== undefined) writer.text(text);
  }
}
