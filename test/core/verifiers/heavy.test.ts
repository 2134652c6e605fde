/** Blocks that are small on the wire and large once they are read: each is refused after each text was parsed once. */
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { toBase64Url } from '../../../src/base/bytes/base64url.ts';
import type { KeyCaller } from '../../../src/core.ts';
import { type ByteWriter, createByteWriter } from '../../../src/journal-format/bytes.ts';
import { COLUMN, joinColumns, splitColumns } from '../../../src/journal-format/format.ts';
import { isBlockError, openBlock } from '../../../src/journal-format/index.ts';
import { seedOf } from '../../support/runs.ts';
import type { PlainService } from '../../support/service.ts';
import { callerOf, issue, open, packed, recordsOf, WRITER } from './stage.ts';

const BLOCKS = 500;
const SEED = seedOf(20261129);
const DENIED = { code: 'action_not_allowed', message: 'The action is not allowed.' };

type Column = (writer: ByteWriter) => void;

/** A dictionary of one text, which all rows have. */
const shared =
  (text: string): Column =>
  (writer) => {
    writer.varint(1);
    writer.text(text);
  };

/** A dictionary that says to have more texts than it has bytes. */
const boasting =
  (count: number): Column =>
  (writer) =>
    writer.varint(count);

/** One text of JSON, and a fact of each row that is its value. */
const sharedFact =
  (text: string, rows: number): Column =>
  (writer) => {
    shared(text)(writer);
    for (let row = 0; row < rows; row += 1) writer.varint(5);
  };

const template = (reasons: number, facts = 0): string =>
  JSON.stringify(
    Array.from({ length: reasons }, () => [
      DENIED.code,
      DENIED.message,
      ...Array.from({ length: facts }, (_, fact) => `f${fact}`),
    ]),
  );

/** Texts that are short to write and long to keep. */
const text = (size: number): fc.Arbitrary<string> =>
  fc.constantFrom(
    `[${'[],'.repeat(size)}[]]`,
    `${'['.repeat(size)}${']'.repeat(size)}`,
    `${' '.repeat(size)}[1]`,
    `[1${',1'.repeat(size)}]`,
    `{"a":${'{"a":'.repeat(size)}1${'}'.repeat(size)}}`,
    JSON.stringify('x'.repeat(size)),
    `${'0'.repeat(size)}`,
    template(Math.ceil(size / 40)),
    template(1, size),
  );

interface Change {
  readonly column: number;
  readonly write: Column;
}

/** A column that is made large, of a block of `rows` denials. */
function change(rows: number): fc.Arbitrary<Change> {
  const size = fc.integer({ min: 300, max: 2_000 }).chain(text);
  const count = fc.constantFrom(2 ** 16, 2 ** 25, 2 ** 31, 2 ** 32, 2 ** 40, 2 ** 53 - 1);
  const lists = [COLUMN.agents, COLUMN.actions, COLUMN.targets, COLUMN.contexts, COLUMN.reasons];
  const optional = [COLUMN.proofs, COLUMN.ancestors, COLUMN.permits, COLUMN.approvals, COLUMN.subjects];
  const dictionaries = fc.constantFrom(COLUMN.contexts, COLUMN.reasons, COLUMN.ancestors);
  return fc.oneof(
    fc.record({ column: dictionaries, write: size.map(shared) }),
    size.map((json) => ({ column: COLUMN.facts, write: sharedFact(json, rows) })),
    size.map((json) => ({ column: COLUMN.budgets, write: texts(json, rows) })),
    fc.record({
      column: fc.constantFrom(...lists, ...optional, COLUMN.facts, COLUMN.drops, COLUMN.outcomes),
      write: count.map(boasting),
    }),
    count.map((length) => ({ column: COLUMN.head, write: head(length) })),
    count.map((length) => ({ column: COLUMN.outcomes, write: reports(length) })),
  );
}

const texts =
  (json: string, rows: number): Column =>
  (writer) => {
    for (let row = 0; row < rows; row += 1) {
      writer.byte(1);
      writer.text(json);
    }
  };

const head =
  (length: number): Column =>
  (writer) => {
    writer.varint(length);
    writer.varint(0);
    writer.text('dec_');
  };

/** Reports that are all one run. */
const reports =
  (length: number): Column =>
  (writer) => {
    writer.varint(length);
    writer.varint(0);
    for (let run = 0; run < 2; run += 1) {
      writer.signed(0);
      writer.varint(length);
    }
  };

/** The bytes of the block with another column. */
function changed(data: Uint8Array, { column, write }: Change): Uint8Array {
  const parts = [...splitColumns(data)].filter(([number]) => number !== column);
  return joinColumns(createByteWriter(), [
    ...parts.map(([number, bytes]) => [number, (writer: ByteWriter) => writer.bytes(bytes)] as const),
    [column, write],
  ]);
}

interface Stage {
  readonly service: PlainService;
  readonly caller: KeyCaller;
  /** The bytes of a block of as many denials, each with a fact if it is asked for. */
  dataOf(rows: number, hasFact?: boolean): Uint8Array;
}

async function stage(): Promise<Stage> {
  const service = open(memoryStorage());
  const caller = await callerOf(service);
  const made = recordsOf(caller, await issue(service, 'a'));
  const dataOf = (rows: number, hasFact = false): Uint8Array => {
    const reasons = [hasFact ? { ...DENIED, own: 1 } : DENIED];
    return packed(Array.from({ length: rows }, (_, row) => made(row + 1, { reasons }))).data;
  };
  return { service, caller, dataOf };
}

/** The characters that were parsed since the last call. */
function watchParse(): () => number {
  const parse = vi.spyOn(JSON, 'parse');
  return () => {
    const characters = parse.mock.calls.reduce((sum, [json]) => sum + json.length, 0);
    parse.mockClear();
    return characters;
  };
}

afterEach(() => {
  vi.restoreAllMocks();
});

async function refusal(at: Stage, data: Uint8Array): Promise<string> {
  const input = { writer: WRITER, seq: 1_000_000, block: toBase64Url(data) };
  const error = await at.service.verifiers.file(input, at.caller).catch((problem: unknown) => problem);
  expect(error).toMatchObject({ code: 'invalid_request' });
  const { details } = error as { readonly details: { readonly errors: readonly { message: string }[] } };
  return details.errors[0]?.message ?? '';
}

test('refuses a fact of 230,000 lists that 600 rows share, and names the row', async () => {
  const at = await stage();
  const parsed = watchParse();
  const fact = sharedFact(`[${'[],'.repeat(229_999)}[]]`, 600);
  const data = changed(at.dataOf(600, true), { column: COLUMN.facts, write: fact });
  expect(await refusal(at, data)).toContain('Row 0 has a fact that is no short value.');
  expect(parsed()).toBeLessThan(data.length);
});

test('refuses 300 rows with 10,000 reasons, and names the row', async () => {
  const at = await stage();
  const parsed = watchParse();
  const data = changed(at.dataOf(300), { column: COLUMN.reasons, write: shared(template(10_000)) });
  expect(await refusal(at, data)).toContain('Row 0: The reasons are no list of at most 256.');
  expect(parsed()).toBeLessThanOrEqual(data.length);
});

test('refuses 8,192 rows with 690 kB of white space as ancestors, and names the row', async () => {
  const at = await stage();
  const parsed = watchParse();
  const spaces = shared(`${' '.repeat(690_000)}[1]`);
  const data = changed(at.dataOf(8_192), { column: COLUMN.ancestors, write: spaces });
  expect(await refusal(at, data)).toContain('Row 0: The versions of passports above');
  expect(parsed()).toBeLessThan(data.length);
});

test('gives way to other work while it checks a large block', async () => {
  const at = await stage();
  let turns = 0;
  let isOver = false;
  const tick = (): void => {
    turns += 1;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const spread = changed(at.dataOf(8_192), {
    column: COLUMN.holds,
    write: (writer) => zeros(writer, 70_000),
  });
  const before = turns;
  const input = { writer: WRITER, seq: 8_192, block: toBase64Url(spread) };
  expect(await at.service.verifiers.file(input, at.caller)).toMatchObject({ result: 'filed' });
  isOver = true;
  // A turn for each column, and one for each 512 records and reasons.
  expect(turns - before).toBeGreaterThanOrEqual(20 + 32);
});

function zeros(writer: ByteWriter, count: number): void {
  for (let at = 0; at < count; at += 1) writer.byte(0);
}

test(`refuses or reads ${BLOCKS} blocks with columns that are made large, seed ${SEED}`, async () => {
  const at = await stage();
  const parsed = watchParse();
  const cases = fc.integer({ min: 1, max: 60 }).chain((rows) => fc.tuple(fc.constant(rows), change(rows)));
  await fc.assert(
    fc.asyncProperty(cases, async ([rows, one]) => {
      const data = changed(at.dataOf(rows, one.column === COLUMN.facts), one);
      parsed();
      await refusal(at, data);
      // Each text is parsed once; those of budgets up to the first row that has any.
      expect(parsed()).toBeLessThanOrEqual(data.length);
      expect(readAlone(data)).toBeLessThanOrEqual(rows);
    }),
    { numRuns: BLOCKS, seed: SEED },
  );
  expect((await at.service.verifications.list()).data).toEqual([]);
});

/** Reads the block without a service; returns the number of its rows, 0 if it cannot be read. */
function readAlone(data: Uint8Array): number {
  try {
    const view = openBlock(data);
    for (let place = 0; place < view.length; place += 1) view.record(place);
    return view.outcomes.length + view.length;
  } catch (error) {
    if (!isBlockError(error)) throw error;
    return 0;
  }
}
