import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createBlockBuilder,
  isBlockError,
  MAX_RECORDS,
  mergedRecords,
  openBlock,
  packRecords,
  type SealedBlock,
  type TimedRecord,
} from '../../src/journal-format/index.ts';
import { BLOCK_FLAGS, MAX_BLOCK_SPAN_MS } from '../../src/ports/journal.ts';
import { inOrder, NOON, recordOf, timedRecords } from './records.ts';

const HOUR = MAX_BLOCK_SPAN_MS;

function sealed(records: readonly TimedRecord[]): SealedBlock {
  const builder = createBlockBuilder();
  for (const { record, bucket } of records) expect(builder.push(record, bucket)).toBe(true);
  return builder.seal();
}

function read(block: SealedBlock): TimedRecord[] {
  const view = openBlock(block.data, block.erasable);
  return Array.from({ length: view.length }, (_, place) => ({
    record: view.record(place),
    bucket: view.latencies[place] as number,
  }));
}

test('a block gives back its records, by time and then by id', () => {
  fc.assert(
    fc.property(timedRecords(HOUR), (records) => {
      const block = sealed(records);
      expect(read(block)).toEqual(inOrder(records));
    }),
    { examples: [[[]]] },
  );
});

test('the header says what is in the block', () => {
  fc.assert(
    fc.property(timedRecords(HOUR), (records) => {
      fc.pre(records.length > 0);
      const block = sealed(records);
      const times = records.map(({ record }) => Date.parse(record.evaluated_at));
      const has = (fits: (record: TimedRecord['record']) => boolean, flag: number) =>
        records.some(({ record }) => fits(record)) ? flag : 0;
      const hasSubject = records.some(({ record }) => record.subject !== null);
      expect(block.erasable !== undefined).toBe(hasSubject);
      expect({ ...block, data: null, filter: null, erasable: null }).toEqual({
        from_ms: Math.min(...times),
        to_ms: Math.max(...times),
        records: records.length,
        denied: records.filter(({ record }) => record.verdict === 'DENY').length,
        flags:
          has(({ environment }) => environment === 'live', BLOCK_FLAGS.live) |
          has(({ environment }) => environment === 'test', BLOCK_FLAGS.test) |
          has(({ dry_run }) => dry_run, BLOCK_FLAGS.dryRuns),
        erased: 0,
        data: null,
        filter: null,
        erasable: null,
      });
    }),
  );
});

test('a block holds a limited number of records, texts and time, and a builder begins anew with each', () => {
  const builder = createBlockBuilder();
  for (let count = 0; count < MAX_RECORDS; count += 1) expect(builder.push(recordOf(count), 0)).toBe(true);
  expect(builder.push(recordOf(MAX_RECORDS), 0)).toBe(false);
  expect(builder.length()).toBe(MAX_RECORDS);
  expect(builder.seal().records).toBe(MAX_RECORDS);
  expect(builder.length()).toBe(0);

  const at = (ms: number) => ({ evaluated_at: new Date(NOON + ms).toISOString() });
  expect(builder.push(recordOf(1, at(HOUR)), 0)).toBe(true);
  expect(builder.push(recordOf(2, at(0)), 0)).toBe(true);
  expect(builder.push(recordOf(3, at(HOUR + 1)), 0)).toBe(false);
  expect(builder.push(recordOf(3, at(-1)), 0)).toBe(false);
  expect(read(builder.seal()).map(({ record }) => record.evaluated_at)).toEqual([
    at(0).evaluated_at,
    at(HOUR).evaluated_at,
  ]);

  let added = 0;
  while (builder.push(recordOf(added, { action: `${added}`.padEnd(1_000, 'x') }), 0)) added += 1;
  expect(added).toBeLessThan(1_010);
  expect(builder.seal().data.length).toBeLessThan(1_100_000);
});

test('records of another maker of ids belong into another block, and an id without a count into none', () => {
  const builder = createBlockBuilder();
  expect(builder.push(recordOf(1), 0)).toBe(true);
  const other = { ...recordOf(1), decision_id: `dec_${'z'.repeat(18)}00000001` };
  expect(builder.push(other, 0)).toBe(false);
  expect(
    packRecords([
      { record: recordOf(1), bucket: 0 },
      { record: other, bucket: 0 },
    ]),
  ).toHaveLength(2);
  builder.seal();
  expect(() => builder.push({ ...other, decision_id: 'dec_0000-000' }, 0)).toThrow(RangeError);
});

test('blocks that are packed together hold the records of them all', () => {
  fc.assert(
    fc.property(timedRecords(HOUR, 40), fc.array(fc.nat(40), { maxLength: 4 }), (records, cuts) => {
      const ends = [...cuts.sort((a, b) => a - b), records.length];
      const parts = ends.map((end, index) => records.slice(ends[index - 1] ?? 0, end));
      const views = parts.map((part) => {
        const { data, erasable } = sealed(part);
        return openBlock(data, erasable);
      });
      expect([...mergedRecords(views)]).toEqual(inOrder(records));
      expect(packRecords(mergedRecords(views)).flatMap(read)).toEqual(inOrder(records));
    }),
  );
});

test('a block may tell of drops alone', () => {
  const drops = [
    { at_ms: NOON, environment: 'live', count: 3 },
    { at_ms: NOON + 60_000, environment: 'test', count: 2 ** 40 },
  ] as const;
  const block = createBlockBuilder().seal(drops);
  expect(block).toMatchObject({ records: 0, denied: 0, flags: BLOCK_FLAGS.drops });
  expect([block.from_ms, block.to_ms]).toEqual([NOON, NOON + 60_000]);
  const view = openBlock(block.data, block.erasable);
  expect([view.length, view.drops]).toEqual([0, drops]);
  expect(packRecords([], drops)).toEqual([block]);
  expect(packRecords([])).toEqual([]);
});

test('what is kept of a record is its own: changes afterwards change nothing', () => {
  const reasons = [{ code: 'a', message: 'One.', x: 'y' }];
  const record = { ...recordOf(1, { reasons }), agent_id: 'a' };
  const builder = createBlockBuilder();
  builder.push(record, 1);
  record.agent_id = 'b';
  reasons[0] = { code: 'b', message: 'Two.', x: 'z' };
  const [stored] = read(builder.seal());
  expect(stored?.record).toMatchObject({ agent_id: 'a', reasons: [{ code: 'a', message: 'One.', x: 'y' }] });
  expect(Object.isFrozen(stored?.record.reasons)).toBe(true);
});

test('text that no database stores is replaced, and a request id is cut', () => {
  const changed = { agent_id: 'a\0b', action: '\ud800', request_id: 'r'.repeat(70) };
  const [stored] = read(sealed([{ record: recordOf(1, changed), bucket: 0 }]));
  expect(stored?.record).toMatchObject({ agent_id: 'a�b', action: '�', request_id: 'r'.repeat(64) });
});

test('a record of a writer that knows neither proofs nor traces has none', () => {
  const { proof_kid: _, trace_id: __, ...before } = recordOf(1);
  const [stored] = read(sealed([{ record: before as never, bucket: 0 }]));
  expect(stored?.record).toEqual(recordOf(1));
});

test('a block that was cut, changed or is something else is refused, whichever byte it is', () => {
  const { data } = sealed(Array.from({ length: 20 }, (_, count) => ({ record: recordOf(count), bucket: 3 })));
  const isRefused = (bytes: Uint8Array): boolean => {
    try {
      openBlock(bytes);
      return false;
    } catch (error) {
      return isBlockError(error);
    }
  };
  expect(isRefused(data)).toBe(false);
  for (let length = 0; length < data.length; length += 1) expect(isRefused(data.slice(0, length))).toBe(true);
  for (let at = 0; at < data.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const changed = data.slice();
      changed[at] = (changed[at] as number) ^ (1 << bit);
      expect(isRefused(changed)).toBe(true);
    }
  }
  expect(isRefused(new TextEncoder().encode('no block'))).toBe(true);
});

test('a block whose subjects are missing or damaged has none, and all else of it is read', () => {
  const records = ['a', 'b', null].map((subject, count) => ({
    record: recordOf(count, { subject }),
    bucket: 0,
  }));
  const { data, erasable } = sealed(records);
  const bytes = erasable ?? new Uint8Array();
  const flipped = Array.from(bytes, (byte, at) => bytes.with(at, byte ^ 1));
  const cut = Array.from(bytes, (_, length) => bytes.slice(0, length));
  for (const broken of [undefined, ...flipped, ...cut]) {
    const view = openBlock(data, broken);
    expect([view.subjects.isLost, view.length]).toEqual([true, 3]);
    for (const [place, { record }] of records.entries())
      expect(view.record(place)).toEqual({ ...record, subject: null });
  }
  expect(openBlock(data, bytes).subjects.isLost).toBe(false);
});

test('a subject costs at most 2 bytes a record, its text and 2 bytes once a block, and absent fields nothing', () => {
  const bytesOf = (subjectOf: (count: number) => string | null): number => {
    const records = Array.from({ length: 4_000 }, (_, count) =>
      recordOf(count, { subject: subjectOf(count) }),
    );
    const { data, erasable } = sealed(records.map((record) => ({ record, bucket: 0 })));
    return data.length + (erasable?.length ?? 0);
  };
  const without = bytesOf(() => null);
  const few = bytesOf((count) => `user-${10 + (count % 50)}`);
  expect(few - without).toBeLessThan(4_000 + 50 * 9 + 16);
  const many = bytesOf((count) => `user-${10_000 + count}`);
  expect(many - without).toBeLessThan(4_000 * (2 + 10 + 2) + 16);
});
