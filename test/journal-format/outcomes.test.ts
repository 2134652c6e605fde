import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idSpeller } from '../../src/base/bytes/counted-ids.ts';
import { OUTCOMES } from '../../src/base/values/vocabulary.ts';
import {
  filterHashes,
  isBlockError,
  MAX_REPORTS,
  type OutcomeReport,
  openBlock,
  packOutcomes,
} from '../../src/journal-format/index.ts';
import { BLOCK_FLAGS } from '../../src/ports/journal.ts';
import { NOON, PREFIX } from './records.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const report: fc.Arbitrary<OutcomeReport> = fc.record({
  decision_id: fc
    .tuple(fc.constantFrom(PREFIX, `${PREFIX.slice(0, -1)}X`), fc.nat({ max: 1_000 }))
    .map(([prefix, count]) => idSpeller(prefix)(count)),
  evaluated_ms: fc.integer({ min: NOON - 2 * HOUR, max: NOON + 2 * HOUR }),
  agent_id: fc.constantFrom('did:web:a.example:agents:a', 'did:web:b.example:agents:b'),
  outcome: fc.constantFrom(...OUTCOMES),
  code: fc.constantFrom(null, 'timeout', 'refused'),
  reported_ms: fc.integer({ min: NOON - 3 * HOUR, max: NOON + 7 * DAY }),
  environment: fc.constantFrom('live', 'test'),
  key_id: fc.constantFrom(null, 'key_1', 'key_2'),
});

function readAll(data: Uint8Array): readonly OutcomeReport[] {
  const { outcomes } = openBlock(data);
  return Array.from({ length: outcomes.length }, (_, place) => outcomes.report(place));
}

function textOf(reports: readonly OutcomeReport[]): readonly string[] {
  return reports.map((one) => JSON.stringify(Object.entries(one).sort())).sort();
}

test('blocks give back all reports, each block those of one hour of verdicts, by time and then by id', () => {
  fc.assert(
    fc.property(fc.array(report, { maxLength: 60 }), (reports) => {
      const packed = packOutcomes(reports);
      expect(textOf(packed.flatMap(({ block }) => readAll(block.data)))).toEqual(textOf(reports));
      const hours = packed.map(({ block }) => Math.floor(block.from_ms / HOUR));
      expect(new Set(hours).size).toBe(hours.length);
      for (const { block } of packed) {
        const found = readAll(block.data);
        const keys = found.map(({ evaluated_ms, decision_id }) => `${evaluated_ms} ${decision_id}`);
        expect(keys).toEqual([...keys].sort());
        const { outcomes } = openBlock(block.data);
        expect(found.map((_, place) => outcomes.decisionId(place))).toEqual(
          found.map((one) => one.decision_id),
        );
        const { data: _, filter, ...header } = block;
        expect(header).toEqual({
          from_ms: found[0]?.evaluated_ms,
          to_ms: found.at(-1)?.evaluated_ms,
          records: 0,
          denied: 0,
          erased: 0,
          flags: BLOCK_FLAGS.outcomes,
        });
        for (const { agent_id, outcome } of found) {
          for (const bit of [...filterHashes('agent', agent_id), ...filterHashes('outcome', outcome)]) {
            const place = bit % (filter.length * 8);
            expect((filter[place >>> 3] as number) & (1 << (place & 7))).not.toBe(0);
          }
        }
      }
    }),
  );
});

test('readers of records see nothing in a block of outcomes', () => {
  const [packed] = packOutcomes([
    {
      ...{ decision_id: idSpeller(PREFIX)(1), evaluated_ms: NOON, agent_id: 'did:web:a.example:agents:a' },
      ...{ outcome: 'failed', code: null, reported_ms: NOON + 5, environment: 'live', key_id: 'key_1' },
    },
  ]);
  const view = openBlock(packed?.block.data ?? new Uint8Array());
  expect([view.length, view.drops.length, view.outcomes.length]).toEqual([0, 0, 1]);
});

test('a changed byte of a block of outcomes is a block error, never another report', () => {
  fc.assert(
    fc.property(fc.array(report, { minLength: 1, maxLength: 5 }), fc.nat(), (reports, at) => {
      const data = packOutcomes(reports)[0]?.block.data ?? new Uint8Array();
      const place = at % data.length;
      data[place] = (data[place] as number) ^ 1;
      expect(() => readAll(data)).toThrow(expect.toSatisfy(isBlockError));
    }),
  );
});

test('a block holds at most 8,192 reports, in less than 10 bytes each', () => {
  const many = Array.from({ length: MAX_REPORTS + 1 }, (_, count): OutcomeReport => {
    const ms = NOON + count * 20 + ((count * 7) % 13);
    return {
      ...{ decision_id: idSpeller(PREFIX)(count), evaluated_ms: ms, environment: 'live', key_id: 'key_1' },
      agent_id: `did:web:shop.example:agents:agent-${(count * 31) % 100}`,
      outcome: count % 50 === 0 ? 'failed' : 'succeeded',
      code: count % 50 === 0 ? 'timeout' : null,
      reported_ms: ms + ((count * 97) % 2_000),
    };
  });
  const packed = packOutcomes(many);
  expect(packed.map(({ reports }) => reports.length)).toEqual([MAX_REPORTS, 1]);
  const bytes = (packed[0]?.block.data.length ?? 0) + (packed[0]?.block.filter.length ?? 0);
  expect(bytes / MAX_REPORTS).toBeLessThan(10);
});
