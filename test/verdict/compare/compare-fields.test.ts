/** A change that widens behind another field is found; what no field widens stays narrow when a mask is removed. */
import { describe, expect, test } from 'vitest';
import type { Passport } from '../../../src/records.ts';
import { compare, compareFields } from '../../../src/verdict/compare/index.ts';
import { seedOf, sized } from '../../support/runs.ts';
import { changed, createDraw, passportOf } from './random-pairs.ts';

const BUYER = {
  ...{ agent_id: 'did:web:example.com:agents:buyer', status: 'active' },
  ...{
    allowed_actions: ['pay.*'],
    monetary_actions: ['pay.*'],
    monetary_limit_per_txn: 100,
    currency: 'EUR',
  },
  approval: { above: 50, count: 2 },
  budgets: [{ name: 'day', window: 'day', limit: 500 }],
} as unknown as Passport;

/** Fields that leave nothing or little allowed. */
const MASKS: readonly Partial<Passport>[] = [
  { denied_actions: ['*'] },
  { allowed_actions: [] },
  { allowed_targets: [] },
  { budgets: [...(BUYER.budgets ?? []), { name: 'mask', window: 'lifetime', limit: '0.01' }] },
  { not_before: '2098-01-01T00:00:00.000Z' },
];

/** What is widened behind them, with the code that says so. */
const WIDENED: readonly (readonly [code: string, Partial<Passport>])[] = [
  ['amount_over_limit', { monetary_limit_per_txn: 1_000 }],
  ['approval_required', { approval: { above: 5_000, count: 2 } }],
  ['approval_pending', { approval: { above: 50 } }],
  ['currency_mismatch', { currency: 'USD' }],
];

describe('a comparison of each field alone', () => {
  test.each(MASKS.flatMap((mask) => WIDENED.map(([code, wide]) => [mask, code, wide] as const)))(
    'behind %j names %s',
    (mask, code, wide) => {
      const { result, wider } = compareFields(BUYER, { ...BUYER, ...mask, ...wide });
      expect(['wider', 'crossing']).toContain(result);
      expect(wider.map((one) => one.code)).toContain(code);
    },
  );

  test('names a budget that is raised behind another one', () => {
    const mask = { name: 'mask', window: 'lifetime', limit: 0 } as const;
    const after = { ...BUYER, budgets: [{ name: 'day', window: 'day', limit: 90_000 }, mask] } as Passport;
    expect(compare(BUYER, after).result).toBe('narrower');
    expect(compareFields(BUYER, after)).toMatchObject({
      ...{ result: 'crossing', wider: [{ code: 'budget_exceeded', intent: null }] },
    });
  });

  test('finds no widening where a field is only narrowed', () => {
    for (const mask of MASKS) expect(compareFields(BUYER, { ...BUYER, ...mask }).wider).toEqual([]);
    const narrowed = { monetary_limit_per_txn: 10, allowed_actions: ['pay.one'], proof: 'intent' } as const;
    expect(compareFields(BUYER, { ...BUYER, ...narrowed }).result).toBe('narrower');
  });

  test('has all that the exact comparison has, and keeps what is narrower', () => {
    const draw = createDraw(seedOf(20261129));
    for (let pair = 0; pair < sized(2_000, 100); pair += 1) {
      const before = passportOf(draw);
      const after = changed(draw, before);
      const [exact, alone] = [compare(before, after), compareFields(before, after)];
      expect(alone.narrower).toEqual(exact.narrower);
      expect(alone.wider.slice(0, exact.wider.length)).toEqual(exact.wider);
    }
  });

  test('is kept when any fields are set back: what it does not call wider hides nothing', () => {
    const seed = seedOf(20261128);
    const draw = createDraw(seed);
    let narrow = 0;
    for (let pair = 0; pair < sized(20_000, 300, 3_000); pair += 1) {
      const before = passportOf(draw);
      let after = before;
      // Small steps, each of which widens nothing.
      for (let step = 0; step < 3; step += 1) {
        const next = changed(draw, after);
        if (compareFields(before, next).wider.length === 0) after = next;
      }
      if (after === before) continue;
      narrow += 1;
      const back = Object.fromEntries(Object.entries(before).filter(() => draw.chance(0.5)));
      const gone = Object.keys(after).filter((field) => !Object.hasOwn(before, field) && draw.chance(0.5));
      const mixed = { ...after, ...back } as Record<string, unknown>;
      for (const field of gone) delete mixed[field];
      const { wider } = compare(before, mixed as unknown as Passport);
      if (wider.length > 0) expect.fail(JSON.stringify({ seed, before, after, mixed, wider }, null, 1));
    }
    expect(narrow).toBeGreaterThan(50);
  });
});
