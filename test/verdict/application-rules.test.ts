import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { type PlainQuestion, questionArbitrary } from '../../src/testing/arbitraries.ts';
import { decide, defaultRules, type Facts, type Rule } from '../../src/verdict/index.ts';
import { ask } from '../support/question.ts';
import { cases } from '../support/runs.ts';

const outsideHours: Rule = ({ at }) =>
  new Date(at).getUTCHours() < 20 ? undefined : { code: 'outside_hours', message: 'Too late.', hour: 20 };

function reasonsWith(...rules: readonly unknown[]): readonly unknown[] {
  return ask({}, {}, {}, [...defaultRules, ...(rules as Rule[])]).reasons;
}

function failedBy(rule: string): object {
  return { code: 'rule_failed', message: 'The rule failed.', rule };
}

test('evaluates a rule of the application after ours, with its own code and facts', () => {
  const late = '2026-11-20T20:00:00.000Z';
  const rules = [...defaultRules, outsideHours];
  expect(ask({}, {}, {}, rules).verdict).toBe('ALLOW');
  expect(ask({ allowed_actions: [] }, {}, { at: late }, rules).reasons).toMatchObject([
    { code: 'action_not_allowed' },
    { code: 'outside_hours', message: 'Too late.', hour: 20 },
  ]);
});

test('nothing is no objection: undefined, null and no return', () => {
  expect(
    reasonsWith(
      () => undefined,
      () => null,
      () => {},
    ),
  ).toEqual([]);
});

test('a rule of the application gets the facts that were read of the question', () => {
  const seen: Facts[] = [];
  const intent = { target: 'did:web:shop.example', parameters: { amount: '7.50', currency: 'EUR' } };
  ask({}, intent, {}, [...defaultRules, (facts) => void seen.push(facts)]);
  expect(seen[0]).toMatchObject({
    at: Date.parse('2026-11-20T12:00:00.000Z'),
    action: 'pay',
    target: 'did:web:shop.example',
    amount: 7.5,
    currency: 'EUR',
    passport: { agent_name: 'buyer' },
    intent,
  });
});

test('a rule of the application gets an empty action if the intent names none', () => {
  const seen: Facts[] = [];
  for (const action of [undefined, null, 7, ['pay']]) {
    ask({}, { action }, {}, [...defaultRules, (facts) => void seen.push(facts)]);
  }
  expect(seen.map(({ action }) => action)).toEqual(['', '', '', '']);
});

describe('a rule of ours that an application calls', () => {
  const rules = (seen: Facts[]): Rule[] => [...defaultRules, (facts) => void seen.push(facts)];
  const LATER = '2027-01-01T00:00:00.000Z';

  test.each([
    [{}, {}],
    [{ status: 'revoked', expires_at: LATER }, { action: 'other' }],
    [{ status: 'suspended', not_before: LATER, denied_actions: ['pay'] }, {}],
    [{ allowed_targets: [] }, { parameters: { amount: 101 } }],
    [{ allowed_targets: [] }, { target: 'did:web:a.example', parameters: { amount: null } }],
    [{ monetary_actions: ['pay'] }, { parameters: { currency: 'eur' } }],
    [{ currency: 'EUR' }, { parameters: { amount: 1, currency: 'USD' } }],
  ])('has the reason that it has in a verdict: %j, %j', (passport, intent) => {
    const seen: Facts[] = [];
    const { reasons } = ask(passport, intent, {}, rules(seen));
    const [facts] = seen as [Facts];
    expect(defaultRules.flatMap((rule) => rule(facts) ?? [])).toEqual(reasons);
  });

  test('throws for a passport that cannot be read', () => {
    const seen: Facts[] = [];
    ask({}, {}, {}, rules(seen));
    const facts = { ...(seen[0] as Facts), passport: { status: 'active' } as never };
    for (const rule of defaultRules) expect(() => rule(facts)).toThrow(TypeError);
  });
});

describe('a rule fails when it', () => {
  test('throws', () => {
    const broken: Rule = () => {
      throw new Error('secret');
    };
    expect(reasonsWith(broken)).toEqual([failedBy('broken')]);
  });

  test('is asynchronous, and what it rejects with later ends no process', () => {
    const rejected = Promise.reject(new Error('later'));
    const handled = vi.spyOn(rejected, 'catch');
    expect(reasonsWith(() => rejected)).toEqual([failedBy('rule 14')]);
    expect(handled).toHaveBeenCalledOnce();
  });

  test('answers anything but nothing or a reason', () => {
    const answers = [
      false,
      true,
      0,
      1,
      '',
      'no',
      5n,
      Symbol('x'),
      [],
      {},
      () => undefined,
      Promise.resolve(),
      new Map(),
      { code: 'x' },
      { code: 'X', message: '' },
      { code: '1', message: '' },
      { code: 'a'.repeat(65), message: '' },
      { code: 'x', message: 7 },
      { code: 'x', message: '', at: new Date() },
      { code: 'x', message: '', list: [1] },
      { code: 'x', message: '', n: Number.NaN },
      { code: 'x', message: '', u: undefined },
      { message: 'x' },
      Object.assign(() => undefined, { code: 'x', message: '' }),
      {
        code: 'x',
        get message() {
          throw new Error('read');
        },
      },
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('listed');
          },
        },
      ),
      new Proxy(
        {},
        {
          getPrototypeOf: () => {
            throw new Error('asked');
          },
        },
      ),
    ];
    for (const answer of answers) expect(reasonsWith(() => answer)).toEqual([failedBy('rule 14')]);
  });

  test('is no function', () => {
    for (const rule of [undefined, null, {}, 'deny', 7, []])
      expect(reasonsWith(rule)).toEqual([failedBy('rule 14')]);
    expect(reasonsWith(...new Array(2))).toEqual([failedBy('rule 14'), failedBy('rule 15')]);
  });

  test('has a name that cannot be read', () => {
    const nameless = Object.defineProperty(() => false, 'name', {
      get: () => {
        throw new Error('name');
      },
    });
    expect(reasonsWith(nameless)).toEqual([failedBy('rule 14')]);
    expect(reasonsWith(Object.defineProperty(() => false, 'name', { value: 7 }))).toEqual([
      failedBy('rule 14'),
    ]);
  });
});

test('a well-formed reason is taken as a copy', () => {
  const reason = { code: 'mine', message: 'Mine.', text: 'a', count: 1, flag: false, none: null };
  const [taken] = reasonsWith(() => reason);
  expect(taken).toEqual(reason);
  expect(taken).not.toBe(reason);
});

test('a list of rules that is empty, or none, denies', () => {
  for (const rules of [[], null, {}, 'rules', 7, () => undefined]) {
    expect(ask({}, {}, {}, rules as never).reasons).toEqual([failedBy('rules')]);
  }
});

test('a rule that takes others off the list takes none off this verdict', () => {
  const rules: Rule[] = [() => void rules.splice(0), ...defaultRules, outsideHours];
  expect(ask({ allowed_actions: [] }, {}, { at: '2026-11-20T20:00:00.000Z' }, rules).reasons).toMatchObject([
    { code: 'action_not_allowed' },
    { code: 'outside_hours' },
  ]);
});

test('lists our reasons first, and the reasons of the application in the order of its rules', () => {
  const mine = (code: string): Rule => {
    return () => ({ code, message: '' });
  };
  const [first, ...others] = defaultRules as readonly [Rule, ...Rule[]];
  const rules = [mine('a'), ...others.toReversed(), mine('b'), first, first, mine('c')];
  const { reasons } = ask({ status: 'revoked', allowed_actions: [] }, {}, {}, rules);
  expect(reasons.map(({ code }) => code)).toEqual(['agent_revoked', 'action_not_allowed', 'a', 'b', 'c']);
});

test('no rule changes the evaluation of the others', () => {
  const meddler = ((facts: { -readonly [Name in keyof Facts]: Facts[Name] }) => {
    facts.action = 'pay';
    facts.amount = 0;
  }) as Rule;
  fc.assert(
    fc.property(questionArbitrary(), (question: PlainQuestion) => {
      if (decide(question).verdict === 'ALLOW') return;
      expect(decide(question, [meddler, ...defaultRules]).verdict).toBe('DENY');
      expect(decide(question, [...defaultRules, meddler]).verdict).toBe('DENY');
    }),
    { numRuns: cases() },
  );
});
