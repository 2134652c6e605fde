import { expect, test } from 'vitest';
import type { Budget, Passport } from '../../../src/records.ts';
import { compare, compareFields, differenceSentence } from '../../../src/verdict/compare/index.ts';
import { decide } from '../../../src/verdict/index.ts';

const AGENT = 'did:web:ops.example:agents:writer';
const DAY: Budget = { name: 'day', window: 'day', limit: 1_000, unit: 'tokens', actions: ['model.*'] };

function passportWith(budgets: readonly Budget[] | undefined): Passport {
  return {
    agent_id: AGENT,
    allowed_actions: ['model.call', 'model.embed', 'orders.read'],
    monetary_limit_per_txn: 0,
    status: 'active',
    version: 1,
    updated_at: '2026-11-20T12:00:00.000Z',
    ...(budgets && { budgets }),
  } as unknown as Passport;
}

const CREDITS: Budget = { ...DAY, unit: 'credits' };

test.each<[string, readonly Budget[], readonly Budget[] | undefined, string, readonly string[]]>([
  ['the same', [DAY], [DAY], 'equal', []],
  ['gone', [DAY], undefined, 'wider', ['usage_required', 'budget_exceeded']],
  ['higher', [DAY], [{ ...DAY, limit: 1_001 }], 'wider', ['budget_exceeded']],
  ['lower', [DAY], [{ ...DAY, limit: 999 }], 'narrower', ['budget_exceeded']],
  ['0', [DAY], [{ ...DAY, limit: 0 }], 'narrower', ['budget_exceeded']],
  ['for fewer actions', [DAY], [{ ...DAY, actions: ['model.call'] }], 'wider', []],
  ['for the actions that exist', [DAY], [{ ...DAY, actions: ['model.call', 'model.embed'] }], 'equal', []],
  ['in another unit', [DAY], [CREDITS], 'crossing', []],
  ['joined by another unit', [DAY], [DAY, { ...CREDITS, name: 'credits' }], 'narrower', []],
  ['of another name', [DAY], [{ ...DAY, name: 'other' }], 'crossing', ['budget_exceeded']],
])('a budget that is %s', (_, one, other, result, codes) => {
  const [before, after] = [passportWith(one), passportWith(other)];
  const compared = compare(before, after);
  expect(compared.result).toBe(result);
  expect(compareFields(before, after).result).toBe(result);
  const found = [...compared.wider, ...compared.narrower];
  if (codes.length > 0) expect([...new Set(found.map(({ code }) => code))]).toEqual(codes);
  for (const [list, allowing, denying] of [
    ['wider', after, before],
    ['narrower', before, after],
  ] as const) {
    for (const difference of compared[list]) {
      const { intent, at, allowed, denied } = difference;
      if (intent === null) throw new Error('There is no intent.');
      expect(decide({ passport: allowing, intent, at, ...allowed }).verdict).toBe('ALLOW');
      expect(decide({ passport: denying, intent, at, ...denied }).verdict).toBe('DENY');
      expect(differenceSentence(difference, list)).toContain('model.');
    }
  }
});

const MONEY: Budget = { name: 'day', window: 'day', limit: 100 };
const FREE: Budget = { ...MONEY, overrun: true };

test.each<[string, readonly Budget[], readonly Budget[], string]>([
  ['new', [MONEY], [FREE], 'wider'],
  ['gone', [FREE], [MONEY], 'narrower'],
  ['false instead of absent', [MONEY], [{ ...MONEY, overrun: false }], 'equal'],
  ['true of a unit instead of absent', [DAY], [{ ...DAY, overrun: true }], 'equal'],
  ['new with a lower limit', [MONEY], [{ ...FREE, limit: 99 }], 'crossing'],
  ['of a budget of another name', [MONEY], [{ ...FREE, name: 'other' }, MONEY], 'narrower'],
])('overrun that is %s', (name, one, other, result) => {
  const fields = { currency: 'EUR', monetary_actions: ['orders.read'], monetary_limit_per_txn: 50 };
  const [before, after] = [
    { ...passportWith(one), ...fields },
    { ...passportWith(other), ...fields },
  ];
  const compared = compare(before, after);
  expect(compared.result).toBe(result);
  expect(compareFields(before, after).result).toBe(result);
  const hidden = [...compared.wider, ...compared.narrower].filter(({ intent }) => intent === null);
  const isOfOverrun = /^new|^gone/.test(name);
  expect(hidden.map(({ code }) => code)).toEqual(isOfOverrun ? ['budget_exceeded'] : []);
  for (const one of hidden) expect(differenceSentence(one, 'wider')).toContain('above its hold');
});
