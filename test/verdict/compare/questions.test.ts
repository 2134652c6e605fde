/** The questions of a comparison: each shows its rule alone wherever it can. */
import { describe, expect, test } from 'vitest';
import { compare, type Difference } from '../../../src/verdict/compare/index.ts';
import { codes, compared, passport } from './expectations.ts';

const EUR = { currency: 'EUR', allowed_actions: ['pay.*'], monetary_actions: ['pay.*'] };
const [JANUARY, MID_FEBRUARY] = ['2026-01-01T00:00:00.000Z', '2026-02-15T00:00:00.000Z'];
const [FEBRUARY, MARCH] = ['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'];

function only({ wider }: { readonly wider: readonly Difference[] }): Difference {
  expect(wider.length).toBe(1);
  return wider[0] as Difference;
}

describe('an approval', () => {
  const asking = (approval: object = {}) => ({ ...EUR, approval: { above: 5, ...approval } });

  test.each([
    ['count', { count: 2 }, { count: 3 }],
    ['by', {}, { by: 'another' }],
  ])('that needs more by its %s lets less happen', (_, fewer, more) => {
    const found = compared(asking(more), asking(fewer));
    expect(codes(found)).toEqual(['wider', ['approval_pending'], []]);
    const { intent, allowed, denied, reasons } = only(found);
    expect(intent?.parameters).toEqual({ amount: 5.01, currency: 'EUR' });
    expect(allowed.approval).toEqual({ state: 'approved' });
    expect(denied.approval).toEqual({ state: 'pending' });
    expect(reasons.map(({ code }) => code)).toEqual(['approval_pending']);
    expect(compared(asking(more), asking(more)).result).toBe('equal');
  });

  test('is not compared where one passport has none, or no intent needs both', () => {
    expect(codes(compared(asking({ count: 2, seconds: 60 }), EUR))).toEqual([
      'wider',
      ['approval_required'],
      [],
    ]);
    const apart = { ...EUR, approval: { actions: ['pay.x'], count: 2, seconds: 60 } };
    expect(codes(compared(apart, { ...EUR, approval: { actions: ['pay.y'] } }))).toEqual([
      'crossing',
      ['approval_required'],
      ['approval_required'],
    ]);
  });

  test('of changes is a difference that no intent shows', () => {
    const found = compared(asking({ changes: true }), asking());
    expect(codes(found)).toEqual(['wider', ['approval_pending'], []]);
    const unseen = { code: 'approval_pending', reasons: [], intent: null, allowed: {}, denied: {} };
    expect(only(found)).toStrictEqual({ ...unseen, at: '1970-01-01T00:00:00.000Z' });
    expect(compared(asking({ changes: true }), asking({ changes: true })).result).toBe('equal');
    expect(codes(compared(EUR, asking({ changes: true })))).toEqual([
      'narrower',
      [],
      ['approval_required', 'approval_pending'],
    ]);
  });

  test('of changes is asked with nothing, whatever the passports need', () => {
    const before = { ...asking({ changes: true }), proof: 'identity' };
    const { intent, allowed, denied } = only(compared(before, { ...asking(), proof: 'identity' }));
    expect([intent, allowed, denied]).toStrictEqual([null, {}, {}]);
  });

  test('that needs fewer persons is shown by an intent, also where changes need none', () => {
    const found = compared(asking({ count: 2, changes: true }), asking());
    expect(codes(found)).toEqual(['wider', ['approval_pending'], []]);
    expect(only(found).intent).not.toBeNull();
  });
});

describe('a question', () => {
  test('has no more than it needs', () => {
    const { intent, allowed, denied } = only(compared({}, { allowed_actions: ['a', 'b'] }));
    expect(intent).toStrictEqual({ agent_id: passport().agent_id, action: 'b' });
    expect([allowed, denied]).toStrictEqual([{}, {}]);
  });

  test('is asked at the instant of the version that allows it, where that is valid', () => {
    const later = { allowed_actions: ['a', 'b'], updated_at: MID_FEBRUARY };
    expect(only(compared({}, later)).at).toBe(MID_FEBRUARY);
    expect(only(compared({}, { ...later, not_before: MARCH, updated_at: MARCH })).at).toBe(MARCH);
    const ended = compared({}, { ...later, expires_at: FEBRUARY });
    expect(ended.wider[0]?.at).toBe('2026-01-31T23:59:59.999Z');
  });

  test('is asked while both are valid, where there is such a time', () => {
    const before = { not_before: JANUARY, expires_at: MID_FEBRUARY };
    const after = { allowed_actions: ['a', 'b'], not_before: FEBRUARY, expires_at: MARCH };
    const found = compared(before, { ...after, updated_at: MARCH });
    const [expired, added] = found.wider;
    expect(found.wider.map(({ code }) => code)).toEqual(['agent_expired', 'action_not_allowed']);
    expect([expired?.at, expired?.reasons.length]).toEqual([MID_FEBRUARY, 1]);
    expect([added?.at, added?.reasons.length]).toEqual(['2026-02-14T23:59:59.999Z', 1]);
    expect(found.narrower.map(({ code, at }) => [code, at])).toEqual([
      ['agent_not_yet_valid', '2026-01-31T23:59:59.999Z'],
    ]);
  });

  test('is asked while the one that allows it is valid, where the two never are', () => {
    const after = { not_before: FEBRUARY, expires_at: MARCH, allowed_actions: ['a', 'b'] };
    const found = compared({ expires_at: FEBRUARY }, after);
    expect(found.wider.map(({ code, at }) => [code, at])).toEqual([['agent_expired', FEBRUARY]]);
    expect(found.narrower.map(({ code, at }) => [code, at])).toEqual([
      ['agent_not_yet_valid', '2026-01-31T23:59:59.999Z'],
    ]);
  });

  test('finds the one millisecond in which a passport is valid', () => {
    const instant = { not_before: FEBRUARY, expires_at: '2026-02-01T00:00:00.001Z' };
    expect(codes(compared({ not_before: MARCH }, instant))).toEqual([
      'crossing',
      ['agent_not_yet_valid'],
      ['agent_expired'],
    ]);
  });

  test('has a target that both allow, however each names it', () => {
    const more = { allowed_actions: ['a', 'b'] };
    const [shop, hosts] = ['did:web:a.shop.example', 'did:web:*.shop.example'];
    for (const [before, after] of [
      [[shop, 'did:web:b.example'], [hosts]],
      [
        [hosts, 'did:web:b.example'],
        ['did:web:c.example', shop],
      ],
    ] as const) {
      const { wider } = compared({ allowed_targets: before }, { ...more, allowed_targets: after });
      const added = wider.find(({ code }) => code === 'action_not_allowed');
      expect(added?.intent?.target).toBe(shop);
      expect(added?.reasons.length).toBe(1);
    }
  });

  test('that shows its code with the fewest other reasons is the one that is kept', () => {
    const apart = (currency: string, target: string) => ({
      ...EUR,
      ...{ currency, allowed_targets: [target] },
    });
    const { wider } = compared(apart('JPY', 'did:key:y'), apart('EUR', 'did:key:z'));
    const found = wider.map(({ reasons }) => reasons.map(({ code }) => code));
    expect(found).toEqual([['target_not_allowed', 'currency_mismatch']]);
    const [shared, other] = ['did:key:s', 'did:key:o'];
    const added = compared(
      { allowed_targets: [shared] },
      { allowed_targets: [shared, other], allowed_actions: ['b'] },
    );
    expect(added.wider.map(({ code, reasons }) => [code, reasons.length])).toEqual([
      ['action_not_allowed', 1],
    ]);
  });

  test('has the simplest amount that shows its rule', () => {
    const { intent } = only(compared({ ...EUR, allowed_actions: ['pay.a'] }, EUR));
    expect(intent?.parameters).toEqual({ amount: 0.01, currency: 'EUR' });
  });

  test('has the action to which the fewest rules object', () => {
    const before = { allowed_actions: ['c'], denied_actions: ['b', 'c'] };
    const { intent, reasons } = only(compared(before, { allowed_actions: ['b', 'c'] }));
    expect([intent?.action, reasons.length]).toEqual(['c', 1]);
  });

  test('fits the budgets of both where it can', () => {
    const may = { ...EUR, allowed_actions: ['pay.*', 'look'] };
    const before = { ...may, proof: 'identity', budgets: [{ window: 'day', limit: 0 }] };
    const { wider } = compared(before, may);
    expect(wider.map(({ reasons }) => reasons.map(({ code }) => code))).toEqual([
      ['proof_required'],
      ['budget_exceeded'],
    ]);
  });
});

describe('a budget', () => {
  const day = { window: 'day', limit: 10 };
  const usesOf = ({ budgets = {} }: Difference['denied']) => Object.values(budgets);

  test('of which both have the counter is used alike, and no other one is used', () => {
    const budgets = (limit: number) => ({ ...EUR, budgets: [day, { window: 'week', limit }] });
    const { allowed, denied } = only(compared(budgets(50), budgets(60)));
    expect(allowed).toStrictEqual(denied);
    expect(usesOf(denied)).toStrictEqual([{ day: { spent: 0 }, week: { spent: 50 } }]);
  });

  test('of which only one has the counter is used by that alone', () => {
    const { allowed, denied } = only(
      compared({ ...EUR, budgets: [day, { ...day, window: 'week' }] }, { ...EUR, budgets: [day] }),
    );
    expect(usesOf(denied)).toStrictEqual([{ day: { spent: 0 }, week: { spent: 10 } }]);
    expect(usesOf(allowed)).toStrictEqual([{ day: { spent: 0 }, week: { spent: 0 } }]);
  });

  test('is used whole where the other passport does not count the action', () => {
    const some = { ...EUR, budgets: [{ ...day, actions: ['pay.x'] }] };
    const { intent, allowed, denied } = only(compared({ ...EUR, budgets: [day] }, some));
    expect(intent?.action).not.toBe('pay.x');
    expect([allowed, denied].map(usesOf)).toStrictEqual(Array(2).fill([{ day: { spent: 10 } }]));
  });

  test('counts its own actions, whatever its place', () => {
    const budgets = (limit: number) => ({
      ...EUR,
      budgets: [
        { ...day, actions: ['pay.x'] },
        { window: 'week', limit, actions: ['pay.y'] },
      ],
    });
    const { intent, denied } = only(compared(budgets(20), budgets(30)));
    expect(intent?.action).toBe('pay.y');
    expect(usesOf(denied)).toStrictEqual([{ day: { spent: 0 }, week: { spent: 20 } }]);
  });

  test('of intents is used in intents', () => {
    const count = (most: number) => ({ ...EUR, budgets: [{ window: 'day', count: most }] });
    const { allowed, denied } = only(compared(count(3), count(4)));
    expect([allowed, denied].map(usesOf)).toStrictEqual(Array(2).fill([{ day: { count: 3 } }]));
  });
});

describe('a list of differences', () => {
  test('is in the order in which a verdict lists its reasons', () => {
    const strict = {
      ...{ not_before: JANUARY, expires_at: MARCH, currency: 'EUR', monetary_limit_per_txn: 10 },
      ...{ allowed_actions: ['pay.*'], denied_actions: ['pay.x'], allowed_targets: ['did:key:z'] },
      ...{ monetary_actions: ['pay.*'], proof: 'intent', parent_agent_id: 'did:web:p.com:agents:p' },
      budgets: [{ window: 'day', limit: 5 }],
      approval: { above: 2, count: 2, seconds: 600 },
    };
    const free = {
      ...{ allowed_actions: ['*'], monetary_limit_per_txn: 100, updated_at: FEBRUARY, proof: 'identity' },
      ...{ public_keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'k' }], approval: { actions: ['pay.y'] } },
    };
    expect(codes(compared(strict, free))).toEqual([
      'crossing',
      [
        ...['agent_expired', 'agent_not_yet_valid', 'action_denied', 'action_not_allowed'],
        ...['target_required', 'target_not_allowed', 'amount_invalid', 'amount_required'],
        ...['currency_mismatch', 'amount_over_limit', 'parent_not_found', 'proof_invalid'],
        ...['budget_exceeded', 'approval_required', 'approval_pending', 'approval_expired'],
      ],
      ['approval_required'],
    ]);
  });
});

test('a proof that is needed no more comes behind a parent that is', () => {
  const parent_agent_id = 'did:web:p.com:agents:p';
  expect(codes(compared({ proof: 'identity', parent_agent_id }, {}))).toEqual([
    'wider',
    ['parent_not_found', 'proof_required'],
    [],
  ]);
});

test('the action that shows a pattern is not one of the listed actions', () => {
  const listed = ['pay.any', 'pay.0', 'pay.1'];
  const { intent } = only(compared({ allowed_actions: listed }, { allowed_actions: ['pay.*'] }));
  expect(intent?.action).toBe('pay.2');
});

describe('a passport', () => {
  test('that is never valid lets nothing happen', () => {
    for (const end of [JANUARY, FEBRUARY])
      expect(
        compared({}, { not_before: FEBRUARY, expires_at: end, allowed_actions: ['a', 'b'] }).result,
      ).toBe('narrower');
  });

  test('with a member that is not listed lets nothing happen', () => {
    const hidden = Object.defineProperty(passport(), 'denied_actions', { value: [], enumerable: false });
    expect(compare(passport(), hidden).result).toBe('narrower');
    expect(compare(hidden, hidden).result).toBe('equal');
  });

  test('that lost its proof needs none, whatever else it needs', () => {
    const more = { ...EUR, budgets: [{ window: 'day', limit: 10 }], approval: { above: 0 } };
    expect(codes(compared({ ...more, proof: 'identity' }, more))).toEqual(['wider', ['proof_required'], []]);
  });

  test('without public keys is narrower than one with a key; a key is told by all its members', () => {
    const keys = (...list: readonly object[]) => ({ public_keys: list });
    const point = { kty: 'EC', crv: 'P-256', x: 'ab', y: 'c' };
    expect(codes(compared(keys(point), {}))).toEqual(['narrower', [], ['proof_invalid']]);
    for (const other of [{ y: 'd' }, { x: 'a', y: 'bc' }, { crv: 'P-384' }])
      expect(compared(keys(point), keys({ ...point, ...other })).result).toBe('crossing');
  });
});
