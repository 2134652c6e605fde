/** Random histories of one agent: what it pays, holds and gives back, while the clock and its passport change. */
import fc from 'fast-check';

const HOUR_MS = 3_600_000;

/** One thing that happens. */
export type Step =
  | {
      readonly kind: 'pay';
      readonly cents: number;
      readonly holdSeconds: number;
      readonly way: 'once' | 'keyed' | 'dry';
    }
  | { readonly kind: 'settle'; readonly which: number; readonly commits: boolean; readonly share: number }
  | { readonly kind: 'wait'; readonly ms: number }
  /** Which budgets the passport has from now on, and how large they are. */
  | { readonly kind: 'change'; readonly chosen: number; readonly percent: number }
  | { readonly kind: 'status'; readonly to: 'active' | 'suspended' | 'revoked' };

const pays = fc.record({
  kind: fc.constant('pay' as const),
  cents: fc.integer({ min: 0, max: 4_000 }),
  holdSeconds: fc.constantFrom(0, 0, 60, 7_200, 604_800),
  way: fc.constantFrom('once', 'once', 'once', 'keyed', 'dry'),
});
const settles = fc.record({
  kind: fc.constant('settle' as const),
  which: fc.nat(50),
  commits: fc.boolean(),
  share: fc.integer({ min: 1, max: 100 }),
});
const waits = fc.record({
  kind: fc.constant('wait' as const),
  ms: fc.oneof(
    fc.nat(2 * HOUR_MS),
    fc.nat(40 * 24 * HOUR_MS),
    fc.constantFrom(HOUR_MS, 24 * HOUR_MS),
    // A clock that was set back.
    fc.integer({ min: -30 * HOUR_MS, max: -1 }),
  ),
});
const changes = fc.record({
  kind: fc.constant('change' as const),
  chosen: fc.nat(4_095),
  percent: fc.constantFrom(10, 50, 100, 100, 150),
});
const states = fc.record({
  kind: fc.constant('status' as const),
  to: fc.constantFrom('active', 'active', 'active', 'suspended', 'suspended', 'revoked'),
});

/** A history. */
export const histories: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { arbitrary: pays, weight: 12 },
    { arbitrary: settles, weight: 3 },
    { arbitrary: waits, weight: 3 },
    { arbitrary: changes, weight: 1 },
    { arbitrary: states, weight: 1 },
  ) as fc.Arbitrary<Step>,
  { minLength: 5, maxLength: 40 },
);

/** Instants around which ISO weeks, leap days and years part. */
export const starts: fc.Arbitrary<number> = fc
  .constantFrom(
    '2026-11-20T12:00:00Z',
    '2026-12-27T23:59:59Z',
    '2027-01-31T22:00:00Z',
    '2027-12-31T23:30:00Z',
    '2028-02-28T22:00:00Z',
    '2028-12-31T20:00:00Z',
    '2100-02-28T23:00:00Z',
  )
  .map((text) => Date.parse(text));
