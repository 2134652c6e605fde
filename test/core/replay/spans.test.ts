import { expect, test } from 'vitest';
import { createSpans } from '../../../src/replay/counters.ts';
import { cases, seedOf } from '../../support/runs.ts';
import { type Random, randomOf } from './random.ts';

const SIZE = 2_000;
const SEED = seedOf(3);
const SEEDS = Array.from({ length: cases(1_000) }, (_, index) => SEED + index);

/** Parts of a counter, and the same as one mark for each unit. */
function randomSpans(random: Random, count: number) {
  const spans = createSpans();
  const marks = new Uint8Array(SIZE);
  for (let made = 0; made < count; made += 1) {
    const from = random.below(SIZE - 8);
    const to = from + 1 + random.below(7);
    spans.add(from, to);
    marks.fill(1, from, to);
  }
  return { spans, marks };
}

function sumOf(marks: Uint8Array): number {
  return marks.reduce((sum, mark) => sum + mark, 0);
}

test.each(SEEDS)('sums are those of single units while few parts are apart (seed %i)', (seed) => {
  const random = randomOf(seed);
  const { spans, marks } = randomSpans(random, random.below(200));
  const at = random.below(SIZE);
  const to = at + 1 + random.below(SIZE - at);
  const common = spans.common(at, to).reduce((sum, [from, end]) => sum + end - from, 0);
  expect([spans.above(at), spans.below(at), common, spans.meets(at, to)]).toEqual([
    sumOf(marks.subarray(at)),
    sumOf(marks.subarray(0, at)),
    sumOf(marks.subarray(at, to)),
    sumOf(marks.subarray(at, to)) > 0,
  ]);
});

test.each(SEEDS)('of many parts no sum is too high, and no part is missed (seed %i)', (seed) => {
  const random = randomOf(seed);
  const { spans, marks } = randomSpans(random, 300 + random.below(600));
  const at = random.below(SIZE);
  const to = at + 1 + random.below(SIZE - at);
  expect(spans.above(at)).toBeLessThanOrEqual(sumOf(marks.subarray(at)));
  expect(spans.below(at)).toBeLessThanOrEqual(sumOf(marks.subarray(0, at)));
  expect(spans.below(SIZE)).toBeGreaterThan(0);
  if (sumOf(marks.subarray(at, to)) > 0) expect(spans.meets(at, to)).toBe(true);
});
