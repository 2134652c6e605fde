import { describe, expect, test } from 'vitest';
import { defaultRules, prepare } from '../../src/verdict/index.ts';
import { RULES } from '../../src/verdict/rules.ts';
import { AT, ask, codes, PASSPORT } from '../support/question.ts';

const ALLOW = ['ALLOW'];
const LATER = '2026-11-20T12:00:00.001Z';

function amount(value: unknown, currency?: unknown): object {
  return { parameters: currency === undefined ? { amount: value } : { amount: value, currency } };
}

test('there is one rule for each code but those that need none', () => {
  expect(defaultRules).toHaveLength(RULES.length);
  expect(Object.isFrozen(defaultRules)).toBe(true);
  expect(defaultRules.map(({ name }) => name)).toEqual(RULES.map(({ code }) => code));
});

describe('the state of the agent', () => {
  test('revoked says since when', () => {
    const revoked = { status: 'revoked', revoked_at: '2026-03-01T00:00:00.000Z' };
    expect(ask(revoked).reasons).toEqual([
      { code: 'agent_revoked', message: 'The agent is revoked.', since: '2026-03-01T00:00:00.000Z' },
    ]);
  });

  test('suspended without end says no end', () => {
    expect(ask({ status: 'suspended' }).reasons).toEqual([
      { code: 'agent_suspended', message: 'The agent is suspended.', until: null },
    ]);
  });

  test('a suspension lapses at its end, not a millisecond before', () => {
    expect(codes({ status: 'suspended', suspended_until: LATER })).toEqual(['agent_suspended']);
    expect(codes({ status: 'suspended', suspended_until: AT })).toEqual(ALLOW);
  });

  test('a passport expires at expires_at, not a millisecond before', () => {
    expect(codes({ expires_at: LATER })).toEqual(ALLOW);
    expect(ask({ expires_at: AT }).reasons).toMatchObject([{ code: 'agent_expired', since: AT }]);
  });

  test('a passport is valid from not_before on, not a millisecond before', () => {
    expect(codes({ not_before: AT })).toEqual(ALLOW);
    expect(ask({ not_before: LATER }).reasons).toMatchObject([{ code: 'agent_not_yet_valid', until: LATER }]);
  });

  test('one reason of each pair is given', () => {
    expect(codes({ status: 'revoked', expires_at: AT })).toEqual(['agent_revoked', 'agent_expired']);
    expect(codes({ status: 'suspended', not_before: LATER })).toEqual([
      'agent_suspended',
      'agent_not_yet_valid',
    ]);
  });

  test('evaluates a passport shown as expired by its expires_at', () => {
    expect(codes({ status: 'expired', expires_at: AT })).toEqual(['agent_expired']);
    expect(codes({ status: 'expired', expires_at: LATER })).toEqual(ALLOW);
    expect(codes({ status: 'expired' })).toEqual(['rule_failed']);
  });
});

describe('the action', () => {
  test('must be allowed', () => {
    expect(codes({ allowed_actions: [] })).toEqual(['action_not_allowed']);
    expect(codes({ allowed_actions: ['Pay'] })).toEqual(['action_not_allowed']);
  });

  test('may be allowed by a pattern that it continues', () => {
    expect(codes({}, { action: 'quotes:read' })).toEqual(ALLOW);
    expect(codes({}, { action: 'quotes:' })).toEqual(['action_not_allowed']);
    expect(codes({}, { action: 'quotes' })).toEqual(['action_not_allowed']);
  });

  test('is denied whatever is allowed', () => {
    expect(codes({ denied_actions: ['pay'] })).toEqual(['action_denied']);
    expect(codes({ denied_actions: ['*'], allowed_actions: [] })).toEqual([
      'action_denied',
      'action_not_allowed',
    ]);
  });

  test('that is malformed matches nothing, not even a star', () => {
    for (const action of ['', '*', 'pay ', 'p\u00e4y', 'a'.repeat(129), 7, null, ['pay'], { length: 3 }]) {
      expect(codes({ allowed_actions: ['*'], denied_actions: ['*'] }, { action })).toEqual([
        'action_not_allowed',
      ]);
    }
  });
});

describe('the target', () => {
  const shop = 'did:web:shop.example';

  test('may be any DID when the passport names none', () => {
    expect(codes({}, { target: 'did:key:z6Mk' })).toEqual(ALLOW);
  });

  test('that is no DID is one reason, and no other about the target', () => {
    for (const target of [
      null,
      '',
      'shop.example',
      'did:web:',
      'did:web:a:',
      'did:web:%4',
      'did:Web:a',
      7,
      [shop],
    ]) {
      expect(codes({ allowed_targets: [shop] }, { target })).toEqual(['target_invalid']);
    }
  });

  test('is required and must match when the passport names targets', () => {
    expect(codes({ allowed_targets: [shop] })).toEqual(['target_required']);
    expect(codes({ allowed_targets: [] }, { target: shop })).toEqual(['target_not_allowed']);
    expect(codes({ allowed_targets: [shop] }, { target: `${shop}:till` })).toEqual(['target_not_allowed']);
    expect(codes({ allowed_targets: [shop] }, { target: shop })).toEqual(ALLOW);
    expect(codes({ allowed_targets: ['did:web:*.a.example'] }, { target: 'did:web:b.a.example' })).toEqual(
      ALLOW,
    );
  });

  test.each([
    'did:web:*.a.example',
    '*.a.example',
    '.a.example',
    'web:b:b.a.example',
    'did:web:b.a.example/x',
    'did:web:b.a.example:x y',
    ' did:web:b.a.example',
    'did:WEB:b.a.example',
  ])('must be a DID also under a pattern: %s', (target) => {
    expect(codes({ allowed_targets: ['did:web:*.a.example'] }, { target })).toEqual(['target_invalid']);
  });
});

describe('the amount', () => {
  test('may be the limit and nothing above', () => {
    expect(codes({}, amount(100))).toEqual(ALLOW);
    expect(codes({}, amount('100.000'))).toEqual(ALLOW);
    expect(ask({}, amount(100.000001)).reasons).toEqual([
      {
        code: 'amount_over_limit',
        message: 'The amount is over the limit.',
        limit: '100',
        actual: '100.000001',
      },
    ]);
  });

  test('of 0 is all that a limit of 0 lets pass', () => {
    expect(codes({ monetary_limit_per_txn: 0 }, amount(0))).toEqual(ALLOW);
    expect(codes({ monetary_limit_per_txn: '0' }, amount('0.000001'))).toEqual(['amount_over_limit']);
  });

  test('that is invalid is a reason, and is not compared', () => {
    const none = [null, true, [1], {}, -0, -1, 1e-7, 1e21, 0.1 + 0.2, Number.NaN, Number.POSITIVE_INFINITY];
    for (const value of [...none, '', '-1', '01', '1.', '.5', '1e2', ' 1', '1000000000000001']) {
      expect(codes({}, amount(value))).toEqual(['amount_invalid']);
    }
  });

  test('that is undefined is absent', () => {
    expect(codes({}, amount(undefined))).toEqual(ALLOW);
    expect(codes({ monetary_actions: ['pay'] }, amount(undefined))).toEqual(['amount_required']);
  });

  test('is required of monetary actions alone', () => {
    expect(codes({ monetary_actions: ['pay'] })).toEqual(['amount_required']);
    expect(codes({ monetary_actions: ['pay'] }, amount(1))).toEqual(ALLOW);
    expect(codes({ monetary_actions: ['pay'] }, amount('one'))).toEqual(['amount_invalid']);
    expect(codes({ monetary_actions: ['*'] }, { action: 'quotes:read' })).toEqual(['amount_required']);
    expect(codes({ monetary_actions: ['other'] })).toEqual(ALLOW);
  });

  test('may have the decimals of the currency of the passport, else of the intent, else six', () => {
    expect(codes({ currency: 'JPY' }, amount(1.5, 'JPY'))).toEqual(['amount_invalid']);
    expect(codes({ currency: 'KWD' }, amount('1.555', 'KWD'))).toEqual(ALLOW);
    expect(codes({ currency: 'KWD' }, amount(1.5555, 'KWD'))).toEqual(['amount_invalid']);
    expect(codes({}, amount(1.5, 'JPY'))).toEqual(['amount_invalid']);
    expect(codes({}, amount('1.000', 'JPY'))).toEqual(ALLOW);
    expect(codes({}, amount(1.555555))).toEqual(ALLOW);
    expect(codes({ currency: 'USD' }, amount(1.5, 'JPY'))).toEqual(['currency_mismatch']);
    expect(codes({ currency: 'JPY' }, amount(1.5, 'USD'))).toEqual(['amount_invalid', 'currency_mismatch']);
  });

  test('is looked for in an object: anything else in its place is no amount', () => {
    for (const parameters of [null, [], [{ amount: 1 }], 'amount', 7, true]) {
      expect(codes({}, { parameters })).toEqual(['amount_invalid']);
    }
    expect(codes({}, { parameters: {} })).toEqual(ALLOW);
    expect(codes({}, { parameters: { constructor: 1, toString: null, hasOwnProperty: 'x' } })).toEqual(ALLOW);
    expect(codes({}, { parameters: Object.assign(Object.create(null), { amount: 101 }) })).toEqual([
      'amount_over_limit',
    ]);
  });
});

describe('the currency', () => {
  test('that is invalid is a reason, and no amount is compared', () => {
    for (const currency of ['', 'eur', 'EURO', 'HRK', null, 978, ['EUR']]) {
      expect(codes({}, amount(101, currency))).toEqual(['currency_invalid']);
      expect(codes({ currency: 'EUR' }, amount(101, currency))).toEqual(['currency_invalid']);
    }
  });

  test('must be the one of the passport', () => {
    expect(codes({ currency: 'EUR' }, amount(100, 'EUR'))).toEqual(ALLOW);
    expect(ask({ currency: 'EUR' }, amount(101, 'USD')).reasons).toEqual([
      {
        code: 'currency_mismatch',
        message: 'The currency is not allowed.',
        expected: 'EUR',
        actual: 'USD',
      },
    ]);
    expect(codes({ currency: 'EUR' }, { parameters: { currency: 'USD' } })).toEqual(['currency_mismatch']);
  });

  test('must come with an amount when the passport names one', () => {
    const without = { code: 'currency_mismatch', expected: 'EUR', actual: null };
    expect(ask({ currency: 'EUR' }, amount(101)).reasons).toMatchObject([without]);
    expect(codes({ currency: 'EUR' })).toEqual(ALLOW);
  });

  test('may be any when the passport names none', () => {
    expect(codes({}, amount(100, 'USD'))).toEqual(ALLOW);
    expect(codes({}, amount(101, 'USD'))).toEqual(['amount_over_limit']);
  });
});

test('every rule that denies gives its reason, in the order of the table', () => {
  const passport = {
    status: 'revoked',
    expires_at: AT,
    denied_actions: ['*'],
    allowed_actions: [],
    allowed_targets: [],
    currency: 'EUR',
  };
  const parameters = { amount: 'much', currency: 'USD' };
  expect(codes(passport, { target: 'did:web:a.example', parameters })).toEqual([
    'agent_revoked',
    'agent_expired',
    'action_denied',
    'action_not_allowed',
    'target_not_allowed',
    'amount_invalid',
    'currency_mismatch',
  ]);
});

test('a verdict that many may get is made once, for all of them', () => {
  const questions: readonly (readonly [object, object])[] = [
    [{}, {}],
    [{}, { action: 'other' }],
    [{ denied_actions: ['pay'] }, { target: '', parameters: { amount: null } }],
  ];
  for (const [passport, intent] of questions) {
    const verdict = ask(passport, intent);
    expect(Object.isFrozen(verdict)).toBe(true);
    expect(ask(passport, intent)).toBe(verdict);
  }
});

test('an agent that is not the one of the passport is not found, whatever else there is', () => {
  for (const agent_id of [`${PASSPORT.agent_id}s`, '', undefined, null, 7, [PASSPORT.agent_id]]) {
    expect(codes({ status: 'revoked' }, { agent_id, action: 'nope' })).toEqual(['agent_not_found']);
  }
});

test('what turns into a DID is no DID', () => {
  const target = { toString: () => 'did:web:a.example.com' };
  expect(codes({ allowed_targets: ['did:web:*.example.com'] }, { target })).toContain('target_invalid');
});

test('the verdict on a revoked agent is made once for its passport', () => {
  const passport = prepare({ ...PASSPORT, status: 'revoked' });
  const verdict = () => ask({}, {}, { passport });
  expect(verdict().reasons).toMatchObject([{ code: 'agent_revoked' }]);
  expect(verdict()).toBe(verdict());
});
