import { describe, expect, test } from 'vitest';
import { compare } from '../../../src/verdict/compare/index.ts';
import { nightly, seedOf, sized } from '../../support/runs.ts';
import { codes, compared, expectShown, swapped } from './expectations.ts';
import { changed, createDraw, passportOf } from './random-pairs.ts';

const PAIRS = nightly(100_000, sized(2_000, 60));
const EUR = { currency: 'EUR', allowed_actions: ['pay.*'], monetary_actions: ['pay.*'] };

describe('a comparison', () => {
  const draw = createDraw(seedOf(20261125));

  test('of a passport with itself is equal, and swapping the passports swaps its lists', () => {
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const before = passportOf(draw);
      const after = changed(draw, before);
      expect(compare(before, before)).toEqual({ result: 'equal', wider: [], narrower: [] });
      const found = compare(before, after);
      expect(compare(after, before)).toEqual(swapped(found));
      for (const difference of found.wider) expectShown(difference, before, after);
    }
  });

  test('is transitive where it is equal or narrower', () => {
    for (let triple = 0; triple < PAIRS; triple += 1) {
      const first = passportOf(draw);
      const second = changed(draw, first);
      const third = changed(draw, second);
      const steps = [compare(first, second).result, compare(second, third).result];
      if (steps.some((step) => step === 'wider' || step === 'crossing')) continue;
      const whole = steps.includes('narrower') ? 'narrower' : 'equal';
      expect([compare(first, third).result, first, second, third]).toEqual([whole, first, second, third]);
    }
  });

  test('names each rule by its code', () => {
    expect(codes(compared({}, { allowed_actions: ['a', 'b'] }))).toEqual([
      'wider',
      ['action_not_allowed'],
      [],
    ]);
    expect(
      codes(compared({ denied_actions: ['a'], allowed_actions: ['*'] }, { allowed_actions: ['*'] })),
    ).toEqual(['wider', ['action_denied'], []]);
    expect(codes(compared({ allowed_targets: ['did:key:z'] }, {}))).toEqual([
      'wider',
      ['target_required', 'target_not_allowed'],
      [],
    ]);
    expect(codes(compared({ monetary_actions: ['a'] }, {}))).toEqual(['wider', ['amount_required'], []]);
    expect(codes(compared({ currency: 'EUR' }, {}))).toEqual([
      'wider',
      ['amount_invalid', 'currency_mismatch'],
      [],
    ]);
    expect(codes(compared({}, { monetary_limit_per_txn: '10.000001' }))).toEqual([
      'wider',
      ['amount_over_limit'],
      [],
    ]);
    expect(codes(compared({ expires_at: '2026-01-01T00:00:00Z' }, {}))).toEqual([
      'wider',
      ['agent_expired'],
      [],
    ]);
    expect(codes(compared({ not_before: '2026-01-01T00:00:00Z' }, {}))).toEqual([
      'wider',
      ['agent_not_yet_valid'],
      [],
    ]);
    expect(codes(compared({ proof: 'identity' }, {}))).toEqual(['wider', ['proof_required'], []]);
    expect(codes(compared({ proof: 'intent' }, { proof: 'identity' }))).toEqual([
      'wider',
      ['proof_invalid'],
      [],
    ]);
    expect(codes(compared({ parent_agent_id: 'did:web:p.com:agents:p' }, {}))).toEqual([
      'wider',
      ['parent_not_found'],
      [],
    ]);
  });

  test('of an approval says where no person is asked any more, and where one may take longer', () => {
    const asking = (approval: object) => ({ ...EUR, approval });
    expect(codes(compared(asking({ above: 5 }), EUR))).toEqual(['wider', ['approval_required'], []]);
    expect(codes(compared(asking({ above: 5 }), asking({ above: 6 })))).toEqual([
      'wider',
      ['approval_required'],
      [],
    ]);
    expect(codes(compared(asking({ above: 5 }), asking({ above: 5, seconds: 3_601 })))).toEqual([
      'wider',
      ['approval_expired'],
      [],
    ]);
    const both = ['approval_required', 'approval_expired'];
    const longer = asking({ above: 8, seconds: 7_200 });
    expect(codes(compared(asking({ above: 5 }), longer))).toEqual(['wider', both, []]);
    expect(codes(compared(asking({ above: 10 }), asking({ above: 10, seconds: 60 })))).toEqual([
      'equal',
      [],
      [],
    ]);
    expect(codes(compared(asking({ above: 5, actions: ['pay.x'] }), asking({ above: 5 })))).toEqual([
      'wider',
      ['approval_required'],
      [],
    ]);
  });

  test('of a budget is that of its counter', () => {
    const budget = (fields: object) => ({ ...EUR, budgets: [{ window: 'day', limit: 10, ...fields }] });
    const exceeded = ['budget_exceeded'];
    expect(codes(compared(budget({}), EUR))).toEqual(['wider', exceeded, []]);
    const none = { ...budget({ limit: 0 }), monetary_limit_per_txn: 20 };
    expect(codes(compared(EUR, none))).toEqual(['narrower', [], exceeded]);
    expect(codes(compared(budget({}), budget({ limit: 11 })))).toEqual(['wider', exceeded, []]);
    expect(codes(compared(budget({}), budget({ name: 'daily' })))).toEqual(['crossing', exceeded, exceeded]);
    expect(codes(compared(budget({}), budget({ name: 'day', window: 'week' })))).toEqual([
      'crossing',
      exceeded,
      exceeded,
    ]);
    expect(codes(compared(budget({}), budget({ actions: ['pay.x'] })))).toEqual(['wider', exceeded, []]);
    expect(codes(compared(budget({}), { ...budget({ limit: undefined, count: 10 }) }))).toEqual([
      'crossing',
      exceeded,
      exceeded,
    ]);
  });

  test('leaves out the status, the version and what no rule reads', () => {
    expect(compared({}, { status: 'revoked', revoked_at: '2026-01-01T00:00:00Z', version: 7 }).result).toBe(
      'equal',
    );
    expect(compared({ description: 'x' }, { metadata: { team: 'y' }, description: 'z' }).result).toBe(
      'equal',
    );
    expect(compared({ status: 'suspended' }, { allowed_actions: [] }).result).toBe('narrower');
  });

  test('of a passport that allows nothing is narrower than any other', () => {
    for (const empty of [
      { allowed_actions: [] },
      { allowed_targets: [] },
      { allowed_actions: 'a' },
      { monetary_limit_per_txn: -1 },
    ]) {
      expect(compared({}, empty).result).toBe('narrower');
      expect(compared(empty, { allowed_actions: [], public_keys: [{ crv: 'Ed25519', x: 'k' }] }).result).toBe(
        'equal',
      );
    }
  });

  test('of two agents is crossing, unless one of them may do nothing', () => {
    const other = { agent_id: 'did:web:example.com:agents:other' };
    expect(codes(compared({}, other))).toEqual(['crossing', ['agent_not_found'], ['agent_not_found']]);
    expect(codes(compared({}, { ...other, allowed_actions: [] }))).toEqual([
      'narrower',
      [],
      ['agent_not_found'],
    ]);
  });

  test('counts an added public key as wider and a removed one as narrower', () => {
    const keys = (...names: string[]) => ({
      public_keys: names.map((x) => ({ kty: 'OKP', crv: 'Ed25519', x, kid: x, alg: 'EdDSA' })),
    });
    expect(codes(compared(keys('k'), keys('k', 'l')))).toEqual(['wider', ['proof_invalid'], []]);
    expect(codes(compared(keys('k', 'l'), keys('k')))).toEqual(['narrower', [], ['proof_invalid']]);
    expect(compared(keys('k'), keys('l')).result).toBe('crossing');
    const [key] = keys('k').public_keys;
    const { kid: _, ...given } = key ?? {};
    expect(compared(keys('k'), { public_keys: [given] }).result).toBe('equal');
  });

  test('tries each kind of currency where the passport names none', () => {
    const tried = ['EUR', 'JPY', 'KWD', 'CLF', 'XAU'].map((currency) => compared({ currency }, {}).result);
    expect(tried).toEqual(['wider', 'wider', 'wider', 'wider', 'wider']);
    expect(compared({ monetary_limit_per_txn: '10.01' }, { monetary_limit_per_txn: '10.02' }).result).toBe(
      'wider',
    );
    const { wider } = compared({ currency: 'EUR' }, { monetary_limit_per_txn: 20 });
    expect(wider.map(({ code }) => code)).toContain('amount_over_limit');
    expect(compared({ currency: 'JPY' }, { currency: 'EUR' }).result).toBe('crossing');
    expect(
      compared({ monetary_limit_per_txn: 1e15 }, { monetary_limit_per_txn: '999999999999999.999999' }).result,
    ).toBe('narrower');
  });
});
