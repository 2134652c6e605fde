/** From rows to the bytes of a block, its filter and what its header says. */
import { BLOCK_FLAGS, type BlockHeader } from '../ports/journal.ts';
import { TEXT_AMOUNT } from './amounts.ts';
import { type ByteWriter, createByteWriter } from './bytes.ts';
import { readContext } from './context.ts';
import { type Drop, writeDrops } from './drops.ts';
import type { FactColumn } from './facts.ts';
import { buildFilter, filterHashes } from './filter.ts';
import { COLUMN, joinColumns } from './format.ts';
import { type Names, writeNames } from './names.ts';
import type { Templates } from './reasons.ts';
import { orderOf, type Rows } from './rows.ts';
import { writeRuns } from './runs.ts';

/** A block without the name that its writer gives it. */
export type SealedBlock = Omit<BlockHeader, 'writer' | 'seq' | 'account_id'> & {
  readonly filter: Uint8Array;
  readonly data: Uint8Array;
};

/** The texts of rows that have any, by row. */
export interface RowTexts {
  readonly amounts: string[];
  readonly requests: string[];
}

/** All that a builder has of a block. */
interface Built {
  readonly rows: Rows;
  readonly length: number;
  readonly prefix: string;
  readonly names: Readonly<Record<'agents' | 'actions' | 'targets' | 'contexts', Names>>;
  readonly templates: Templates;
  readonly facts: FactColumn;
  readonly texts: RowTexts;
  readonly drops: readonly Drop[];
}

/** The block of these rows, in the order of (time, count). */
export function encodeRows(built: Built): SealedBlock {
  const { rows, length, drops } = built;
  const order = orderOf(rows, length);
  const ends = length === 0 ? [] : [order?.[0] ?? 0, order?.[length - 1] ?? length - 1];
  const times = [...ends.map((row) => rows.times[row] as number), ...drops.map(({ at_ms }) => at_ms)];
  let denied = 0;
  for (let row = 0; row < length; row += 1) if (rows.reasons[row] !== 0) denied += 1;
  return {
    from_ms: Math.min(...times),
    to_ms: Math.max(...times),
    records: length,
    denied,
    flags: flagsOf(built),
    filter: filterOf(built),
    data: joinColumns(columnsOf(built, order)),
  };
}

function flagsOf({ names, drops }: Built): number {
  let flags = drops.length > 0 ? BLOCK_FLAGS.drops : 0;
  for (const text of names.contexts.texts) {
    const { environment, dry_run } = readContext(text);
    flags |= BLOCK_FLAGS[environment] | (dry_run ? BLOCK_FLAGS.dryRuns : 0);
  }
  return flags;
}

function filterOf({ names, templates }: Built): Uint8Array {
  const codes = new Set(templates.codes.flat());
  return buildFilter([
    ...names.agents.texts.map((name) => filterHashes('agent', name)),
    ...[...codes].map((code) => filterHashes('reason', code)),
  ]);
}

function columnsOf(built: Built, order: Uint16Array | undefined): Map<number, Uint8Array> {
  const { rows, length, prefix, names, templates, texts, drops } = built;
  const rowAt = (place: number): number => (order === undefined ? place : (order[place] as number));
  const inOrder = <Column extends Uint8Array | Uint16Array>(column: Column): Column => {
    const ordered = column.slice(0, length) as Column;
    for (let place = 0; place < length && order !== undefined; place += 1) {
      ordered[place] = column[order[place] as number] as number;
    }
    return ordered;
  };
  const columns = new Map<number, Uint8Array>();
  const add = (column: number, write: (writer: ByteWriter) => void): void => {
    const writer = createByteWriter();
    write(writer);
    columns.set(column, writer.take());
  };
  const addNames = (column: number, numbers: Uint16Array, texts: readonly string[]): void =>
    add(column, (writer) => writeNames(writer, { numbers: inOrder(numbers), texts }));
  const base = length === 0 ? 0 : (rows.times[rowAt(0)] as number);
  add(COLUMN.head, (writer) => {
    writer.varint(length);
    writer.varint(base);
    writer.text(prefix);
  });
  add(COLUMN.times, (writer) =>
    writeRuns(writer, length, (place) => (rows.times[rowAt(place)] as number) - base),
  );
  add(COLUMN.counts, (writer) => writeRuns(writer, length, (place) => rows.counts[rowAt(place)] as number));
  columns.set(COLUMN.latencies, inOrder(rows.buckets));
  addNames(COLUMN.agents, rows.agents, names.agents.texts);
  addNames(COLUMN.actions, rows.actions, names.actions.texts);
  addNames(COLUMN.targets, rows.targets, ['', ...names.targets.texts]);
  addNames(COLUMN.contexts, rows.contexts, names.contexts.texts);
  addNames(COLUMN.reasons, rows.reasons, templates.texts);
  add(COLUMN.facts, (writer) => built.facts.write(writer, factPlaces(built, rowAt)));
  add(COLUMN.versions, (writer) =>
    writeVersions(writer, length, (place) => rows.versions[rowAt(place)] as number),
  );
  add(COLUMN.amounts, (writer) => {
    for (let place = 0; place < length; place += 1) {
      const amount = rows.amounts[rowAt(place)] as number;
      writer.varint(amount);
      if (amount === TEXT_AMOUNT) writer.text(texts.amounts[rowAt(place)] as string);
    }
  });
  if (texts.requests.length > 0) {
    add(COLUMN.requests, (writer) => writeRequests(writer, length, (place) => texts.requests[rowAt(place)]));
  }
  if (drops.length > 0) columns.set(COLUMN.drops, writeDrops(drops));
  return columns;
}

function* factPlaces({ rows, length }: Built, rowAt: (place: number) => number): Generator<[number, number]> {
  for (let place = 0; place < length; place += 1) {
    const row = rowAt(place);
    if (rows.reasons[row] !== 0) yield [rows.factsFrom[row] as number, rows.factsTo[row] as number];
  }
}

/** One number where all are the same, otherwise the number of each row. */
function writeVersions(writer: ByteWriter, length: number, versionAt: (place: number) => number): void {
  const first = length === 0 ? 0 : versionAt(0);
  let isSame = true;
  for (let place = 1; place < length && isSame; place += 1) isSame = versionAt(place) === first;
  writer.byte(isSame ? 0 : 1);
  if (isSame) writer.varint(first);
  else for (let place = 0; place < length; place += 1) writer.varint(versionAt(place));
}

/** A byte for each row, and the text where there is one. */
function writeRequests(
  writer: ByteWriter,
  length: number,
  requestAt: (place: number) => string | undefined,
): void {
  for (let place = 0; place < length; place += 1) {
    const request = requestAt(place);
    writer.byte(request === undefined ? 0 : 1);
    if (request !== undefined) writer.text(request);
  }
}
