import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createToolGuard, type ToolGuard } from '../../src/guard/index.ts';
import { cases } from '../support/runs.ts';
import { openLocalService } from '../support/service.ts';

const AGENT = 'did:web:example.com:agents:shopper';

async function openGuards(): Promise<Readonly<Record<'plain' | 'minor', ToolGuard>>> {
  const { service } = openLocalService();
  await service.passports.create({
    ...{ domain: 'example.com', agent_name: 'shopper', monetary_limit_per_txn: '100.10' },
    ...{ allowed_actions: ['pay'], monetary_actions: ['pay'] },
  });
  const make = (decimals?: number) =>
    createToolGuard({
      verifier: service,
      agentId: AGENT,
      tools: { pay: { amount: '/amount', ...(decimals !== undefined && { decimals }) } },
    });
  return { plain: make(), minor: make(2) };
}

/** Millionths of a decimal as it is spelled, without a double. */
function millionths(amount: unknown): bigint {
  const [whole = '', fraction = ''] = String(amount).split('.');
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

const LIMIT = 100_100_000n;

test('guard.judge answers any JSON as arguments, and an ALLOW implies an amount within the limit', async () => {
  const { plain } = await openGuards();
  const amount = fc.oneof(
    fc.jsonValue(),
    fc.double({ min: 0, max: 200, noNaN: true }),
    fc.nat(200_000).map((cents) => `${Math.floor(cents / 1_000)}.${cents % 1_000}`),
    fc.constantFrom('100.10', '100.1', '100.100001', 100.1, '0100', '1e2', ' 1', 1e-7),
  );
  const args = fc.oneof(fc.jsonValue(), fc.record({ amount }), amount);
  let allowed = 0;
  await fc.assert(
    fc.asyncProperty(args, async (given) => {
      const verdict = await plain.judge({ name: 'pay', args: given });
      if (!verdict.allowed) return;
      allowed += 1;
      expect(millionths((given as { amount: unknown }).amount) <= LIMIT).toBe(true);
    }),
    { numRuns: cases() },
  );
  expect(allowed).toBeGreaterThan(0);
});

test('minor units are allowed exactly up to the limit, as numbers and as text', async () => {
  const { minor } = await openGuards();
  const cents = fc.oneof(fc.maxSafeNat(), fc.nat(20_020), fc.constantFrom(10_009, 10_010, 10_011));
  await fc.assert(
    fc.asyncProperty(cents, fc.boolean(), async (amount, isText) => {
      const ran = await minor
        .run({ name: 'pay', args: { amount: isText ? `${amount}` : amount } }, (given) => given)
        .catch(() => undefined);
      const expected =
        BigInt(amount) * 10_000n <= LIMIT ? { amount: isText ? `${amount}` : amount } : undefined;
      expect(ran).toEqual(expected);
    }),
    { numRuns: cases() },
  );
});

test('what runs is equal to what was given, for any JSON', async () => {
  const { plain } = await openGuards();
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (rest) => {
      const args = { amount: '1', rest };
      const ran = await plain.run({ name: 'pay', args }, (given) => given);
      expect(JSON.stringify(ran)).toBe(JSON.stringify(args));
    }),
    { numRuns: cases() },
  );
});
