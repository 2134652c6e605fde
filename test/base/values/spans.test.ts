import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitsFrom, partOf, SPAN_PARTS, spanEnd, spansAt } from '../../../src/base/values/spans.ts';

const seconds = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 2_592_000 }));
const instants = fc.integer({ min: 0, max: 4e12 });

test('two instants less than the time apart share a span', () => {
  fc.assert(
    fc.property(seconds, instants, fc.double({ min: 0, max: 1, noNaN: true }), (length, at, share) => {
      const later = at + Math.floor(share * length * 1_000);
      const shared = spansAt(length, at).filter((span) => spansAt(length, later).includes(span));
      expect(shared.length).toBeGreaterThan(0);
    }),
  );
});

test('an instant is in 13 spans, and in none that has ended', () => {
  fc.assert(
    fc.property(seconds, instants, (length, at) => {
      const spans = spansAt(length, at);
      expect(spans).toHaveLength(SPAN_PARTS);
      expect(spans.every((span) => span * partOf(length) <= at && at < spanEnd(length, span))).toBe(true);
      expect(spansAt(length, spanEnd(length, spans[0] ?? 0))).not.toContain(spans[0]);
    }),
  );
});

test('the instant from which it fits is the end of the last full span', () => {
  const spans = spansAt(60, 1_000_000);
  const counted = spans.map((_, index) => (index < 4 ? 5 : 2));
  expect(fitsFrom(60, spans, counted, { by: 1, max: 5 })).toBe(spanEnd(60, spans[3] ?? 0));
  expect(fitsFrom(60, spans, counted, { by: 4, max: 5 })).toBe(spanEnd(60, spans[12] ?? 0));
  expect(fitsFrom(60, spans, counted, { by: 6, max: 5 })).toBeUndefined();
});
