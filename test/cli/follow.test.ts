import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FOLLOW_BACK_MS, followRecords } from '../../adapters/cli/export/follow.ts';
import type { ExportPiece, ExportRecord } from '../../adapters/cli/export/run-export.ts';
import type { ExportFilter } from '../../adapters/cli/export/source.ts';
import { csvPieces } from '../../adapters/cli/export/source.ts';
import { CSV_HEADER } from '../../src/core/insight/csv.ts';
import { IdentityError } from '../../src/errors.ts';
import type { VerdictRecord } from '../../src/records.ts';
import { csvLine } from '../support/csv.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');

/** Reads a list that may grow between two looks. */
function listSource(records: readonly ExportRecord[]) {
  return async function* read({ from = '' }: ExportFilter): AsyncIterable<ExportPiece> {
    const fitting = records.filter(({ at }) => at >= from).sort((a, b) => (a.at < b.at ? 1 : -1));
    yield { records: fitting.slice(0, 2) };
    yield { records: fitting.slice(2) };
  };
}

const recordAt = (id: number, ms: number): ExportRecord => ({
  id: `${id}`,
  at: new Date(ms).toISOString(),
  line: '',
});

test('each record comes once, also one that is stored later than others after it', async () => {
  const look = fc.array(fc.tuple(fc.integer({ min: 0, max: 4_000 }), fc.nat({ max: FOLLOW_BACK_MS })), {
    maxLength: 6,
  });
  const looks = fc.array(look, { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(looks, async (arrivals) => {
      const stored: ExportRecord[] = [];
      let present = NOW;
      let count = 0;
      /** What is stored between two looks is at most so late behind the latest record. */
      const arrive = (records: readonly (readonly [number, number])[]): void => {
        for (const [later, late] of records) {
          present += later;
          stored.push(recordAt(count, present), recordAt(count + 1, present - late));
          count += 2;
        }
      };
      const found: string[] = [];
      const stop = new AbortController();
      const left = [...arrivals];
      arrive(left.shift() ?? []);
      const read = listSource(stored);
      const counted = async function* (filter: ExportFilter) {
        yield* read(filter);
        const next = left.shift();
        if (next === undefined) stop.abort();
        else arrive(next);
      };
      const options = { pauseMs: 0, signal: stop.signal, onTrouble: () => {} };
      for await (const { records } of followRecords(counted, {}, options)) {
        found.push(...records.map(({ id }) => id));
      }
      expect(found.length).toBe(new Set(found).size);
      const missed = stored.filter(({ id }) => !found.includes(id));
      expect(left).toEqual([]);
      expect(missed).toEqual([]);
    }),
  );
});

test('a record of a clock that is a year ahead hides no later record', async () => {
  const now = Date.now();
  const stored = [recordAt(1, now), recordAt(2, now + 365 * 86_400_000)];
  const stop = new AbortController();
  const found: string[] = [];
  const options = { pauseMs: 0, signal: stop.signal, onTrouble: () => {} };
  for await (const { records } of followRecords(listSource(stored), {}, options)) {
    found.push(...records.map(({ id }) => id));
    if (stored.length === 2) stored.push(recordAt(3, now + 1_000));
    if (found.length === 3) stop.abort();
  }
  expect(found).toEqual(['2', '1', '3']);
});

test('an outage is reported once at its start and once at its end, and loses no record', async () => {
  const stored = [recordAt(1, NOW)];
  const read = listSource(stored);
  let looks = 0;
  const failing = (filter: ExportFilter): AsyncIterable<ExportPiece> => {
    looks += 1;
    if (looks === 2) stored.push(recordAt(2, NOW + 60_000));
    if (looks === 2 || looks === 3) throw new IdentityError('storage_unavailable', 'It is down.');
    return read(filter);
  };
  const stop = new AbortController();
  const found: string[] = [];
  const troubles: (string | undefined)[] = [];
  const onTrouble = (error: IdentityError | undefined) => troubles.push(error?.message);
  for await (const { records } of followRecords(
    failing,
    {},
    { pauseMs: 0, signal: stop.signal, onTrouble },
  )) {
    found.push(...records.map(({ id }) => id));
    if (found.length === 2) stop.abort();
  }
  expect(found).toEqual(['1', '2']);
  expect(troubles).toEqual(['It is down.', undefined]);
});

test('an error that no repetition helps ends it', async () => {
  const stored = [recordAt(1, NOW)];
  const read = listSource(stored);
  let looks = 0;
  const refused = (filter: ExportFilter): AsyncIterable<ExportPiece> => {
    looks += 1;
    if (looks > 1) throw new IdentityError('unauthenticated', 'The session is over.');
    return read(filter);
  };
  const { signal } = new AbortController();
  const followed = followRecords(refused, {}, { pauseMs: 0, signal, onTrouble: () => {} });
  const all = async () => {
    for await (const _ of followed);
  };
  await expect(all()).rejects.toMatchObject({ code: 'unauthenticated' });
});

const name = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', '=', 'ü'), maxLength: 8 });
const verdict: fc.Arbitrary<VerdictRecord> = fc.record({
  decision_id: fc.stringMatching(/^dec_[0-9]{1,5}$/),
  evaluated_at: fc.constant('2026-11-20T12:00:00.000Z'),
  verdict: fc.constant('ALLOW'),
  reasons: fc.constant([]),
  agent_id: name,
  action: name,
  target: name,
  amount: fc.constant(null),
  currency: fc.constant(null),
  passport_version: fc.constant(null),
  environment: fc.constant('live'),
  key_id: fc.constant(null),
  trace_id: fc.constant(null),
  proof_kid: fc.constant(null),
  ancestor_versions: fc.constant(null),
  subject: fc.constant(null),
  approval_id: fc.constant(null),
  hold_seconds: fc.constant(null),
  verifier: fc.constant(null),
  permit_audience: fc.constant(null),
  dry_run: fc.constant(false),
  budgets: fc.constant([]),
  request_id: fc.constant(null),
});

test('a CSV that comes in pieces is cut where its records end, wherever the pieces do', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(verdict), fc.array(fc.nat()), async (records, cuts) => {
      const lines = records.map(csvLine);
      const text = `${CSV_HEADER}${lines.join('')}`;
      const places = [0, ...cuts.map((cut) => cut % text.length).sort((a, b) => a - b), text.length];
      async function* pieces() {
        for (const [index, place] of places.entries()) yield text.slice(places[index - 1] ?? 0, place);
      }
      let head = '';
      const found: ExportRecord[] = [];
      for await (const piece of csvPieces(pieces())) {
        head += piece.head ?? '';
        found.push(...piece.records);
      }
      expect(head).toBe(CSV_HEADER);
      expect(found.map(({ line }) => line)).toEqual(lines);
      expect(found.map(({ id }) => id)).toEqual(records.map(({ decision_id }) => decision_id));
    }),
  );
});

test.each([
  ['nothing', ''],
  ['another header', 'name,age\r\nada,36\r\n'],
  ['a record without its end', `${CSV_HEADER}dec_1,2026`],
  ['a cell without its end', `${CSV_HEADER}dec_1,"\r\n`],
])('%s is no CSV of verdict records', async (_what, text) => {
  async function* pieces() {
    yield text;
  }
  const all = async () => {
    for await (const _ of csvPieces(pieces()));
  };
  await expect(all()).rejects.toMatchObject({ code: 'service_unreachable' });
});
