import { describe, expect, test } from 'vitest';
import { DEFERRED } from '../../src/verdict/budgets.ts';
import { decide, defaultRules, prepare, type Rule } from '../../src/verdict/index.ts';
import { AT, ask, codes, PASSPORT } from '../support/question.ts';

const ID = PASSPORT.agent_id;
const LATER = '2100-01-01T00:00:00.000Z';
const silent: Rule = () => undefined;
const NEEDS = { name: 'tested', actions: ['pay'], needs: { actions: ['test'], seconds: 60 } };
const FORBIDS = { name: 'sealed', actions: ['pay'], forbids: { actions: ['read'], seconds: 60 } };
const HISTORY = { [ID]: { tested: null, sealed: null } };

/** The reasons, plain and prepared, with and without a rule of the application. */
function reasonsOf(passport: object, intent: object = {}, history: unknown = HISTORY) {
  const rest = history === undefined ? {} : { history: history as never };
  const { reasons } = ask(passport, intent, rest);
  expect(ask(passport, intent, rest, [...defaultRules, silent]).reasons).toEqual(reasons);
  const prepared = { ...rest, passport: prepare({ ...PASSPORT, ...passport } as typeof PASSPORT) };
  expect(ask({}, intent, prepared).reasons).toEqual(reasons);
  return reasons;
}

describe('the history', () => {
  test('passes with null, and denies before an instant', () => {
    expect(reasonsOf({ order: [NEEDS, FORBIDS] })).toEqual([]);
    expect(reasonsOf({ order: [NEEDS, FORBIDS] }, {}, { [ID]: { tested: LATER, sealed: LATER } })).toEqual([
      {
        code: 'order_required',
        message: 'An earlier action is required.',
        agent_id: ID,
        order: 'tested',
      },
      {
        code: 'order_forbidden',
        message: 'An earlier action forbids it.',
        agent_id: ID,
        order: 'sealed',
        until: LATER,
      },
    ]);
    const at = new Date(AT as string | number).toISOString();
    expect(reasonsOf({ order: [FORBIDS] }, {}, { [ID]: { sealed: at } })).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['absent', undefined],
    ['of another agent', { other: { tested: null } }],
    ['of another name', { [ID]: { order: null } }],
    ['inherited', { [ID]: Object.create({ tested: null }) }],
    ['no instant', { [ID]: { tested: 'soon' } }],
  ])('that is %s is not known', (_, history) => {
    expect(codes({ order: [NEEDS] }, {}, { history: history as never })).toEqual(['history_unknown']);
  });

  test('is not asked for an action that only counts for others', () => {
    const order = [{ ...NEEDS, actions: ['deploy'], needs: { actions: ['pay'], seconds: 60 } }];
    expect(reasonsOf({ order }, {}, undefined)).toEqual([]);
  });

  test('comes before the pace in the same group', () => {
    const pace = [{ name: 'slow', max: 1, seconds: 60 }];
    const history = { [ID]: { tested: LATER, slow: LATER } };
    const found = reasonsOf({ order: [NEEDS], pace }, {}, history).map(({ code }) => code);
    expect(found).toEqual(['order_required', 'pace_exceeded']);
    const question = { passport: { ...PASSPORT, order: [NEEDS] } as never, at: AT, budgets: DEFERRED };
    expect(decide({ ...question, intent: { agent_id: ID, action: 'pay' } }).verdict).toBe('ALLOW');
  });
});

describe('the values by which intents count together', () => {
  const withSame = (...same: string[]) => ({ order: [{ ...NEEDS, same }] });

  test('are asked for, also of an action that only counts for others', () => {
    const earlier = {
      order: [{ ...NEEDS, actions: ['x'], needs: { actions: ['pay'], seconds: 1 }, same: ['session'] }],
    };
    for (const passport of [withSame('session'), earlier]) {
      expect(reasonsOf(passport)).toEqual([
        { code: 'session_required', message: 'The session is required.', order: 'tested' },
      ]);
    }
    expect(reasonsOf(withSame('session'), { session: 's' })).toEqual([]);
    expect(reasonsOf(withSame('session'), { session: '' })).toEqual([]);
    expect(reasonsOf(withSame('target'))).toEqual([
      { code: 'target_required', message: 'The target is required.' },
    ]);
    expect(reasonsOf(withSame('target'), { target: 'did:web:a.example' })).toEqual([]);
    expect(reasonsOf(withSame('/a/b'))).toEqual([
      { code: 'parameter_required', message: 'The parameter is required.', at: '/a/b' },
    ]);
  });

  test('are required once where the passport names its targets, or two rules ask for them', () => {
    const order = [NEEDS, FORBIDS].map((rule) => ({ ...rule, same: ['target', '/a', 'session'] }));
    const found = reasonsOf({ order, allowed_targets: ['did:web:a.example'] });
    expect(found.map(({ code, order }) => [code, order])).toEqual([
      ['target_required', undefined],
      ['parameter_required', undefined],
      ['session_required', 'tested'],
      ['session_required', 'sealed'],
    ]);
    const invalid = reasonsOf({ order }, { target: 'no did', session: 's', parameters: { a: 1 } });
    expect(invalid.map(({ code }) => code)).toEqual(['target_invalid']);
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a list', ['a']],
    ['an object', {}],
    ['long text', 'x'.repeat(257)],
    ['no number', Number.NaN],
    ['a function', () => 1],
  ])('do not fit as %s', (_, a) => {
    const passport = { ...PASSPORT, ...withSame('/a') } as never;
    const intent = { agent_id: ID, action: 'pay', parameters: { a } };
    expect(decide({ passport, intent, at: AT, history: HISTORY }).reasons).toEqual([
      { code: 'parameter_not_allowed', message: 'The parameter is not allowed.', at: '/a', test: 'same' },
    ]);
  });

  test('do not fit beside a name that differs only in case', () => {
    const found = reasonsOf(withSame('/to'), { parameters: { to: 'a', To: 'b' } });
    expect(found).toMatchObject([{ code: 'parameter_not_allowed', test: 'same' }]);
  });

  test.each([['text'], [0], [1.5], [true], [false], ['x'.repeat(256)]])('fit as %s', (a) => {
    expect(reasonsOf(withSame('/a'), { parameters: { a } })).toEqual([]);
    expect(reasonsOf(withSame('/list/1'), { parameters: { list: [0, a] } })).toEqual([]);
  });

  test('are no session that the intent inherits', () => {
    const intent = Object.assign(Object.create({ session: 's' }), { agent_id: ID, action: 'pay' });
    const passport = { ...PASSPORT, ...withSame('session') } as never;
    expect(decide({ passport, intent, at: AT, history: HISTORY }).verdict).toBe('DENY');
  });

  test('are asked for by each passport above', () => {
    const parent = { ...PASSPORT, agent_id: `${ID}-parent`, ...withSame('session', '/a') } as never;
    const child = { ...PASSPORT, parent_agent_id: `${ID}-parent` } as never;
    const intent = { agent_id: ID, action: 'pay' };
    const question = { passport: child, intent, at: AT, ancestors: [parent] };
    expect(decide(question).reasons).toMatchObject([
      { code: 'parent_denied', reason: 'session_required', order: 'tested', parent: `${ID}-parent` },
      { code: 'parent_denied', reason: 'parameter_required', at: '/a' },
    ]);
    const full = { ...intent, session: 's', parameters: { a: 1 } };
    expect(decide({ ...question, intent: full }).reasons).toMatchObject([{ code: 'history_unknown' }]);
    const history = { [`${ID}-parent`]: { tested: null } };
    expect(decide({ ...question, intent: full, history }).verdict).toBe('ALLOW');
  });
});

test.each<[string, unknown]>([
  ['no list', {}],
  ['nine rules', Array.from({ length: 9 }, (_, n) => ({ ...NEEDS, name: `n${n}` }))],
  ['neither needs nor forbids', [{ name: 'a', actions: ['pay'] }]],
  ['both', [{ ...NEEDS, forbids: FORBIDS.forbids }]],
  ['an unknown field', [{ ...NEEDS, until: 1 }]],
  ['two rules of one name', [NEEDS, NEEDS]],
  ['a name of a pace', [{ ...NEEDS, name: 'pace' }]],
  ['failed of needs', [{ ...NEEDS, needs: { ...NEEDS.needs, failed: 1 } }]],
  ['a pointer with *', [{ ...NEEDS, same: ['/a/*'] }]],
  ['four values', [{ ...NEEDS, same: ['/a', '/b', '/c', '/d'] }]],
  ['a long time', [{ ...NEEDS, needs: { actions: ['test'], seconds: 86_401 } }]],
])('an order with %s allows nothing', (_, order) => {
  const passport = { order, pace: [{ max: 9, seconds: 9 }] } as object;
  expect(codes(passport, {}, { history: HISTORY as never })).toEqual(['rule_failed']);
});
