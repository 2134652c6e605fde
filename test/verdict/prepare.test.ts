import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Passport, prepare } from '../../src/verdict/index.ts';
import { prepareFrozen } from '../../src/verdict/prepare.ts';
import { ask, codes, PASSPORT } from '../support/question.ts';
import { cases } from '../support/runs.ts';

const OVER = { parameters: { amount: 101 } };

test('a prepared passport shows the passport it was made of', () => {
  expect(prepare(PASSPORT).passport).toBe(PASSPORT);
});

test('preparing twice changes nothing', () => {
  const prepared = prepare(PASSPORT);
  expect(prepare(prepared as unknown as Passport)).toBe(prepared);
});

test('prepares a frozen passport without a copy, and evaluates it like the same passport with a copy', () => {
  const frozen = Object.freeze(structuredClone(PASSPORT));
  const prepared = prepareFrozen(frozen);
  expect(prepared.passport).toBe(frozen);
  expect(codes({}, {}, { passport: prepared })).toEqual(['ALLOW']);
  expect(codes(OVER, {}, { passport: prepared })).toEqual(codes(OVER, {}, { passport: prepare(frozen) }));
});

test('later changes to the passport are not seen', () => {
  const passport = structuredClone(PASSPORT) as { status: string } & typeof PASSPORT;
  const prepared = prepare(passport);
  passport.status = 'revoked';
  expect(codes({}, {}, { passport: prepared })).toEqual(['ALLOW']);
});

describe('what merely looks prepared is not trusted', () => {
  const prepared = prepare(PASSPORT);
  const symbols = Object.getOwnPropertySymbols(prepared);
  const policy = { ...Object(Reflect.get(prepared, 'policy')), limit: 1_000 };
  const forgeries: Readonly<Record<string, object>> = {
    copy: { ...prepared, policy },
    heir: Object.create(prepared, { policy: { value: policy } }),
    clone: Object.fromEntries([...Object.entries(prepared), ['policy', policy]]),
    proxy: new Proxy(
      { ...prepared },
      { get: (target, name) => (name === 'policy' ? policy : Reflect.get(target, name)) },
    ),
    'proxy that throws when it is asked for more': new Proxy(
      { ...prepared, policy },
      {
        get: (target, name) => {
          if (typeof name === 'symbol') throw new Error('read');
          return Reflect.get(target, name);
        },
      },
    ),
    stamped: Object.fromEntries(symbols.map((symbol) => [symbol, true])),
  };

  test.each(Object.entries(forgeries))('%s', (_name, forgery) => {
    expect(ask({}, OVER, { passport: forgery as never }).verdict).toBe('DENY');
  });

  test('and what is prepared cannot be changed', () => {
    expect(() => Object.assign(prepared, { policy })).toThrow(TypeError);
  });
});

describe('a passport that cannot be read denies', () => {
  const broken: readonly object[] = [
    ...[undefined, null, true, '', 'Active', 'deleted', 'expired', 7, ['active']].map((status) => ({
      status,
    })),
    ...[
      undefined,
      null,
      'pay',
      {},
      [7],
      ['pay', null],
      ['pay *'],
      ['**'],
      ['.*'],
      ['a*'],
      [new String('pay:*')],
    ].map((entries) => ({
      allowed_actions: entries,
    })),
    ...[null, 'pay', [7], ['pay *']].flatMap((entries) => [
      { denied_actions: entries },
      { monetary_actions: entries },
    ]),
    ...[null, 'did:web:a.example', ['a.example'], ['did:web:*.example'], ['did:web:*'], [7]].map(
      (entries) => ({
        allowed_targets: entries,
      }),
    ),
    ...[undefined, null, -1, Number.NaN, '1e3', '01', 1e16, 0.0000001, [5], {}].map((limit) => ({
      monetary_limit_per_txn: limit,
    })),
    ...[null, '', 'eur', 'HRK', 978].map((currency) => ({ currency })),
    { currency: 'JPY', monetary_limit_per_txn: 0.5 },
    ...[null, '', 'tomorrow', '2026-02-30T00:00:00Z', '2026-01-01', 1_800_000_000_000].flatMap((instant) => [
      { expires_at: instant },
      { not_before: instant },
    ]),
    { suspended_until: 'tomorrow' },
    { revoked_at: 7 },
    { not_before: '2026-11-20T12:00:00Z', expires_at: '2026-11-20T12:00:00Z' },
    { not_before: '2026-11-20T13:00:00Z', expires_at: '2026-11-20T11:00:00Z' },
    Object.defineProperty({}, 'status', { get: () => 'broken', enumerable: true }),
  ];

  test.each(broken.map((change) => [JSON.stringify(change), change]))('%s', (_text, change) => {
    expect(ask(change as object).reasons).toEqual([
      { code: 'rule_failed', message: 'The rule failed.', rule: 'passport' },
    ]);
  });

  test('when a member throws', () => {
    const passport = Object.defineProperty({ ...PASSPORT }, 'status', {
      get: () => {
        throw new Error('read');
      },
    });
    expect(codes({}, {}, { passport })).toEqual(['rule_failed']);
  });

  test('when it hides a member: a hidden denial still counts', () => {
    const denied_actions = { value: ['*'], enumerable: false };
    const passport = Object.defineProperty({ ...PASSPORT }, 'denied_actions', denied_actions);
    expect(codes({}, {}, { passport })).toEqual(['rule_failed']);
  });

  test('when its members are inherited', () => {
    expect(codes({}, {}, { passport: Object.create(PASSPORT) })).toEqual(['agent_not_found']);
    const { status, ...rest } = PASSPORT;
    expect(codes({}, {}, { passport: Object.assign(Object.create({ status }), rest) })).toEqual([
      'rule_failed',
    ]);
  });

  test('and nothing makes preparing throw', () => {
    const anything = fc.anything({
      withBigInt: true,
      withNullPrototype: true,

      withMap: true,
    });
    fc.assert(
      fc.property(anything, fc.constantFrom(...Object.keys(PASSPORT)), (value, field) => {
        prepare(value as never);
        prepare({ ...PASSPORT, [field]: value } as never);
      }),
      { numRuns: cases() },
    );
  });
});

test('an empty list denies nothing and requires nothing', () => {
  expect(codes({ denied_actions: [], monetary_actions: [] })).toEqual(['ALLOW']);
});

test('a limit may be text', () => {
  expect(codes({ monetary_limit_per_txn: '100.5' }, { parameters: { amount: 100.5 } })).toEqual(['ALLOW']);
  expect(codes({ monetary_limit_per_txn: '100.5' }, OVER)).toEqual(['amount_over_limit']);
});

test('evaluates a long list of actions or targets like a short one', () => {
  const allowed_actions = Array.from({ length: 256 }, (_, index) => `pay.${index}`);
  const allowed_targets = Array.from({ length: 256 }, (_, index) => `did:web:shop-${index}.example`);
  const target = 'did:web:shop-255.example';
  const lists = { allowed_actions, allowed_targets };
  expect(codes(lists, { action: 'pay.255', target })).toEqual(['ALLOW']);
  expect(codes(lists, { action: 'pay.256', target: `${target}s` })).toEqual([
    'action_not_allowed',
    'target_not_allowed',
  ]);
});

test('evaluates a list as it was when the passport was prepared, frozen or not', () => {
  const open = ['pay'];
  const passports = [open, Object.freeze(['pay'])].map((allowed_actions) =>
    prepare({ ...PASSPORT, allowed_actions }),
  );
  open[0] = 'other';
  for (const passport of passports) expect(codes({}, {}, { passport })).toEqual(['ALLOW']);
});

test('of a revoked passport only the verdicts that it may well get often are kept', () => {
  const passport = prepare({ ...PASSPORT, status: 'revoked', denied_actions: ['deny'] });
  const intents = ['pay', 'deny', 'other'].flatMap((action) =>
    [undefined, '', 'did:web:a.example'].flatMap((target) =>
      [1, null].map((amount) => ({ action, target, parameters: { amount } })),
    ),
  );
  for (const intent of intents) expect(codes({}, intent, { passport })).toContain('agent_revoked');
  expect(Object.values(Reflect.get(passport, 'policy').times.verdicts)).toEqual([
    expect.objectContaining({ reasons: [expect.objectContaining({ code: 'agent_revoked' })] }),
  ]);
});
