/** Blocks whose bytes are whole and whose columns lie: refused with nothing stored, or records as a verifier makes them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { toBase64Url } from '../../../src/base/bytes/base64url.ts';
import { idCount, idPrefix } from '../../../src/base/bytes/counted-ids.ts';
import { crc32 } from '../../../src/base/bytes/crc32.ts';
import type { KeyCaller } from '../../../src/core.ts';
import { createColumns } from '../../../src/journal-format/columns.ts';
import { encodeRows } from '../../../src/journal-format/encode.ts';
import { joinColumns, splitColumns } from '../../../src/journal-format/format.ts';
import { createByteWriter, MAX_RECORDS, packRecords } from '../../../src/journal-format/index.ts';
import type { Passport, VerdictRecord } from '../../../src/records.ts';
import { nightly, sized } from '../../support/runs.ts';
import type { PlainService } from '../../support/service.ts';
import { callerOf, issue, open, recordsOf, WRITER } from './stage.ts';

const RUNS = nightly(20_000, sized(1_000, 100));
const INVALID = { code: 'invalid_request' };

interface Stage {
  readonly service: PlainService;
  readonly caller: KeyCaller;
  readonly passport: Passport;
  made(count: number, changed?: Partial<VerdictRecord>): VerdictRecord;
}

async function stage(): Promise<Stage> {
  const service = open(memoryStorage());
  const caller = await callerOf(service);
  const passport = await issue(service, 'a');
  return { service, caller, passport, made: recordsOf(caller, passport) };
}

/** A block of all kinds of columns, by their numbers. */
function columnsOf({ made }: Stage, from = 0): readonly (readonly [number, Uint8Array])[] {
  const reasons = [{ code: 'action_not_allowed', message: 'The action is not allowed.' }];
  const records = [
    made(from + 1, { amount: 1.5, currency: 'EUR', target: 'did:web:till.example' }),
    made(from + 2, { reasons, trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', dry_run: true }),
    made(from + 3, { ancestor_versions: null, amount: '100000000000000.000001', currency: null }),
  ];
  const drops = [{ at_ms: Date.now(), environment: 'live', count: 2 }] as const;
  const [block] = packRecords(
    records.map((record) => ({ record, bucket: 1 })),
    drops,
  );
  return [...splitColumns(block?.data ?? new Uint8Array())];
}

/** The bytes of these columns, with a right checksum. */
function joined(columns: readonly (readonly [number, Uint8Array])[]): Uint8Array {
  const parts = columns.map(
    ([number, bytes]) =>
      [number, (writer: ReturnType<typeof createByteWriter>) => bytes.forEach(writer.byte)] as const,
  );
  return joinColumns(createByteWriter(), parts);
}

/** A way to lie: in a byte of a column, its length, its number, its place, or by an unknown column. */
const lie = fc.record({
  kind: fc.constantFrom('byte', 'byte', 'byte', 'cut', 'longer', 'number', 'twice', 'gone', 'unknown'),
  place: fc.nat(1_000),
  offset: fc.nat(1_000),
  value: fc.nat(255),
});

type Lie = typeof lie extends fc.Arbitrary<infer Told> ? Told : never;

function told(
  columns: readonly (readonly [number, Uint8Array])[],
  { kind, place, offset, value }: Lie,
): readonly (readonly [number, Uint8Array])[] {
  const at = place % columns.length;
  const [number, bytes] = columns[at] ?? expect.fail();
  const changed = (bytesOf: Uint8Array, numberOf = number) => columns.with(at, [numberOf, bytesOf]);
  switch (kind) {
    case 'byte':
      return bytes.length === 0 ? columns : changed(bytes.with(offset % bytes.length, value));
    case 'cut':
      return changed(bytes.slice(0, offset % (bytes.length + 1)));
    case 'longer':
      return changed(Uint8Array.from([...bytes, value]));
    case 'number':
      return changed(bytes, value % 64);
    case 'twice':
      return [...columns, [number, bytes]];
    case 'gone':
      return columns.toSpliced(at, 1);
    default:
      return [...columns, [40 + (value % 100), Uint8Array.of(value)]];
  }
}

test(`columns that lie under a right checksum, ${RUNS} blocks`, { timeout: 600_000 }, async () => {
  const at = await stage();
  let seq = 0;
  let filed = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(lie, { minLength: 1, maxLength: 3 }), async (lies) => {
      const block = toBase64Url(joined(lies.reduce(told, columnsOf(at, seq))));
      seq += 3;
      const answer = await at.service.verifiers
        .file({ writer: WRITER, seq, block }, at.caller)
        .catch((error: unknown) => error);
      if (answer instanceof Error) {
        expect(answer).toMatchObject(INVALID);
        refused += 1;
      } else filed += 1;
    }),
    { numRuns: RUNS },
  );
  expect(refused).toBeGreaterThan(RUNS / 3);
  let cursor: string | null = null;
  let found = 0;
  do {
    const page = await at.service.verifications.list({ limit: 100, ...(cursor !== null && { cursor }) });
    for (const record of page.data) {
      found += 1;
      expect(record).toMatchObject({
        ...{ key_id: at.caller.key_id, environment: 'live', request_id: null, proof_kid: null, budgets: [] },
        verifier: expect.stringMatching(/^[a-z0-9][a-z0-9._-]{0,62}$/),
      });
      expect(record.verdict === 'ALLOW').toBe(record.reasons.length === 0);
      if (record.passport_version !== null) expect(record.agent_id).toBe(at.passport.agent_id);
    }
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(found).toBeLessThanOrEqual(filed * MAX_RECORDS);
  // What the node writes by itself is stored as before, and so is the next block.
  await at.service.verify({ agent_id: at.passport.agent_id, action: 'orders.own' });
  const [block] = packRecords([{ record: at.made(seq + 1, { action: 'orders.last' }), bucket: 1 }]);
  const last = { writer: WRITER, seq: seq + 1, block: toBase64Url(block?.data ?? new Uint8Array()) };
  expect(await at.service.verifiers.file(last, at.caller)).toEqual({ seq: seq + 1, result: 'filed' });
  const { data } = await at.service.verifications.list({ limit: 100 });
  const actions = data.map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(['orders.own', 'orders.last']));
});

test('a block of a newer version is refused', async () => {
  const at = await stage();
  const data = joined(columnsOf(at)).with(0, 2);
  const end = data.length - 4;
  const crc = crc32(data, end);
  for (let byte = 0; byte < 4; byte += 1) data[end + byte] = crc >>> (8 * byte);
  const input = { writer: WRITER, seq: 1, block: toBase64Url(data) };
  await expect(at.service.verifiers.file(input, at.caller)).rejects.toMatchObject(INVALID);
  expect((await at.service.verifications.list()).data).toEqual([]);
});

test('8,192 records are filed, and one more is refused with nothing stored', async () => {
  const at = await stage();
  const blockOf = (length: number): Uint8Array => {
    const columns = createColumns();
    for (let row = 0; row < length; row += 1) {
      const record = at.made(row + 1);
      const { decision_id, evaluated_at } = record;
      const count = idCount(decision_id, idPrefix(decision_id).length);
      columns.add(row, record, Date.parse(evaluated_at), count, 1);
    }
    const prefix = idPrefix(at.made(0).decision_id);
    return encodeRows(
      { ...columns.columns(), length, prefix, drops: [], hasApprovals: true },
      createByteWriter(),
    ).data;
  };
  const file = (seq: number, length: number) =>
    at.service.verifiers.file({ writer: WRITER, seq, block: toBase64Url(blockOf(length)) }, at.caller);
  await expect(file(MAX_RECORDS + 1, MAX_RECORDS + 1)).rejects.toMatchObject(INVALID);
  expect((await at.service.verifications.list()).data).toEqual([]);
  expect(await file(MAX_RECORDS, MAX_RECORDS)).toEqual({ seq: MAX_RECORDS, result: 'filed' });
  expect((await at.service.analytics()).overview).toMatchObject({ allowed: MAX_RECORDS });
});
