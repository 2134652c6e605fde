/** Reads the columns of a block. Decodes each column once, when it is first read. */

import { type AmountColumn, readAmounts } from './amounts.ts';
import { readAncestors } from './ancestors.ts';
import { readApprovals, readHolds } from './approvals.ts';
import { type ByteReader, createByteReader, type Drop, readCounts, readDrops, readTimes } from './bytes.ts';
import { type AskContext, readContext } from './context.ts';
import { factReader } from './facts.ts';
import { COLUMN, isCarried, isKnown, MAX_RECORDS, orDamaged, splitColumns } from './format.ts';
import { type NameColumn, readNames, readValues } from './names.ts';
import { type OutcomeColumns, readOutcomes } from './outcome-columns.ts';
import { type Fact, type ReasonShape, readTemplate } from './reasons.ts';
import { readTraces } from './row-traces.ts';
import { readSubjects, type SubjectColumn } from './subjects.ts';

export interface ColumnReaders {
  readonly length: number;
  readonly prefix: string;
  readonly times: () => ArrayLike<number>;
  readonly counts: () => ArrayLike<number>;
  readonly latencies: () => ArrayLike<number>;
  readonly agents: () => NameColumn;
  readonly actions: () => NameColumn;
  readonly targets: () => NameColumn;
  readonly contexts: () => { readonly numbers: ArrayLike<number>; readonly values: readonly AskContext[] };
  readonly reasons: () => { readonly numbers: ArrayLike<number>; readonly shapes: readonly ReasonShape[] };
  readonly facts: () => readonly (readonly Fact[])[];
  readonly factPieces: () => Generator<undefined, void>;
  readonly versions: () => ArrayLike<number>;
  readonly amounts: () => AmountColumn;
  readonly requests: () => readonly (string | null)[];
  readonly proofs: () => readonly (string | null)[];
  readonly ancestors: () => readonly (string | null)[];
  readonly ancestorVersions: (place: number) => readonly number[] | null;
  /** The trace id of each record. Empty if no record of the block has one. */
  readonly traces: () => readonly (string | null)[];
  readonly budgets: () => readonly (string | null)[];
  readonly subjects: () => SubjectColumn;
  /** The approval that the intent named, for each record. Empty if no record of the block has one. */
  readonly approvals: () => readonly (string | null)[];
  readonly hasApprovals: boolean;
  /** The hold seconds of each record. Empty if no record of the block has a hold. */
  readonly holds: () => readonly (number | null)[];
  /** The permit audience of each record. Empty if no record of the block has one. */
  readonly permits: () => readonly (string | null)[];
  /** The name of the local verifier that decided, for each record. Empty if no record of the block has one. */
  readonly verifiers: () => readonly (string | null)[];
  readonly usages: () => readonly (string | null)[];
  readonly isCarried: boolean;
  readonly isKnown: boolean;
  readonly drops: () => readonly Drop[];
  readonly outcomes: () => OutcomeColumns;
}

export function createColumnReaders(data: Uint8Array, erasable?: Uint8Array): ColumnReaders {
  const columns = splitColumns(data);
  const open = (column: number): ByteReader => createByteReader(columns.get(column) ?? new Uint8Array());
  const { length, base, prefix } = orDamaged(() => {
    const head = open(COLUMN.head);
    const length = head.varint();
    if (length > MAX_RECORDS) throw new RangeError(`A block has at most ${MAX_RECORDS} records.`);
    return { length, base: head.varint(), prefix: head.text() };
  });
  const names = (column: number) => once(() => readNames(open(column), length));
  const reasons = once(() => {
    const names = readNames(open(COLUMN.reasons), length);
    return { numbers: names.numbers, shapes: readValues(names, readTemplate) };
  });
  const amounts = once(() => readAmounts(open(COLUMN.amounts), length));
  const facts = readFacts(() => {
    const { numbers, shapes } = reasons();
    const counts = repeat(length, (place) => shapes[numbers[place] as number]?.facts ?? 0);
    return factReader(open(COLUMN.facts), counts, (place) => amounts().at(place));
  });
  const ancestors = once(() => readAncestorColumn(columns.get(COLUMN.ancestors), length));
  return {
    length,
    prefix,
    times: once(() => readTimes(open(COLUMN.times), length, base)),
    counts: once(() => readCounts(open(COLUMN.counts), length)),
    latencies: once(() => open(COLUMN.latencies).bytes(length)),
    agents: names(COLUMN.agents),
    actions: names(COLUMN.actions),
    targets: names(COLUMN.targets),
    contexts: once(() => {
      const names = readNames(open(COLUMN.contexts), length);
      return { numbers: names.numbers, values: readValues(names, readContext) };
    }),
    reasons,
    facts: facts.facts,
    factPieces: facts.factPieces,
    versions: once(() => readVersions(open(COLUMN.versions), length)),
    amounts,
    requests: once(() => readTexts(columns.get(COLUMN.requests), length)),
    proofs: once(() => readRowNames(columns.get(COLUMN.proofs), length)),
    ancestors: once(() => ancestors().texts),
    ancestorVersions: (place) => ancestors().versionsAt(place),
    traces: once(() => readTraces(columns.get(COLUMN.traces), length)),
    budgets: once(() => readTexts(columns.get(COLUMN.budgets), length)),
    subjects: once(() => readSubjects(columns, erasable, length)),
    approvals: once(() => readApprovals(columns.get(COLUMN.approvals), length)),
    hasApprovals: columns.has(COLUMN.approvals),
    holds: once(() => readHolds(columns.get(COLUMN.holds), length)),
    permits: once(() => readRowNames(columns.get(COLUMN.permits), length)),
    verifiers: once(() => readRowNames(columns.get(COLUMN.verifiers), length)),
    usages: once(() => readTexts(columns.get(COLUMN.usages), length)),
    isCarried: isCarried(columns),
    isKnown: isKnown(columns),
    drops: once(() => readDrops(columns.get(COLUMN.drops))),
    outcomes: once(() => readOutcomes(columns.get(COLUMN.outcomes))),
  };
}

function once<Value>(read: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= orDamaged(read);
    return value;
  };
}

function readFacts(open: () => ReturnType<typeof factReader>): Pick<ColumnReaders, 'facts' | 'factPieces'> {
  let facts: readonly (readonly Fact[])[] | undefined;
  let reading: ReturnType<typeof factReader> | undefined;
  const step = (): boolean =>
    orDamaged(() => {
      const current = reading ?? open();
      // After an exception the facts are opened again, and are as damaged as before.
      reading = undefined;
      const { done, value } = current.next();
      if (done === true) facts = value;
      else reading = current;
      return facts === undefined;
    });
  return {
    facts() {
      while (facts === undefined) step();
      return facts;
    },
    *factPieces() {
      while (facts === undefined && step()) yield;
    },
  };
}

function readVersions(reader: ByteReader, length: number): ArrayLike<number> {
  if (reader.byte() === 0) return new Float64Array(length).fill(reader.varint());
  const versions = new Float64Array(length);
  for (let place = 0; place < length; place += 1) versions[place] = reader.varint();
  return versions;
}

function readTexts(column: Uint8Array | undefined, length: number): readonly (string | null)[] {
  if (column === undefined) return [];
  const reader = createByteReader(column);
  return repeat(length, () => (reader.byte() === 0 ? null : reader.text()));
}

interface AncestorColumn {
  readonly texts: readonly (string | null)[];
  readonly versionsAt: (place: number) => readonly number[] | null;
}

function readAncestorColumn(column: Uint8Array | undefined, length: number): AncestorColumn {
  if (column === undefined) return { texts: [], versionsAt: () => null };
  const names = readNames(createByteReader(column), length);
  const { numbers, texts } = names;
  const versions = readValues(names, (text) => readAncestors(text || null));
  return {
    texts: repeat(length, (place) => texts[numbers[place] as number] || null),
    versionsAt: (place) => versions[numbers[place] as number] ?? null,
  };
}

function readRowNames(column: Uint8Array | undefined, length: number): readonly (string | null)[] {
  if (column === undefined) return [];
  const { numbers, texts } = readNames(createByteReader(column), length);
  return repeat(length, (place) => texts[numbers[place] as number] || null);
}

/** Creates a list with `make` for each index. `Array.from` would take four times as long. */
function repeat<Value>(length: number, make: (place: number) => Value): Value[] {
  const values = new Array<Value>(length);
  for (let place = 0; place < length; place += 1) values[place] = make(place);
  return values;
}
