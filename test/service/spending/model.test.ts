/** Random histories of spends against a plain list of them: own windows, own sums, in whole cents as BigInt. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { BudgetWindow } from '../../../src/records.ts';
import { openLocalService } from '../../support/service.ts';

const RUNS = process.env['NIGHTLY'] === undefined ? 60 : 5_000;
const HOUR = 3_600_000;

interface ModelBudget {
  readonly name: string;
  readonly window: BudgetWindow;
  /** In cents, or in intents. */
  readonly max: bigint;
  readonly counts: boolean;
}

const BUDGETS: readonly ModelBudget[] = [
  { name: 'hour', window: 'hour', max: 4n, counts: true },
  { name: 'day', window: 'day', max: 10_000n, counts: false },
  { name: 'week', window: 'week', max: 9n, counts: true },
  { name: 'month', window: 'month', max: 30_000n, counts: false },
  { name: 'year', window: 'year', max: 30n, counts: true },
  { name: 'lifetime', window: 'lifetime', max: 90_000n, counts: false },
];

/** A spend as the list has it. */
interface Entry {
  readonly id: string;
  /** The window that it was taken from, by budget. */
  readonly windows: readonly string[];
  /** What has not gone back. */
  left: bigint;
  status: 'held' | 'committed' | 'gone' | 'lapsed';
  readonly heldUntil: number;
}

type Step =
  | { readonly kind: 'pay'; readonly cents: number; readonly holdSeconds: number }
  | { readonly kind: 'settle'; readonly which: number; readonly commits: boolean; readonly share: number }
  | { readonly kind: 'wait'; readonly ms: number };

const pays = fc.record({
  kind: fc.constant('pay' as const),
  cents: fc.integer({ min: 0, max: 4_000 }),
  holdSeconds: fc.constantFrom(0, 0, 60, 7_200, 604_800),
});
const settles = fc.record({
  kind: fc.constant('settle' as const),
  which: fc.nat(50),
  commits: fc.boolean(),
  share: fc.integer({ min: 1, max: 100 }),
});
const waits = fc.record({
  kind: fc.constant('wait' as const),
  ms: fc.oneof(fc.nat(2 * HOUR), fc.nat(40 * 24 * HOUR), fc.constantFrom(HOUR, 24 * HOUR)),
});
const steps = fc.array(fc.oneof({ arbitrary: pays, weight: 6 }, settles, waits) as fc.Arbitrary<Step>, {
  minLength: 5,
  maxLength: 60,
});
/** New Year in a leap year and around it, where ISO weeks and years part. */
const starts = fc.constantFrom(
  '2026-11-20T12:00:00Z',
  '2027-12-31T23:30:00Z',
  '2028-02-28T22:00:00Z',
  '2026-12-27T23:59:59Z',
);

/** The name of the window of an instant: another way than that of the product. */
function windowOf(window: BudgetWindow, at: number): string {
  const text = new Date(at).toISOString();
  if (window === 'week') return `${Math.floor((at / (24 * HOUR) + 3) / 7)}`;
  const lengths = { hour: 13, day: 10, month: 7, year: 4, lifetime: 0 };
  return text.slice(0, lengths[window]);
}

const amountOf = (cents: bigint): string => `${cents / 100n}.${`${cents % 100n}`.padStart(2, '0')}`;
const unitsOf = (value: string | number): bigint => BigInt(Math.round(Number(value) * 100));

async function play(start: string, history: readonly Step[]): Promise<void> {
  const { service, clock } = openLocalService({ storage: memoryStorage() });
  clock.advance(Date.parse(start) - clock.now());
  const { agent_id } = await service.passports.create({
    domain: 'shop.example',
    agent_name: 'shopper',
    allowed_actions: ['pay'],
    monetary_actions: ['pay'],
    monetary_limit_per_txn: 1_000,
    currency: 'EUR',
    budgets: BUDGETS.map(({ name, window, max, counts }) =>
      counts ? { name, window, count: Number(max) } : { name, window, limit: amountOf(max) },
    ),
  });
  const entries: Entry[] = [];

  function lapse(): void {
    for (const entry of entries) {
      if (entry.status !== 'held' || entry.heldUntil > clock.now()) continue;
      entry.status = 'lapsed';
      entry.left = 0n;
    }
  }

  /** What is spent and held of a budget in its present window. */
  function used(index: number): readonly [spent: bigint, held: bigint] {
    const { window, counts } = BUDGETS[index] as ModelBudget;
    const sums: [bigint, bigint] = [0n, 0n];
    for (const { windows, left, status } of entries) {
      if (windows[index] !== windowOf(window, clock.now())) continue;
      if (status === 'gone' || status === 'lapsed') continue;
      sums[status === 'held' ? 1 : 0] += counts ? 1n : left;
    }
    return sums;
  }

  async function pay({ cents, holdSeconds }: Extract<Step, { kind: 'pay' }>): Promise<void> {
    const by = BigInt(cents);
    const full = BUDGETS.filter(({ max, counts }, index) => {
      const [spent, held] = used(index);
      return (counts ? 1n : by) > 0n && spent + held + (counts ? 1n : by) > max;
    });
    const { verdict, reasons, decision_id } = await service.verify({
      agent_id,
      action: 'pay',
      parameters: { amount: amountOf(by), currency: 'EUR' },
      ...(holdSeconds > 0 && { hold_seconds: holdSeconds }),
    });
    expect(reasons.map(({ budget }) => budget)).toEqual(full.map(({ name }) => name));
    if (verdict !== 'ALLOW') return;
    entries.push({
      id: decision_id,
      windows: BUDGETS.map(({ window }) => windowOf(window, clock.now())),
      left: by,
      status: holdSeconds > 0 ? 'held' : 'committed',
      heldUntil: clock.now() + holdSeconds * 1_000,
    });
  }

  async function settle({ which, commits, share }: Extract<Step, { kind: 'settle' }>): Promise<void> {
    const entry = entries[which % Math.max(1, entries.length)];
    if (entry === undefined || entry.left === 0n) return;
    const part = (entry.left * BigInt(share)) / 100n || 1n;
    if (commits) {
      if (entry.status !== 'held') return;
      await service.spends.commit(entry.id, { amount: amountOf(part) });
      entry.left = part;
      entry.status = 'committed';
      return;
    }
    await service.spends.release(entry.id, { amount: amountOf(part) });
    entry.left -= part;
    if (entry.left === 0n) entry.status = 'gone';
  }

  for (const step of history) {
    if (step.kind === 'wait') clock.advance(step.ms);
    lapse();
    if (step.kind === 'pay') await pay(step);
    if (step.kind === 'settle') await settle(step);
    const { data } = await service.passports.budgets(agent_id);
    const found = data.map(({ spent, held, count }) =>
      count === null ? [unitsOf(spent), unitsOf(held)] : [BigInt(spent), BigInt(held)],
    );
    expect(found).toEqual(BUDGETS.map((_, index) => used(index)));
  }
  await service.close();
}

test('every history spends, holds, lapses and gives back as a plain list does', async () => {
  await fc.assert(
    fc.asyncProperty(starts, steps, (start, history) => play(start, history)),
    { numRuns: RUNS, seed: 20261123 },
  );
}, 600_000);
