import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAmount } from '../../../src/base/values/money.ts';
import type { PassportRecord } from '../../../src/ports/stored-records.ts';
import { passportChain } from '../../../src/service/replay/chains.ts';
import { allowsRow, plainPair } from '../../../src/service/replay/dictionary-entries.ts';
import { cases, seedOf } from '../../support/runs.ts';

const agent_id = 'did:web:shop.example:agents:shopper';
const created_at = '2026-01-01T00:00:00.000Z';

/** The chain of one passport with this limit. */
function chainWith(monetary_limit_per_txn: number | string) {
  const passport = { agent_id, id: agent_id, version: 1, allowed_actions: ['*'], monetary_limit_per_txn };
  const chain = passportChain({ ...passport, created_at, status: 'active' } as unknown as PassportRecord, []);
  const pair = plainPair(agent_id, chain, chain);
  if (pair === undefined) throw new Error('The passport is not plain.');
  return pair.now;
}

const decimal = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), fc.integer({ min: 0, max: 999_999 }))
  .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(6, '0')}`);
const limits = fc.oneof(
  fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100),
  fc.integer({ min: 0, max: 1e15 }),
  decimal,
  fc.constantFrom(0, 0.005, '0.019999', 1e13 - 0.01, 1e13, 1e15, '9999999999999.995'),
);

test('an amount in cents is judged as the amount that it is', () => {
  fc.assert(
    fc.property(
      limits,
      fc.nat(),
      fc.integer({ min: -3, max: 3 }),
      fc.nat(6),
      (limit, any, near, decimals) => {
        fc.pre(readAmount(limit) !== null);
        const of = chainWith(limit);
        const close = Math.round(Number(limit) * 100) + near;
        for (const cents of [any, close].filter((one) => one >= 0 && one < 1e15)) {
          const [inCents, asNumber] = [cents, -1].map((one) =>
            allowsRow(of, 0, 0, { cents: Float64Array.of(one), at: () => cents / 100 }, 0, decimals),
          );
          expect(inCents).toBe(asNumber);
        }
      },
    ),
    { seed: seedOf(35), numRuns: cases() },
  );
});
