/** What follows from an AIP document allows nothing that the document does not allow, but for what is named. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { majorUnits, passportOfAip } from '../../src/aip/index.ts';
import type { Passport } from '../../src/records.ts';
import { decide } from '../../src/verdict/index.ts';
import { cases } from '../support/runs.ts';

const ACTIONS = ['pay', 'pay.now', 'orders.list', 'orders:read', 'x'];
const some = fc.uniqueArray(fc.constantFrom(...ACTIONS), { maxLength: 3 });
const money = fc.constantFrom(0, 1, 99.5, 100, 0.01);

const boundaries = fc.record(
  {
    allowed_actions: some,
    denied_actions: some,
    monetary_limit: fc.record(
      { per_transaction: money, per_day: money, currency: fc.constantFrom('USD', 'EUR', 'JPY') },
      { requiredKeys: [] },
    ),
    geo_restriction: fc.constantFrom(null, '', 'US'),
    time_window: fc.constantFrom(null, { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' }),
    data_access: fc.constantFrom([], ['crm']),
  },
  { requiredKeys: [] },
);

const asked = fc.record({
  action: fc.constantFrom(...ACTIONS, 'other', '*', 'pay.*'),
  amount: fc.constantFrom(undefined, 0.01, 1, 1.01, 99.5, 100, 101),
});

type Given = typeof boundaries extends fc.Arbitrary<infer Value> ? Value : never;

/** The rules of AIP-1, section 4, but for what was spent before. */
function aipAllows(
  given: Given,
  { action, amount = 0 }: { action: string; amount: number | undefined },
): boolean {
  const { allowed_actions: allowed = [], denied_actions: denied = [], monetary_limit: limit = {} } = given;
  const { per_transaction: most = 0 } = limit;
  return (
    (allowed.length === 0 || allowed.includes(action)) &&
    !denied.includes(action) &&
    (most === 0 || amount <= most)
  );
}

test('what our verdict allows AIP allows; every restriction that is dropped is named', () => {
  fc.assert(
    fc.property(boundaries, asked, (given, { action, amount }) => {
      const document = { identity: { id: 'did:web:acme.com:agents:buyer' }, boundaries: given };
      const isWhole = given.monetary_limit?.currency !== 'JPY' || isJpy(given);
      if (!isWhole) {
        expect(() => passportOfAip(document)).toThrow('at most 0 decimals');
        return;
      }
      const { input, losses } = passportOfAip(document);
      const { budgets, ...terms } = input;
      const { geo_restriction: geo, time_window: window, data_access: data, monetary_limit: limit } = given;
      const isAll = (given.allowed_actions ?? []).length === 0;
      const perDay = limit?.per_day ?? 0;
      expect(losses).toEqual([
        ...(isAll ? ['allow-all'] : []),
        ...((limit?.per_transaction ?? 0) === 0 ? ['no-limit'] : []),
        ...(geo ? ['geo_restriction'] : []),
        ...(window ? ['time_window'] : []),
        ...(data?.length ? ['data_access'] : []),
        ...(isAll && perDay > 0 ? ['per_day'] : []),
      ]);
      expect(budgets).toEqual(
        isAll || perDay === 0
          ? undefined
          : [{ window: 'day', limit: `${perDay}`, actions: given.allowed_actions }],
      );
      const agent_id = 'did:web:acme.com:agents:buyer';
      const passport = { ...terms, agent_id, status: 'active' } as unknown as Passport;
      const currency = input.currency ?? '';
      const parameters = amount === undefined ? {} : { amount, currency };
      const { verdict } = decide({ passport, intent: { agent_id, action, parameters }, at: 0 });
      if (verdict === 'ALLOW') expect(aipAllows(given, { action, amount })).toBe(true);
    }),
    { numRuns: cases() },
  );
});

function isJpy({ monetary_limit: { per_transaction = 0, per_day = 0 } = {} }: Given): boolean {
  return Number.isInteger(per_transaction) && Number.isInteger(per_day);
}

test.each([
  [1999, 'EUR', '19.99'],
  [5, 'EUR', '0.05'],
  [-5, 'EUR', '-0.05'],
  [0, 'EUR', '0.00'],
  [1999, 'JPY', '1999'],
  [1999, 'KWD', '1.999'],
  [1.5, 'EUR', undefined],
  [2 ** 53, 'EUR', undefined],
  [1, 'EURO', undefined],
])('%d of the smallest units of %s are %s', (minor, currency, major) => {
  expect(majorUnits(minor, currency)).toBe(major);
});
