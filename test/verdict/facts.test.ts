import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PlainQuestion, questionArbitrary } from '../../src/testing/arbitraries.ts';
import { decide, defaultRules, type Facts, prepare, type Rule } from '../../src/verdict/index.ts';
import { ask, codes, INTENT, PASSPORT } from '../support/question.ts';
import { cases } from '../support/runs.ts';
import { partsOf, spoil } from '../support/spoil.ts';

const PARAMETERS = { amount: 7, currency: 'EUR', lines: [{ sku: 'a', tags: ['x', null] }], note: undefined };

/** The facts that a rule of the application gets in this question. */
function factsOf(...[passport, intent, rest]: Parameters<typeof ask>): Facts {
  const seen: Facts[] = [];
  ask(passport, intent, rest, [...defaultRules, (facts) => void seen.push(facts)]);
  return seen[0] as Facts;
}

describe('the facts of a rule', () => {
  test('are frozen copies with the undefined parameters, without the policy that evaluates all rules', () => {
    const given = { metadata: { team: 'a' }, allowed_targets: ['did:web:shop.example'] };
    const intent = { parameters: PARAMETERS, target: 'did:web:shop.example' };
    const facts = factsOf(given, intent);
    expect(Object.keys(facts).sort()).toEqual(
      ['passport', 'intent', 'at', 'action', 'target', 'amount', 'currency'].sort(),
    );
    expect(facts.passport).toEqual({ ...PASSPORT, ...given });
    expect(facts.intent).toStrictEqual({ ...INTENT, ...intent });
    for (const part of partsOf(facts)) expect(Object.isFrozen(part)).toBe(true);
    const callers = partsOf({ given, intent, PASSPORT, INTENT });
    for (const part of partsOf(facts)) expect(callers.has(part)).toBe(false);
  });

  test('of a prepared passport share one copy, which shows it as it was', () => {
    const allowed_actions = ['pay'];
    const prepared = prepare({ ...PASSPORT, allowed_actions });
    const first = factsOf({}, {}, { passport: prepared }).passport;
    allowed_actions[0] = 'other';
    expect(factsOf({}, {}, { passport: prepared }).passport).toBe(first);
    expect(first.allowed_actions).toEqual(['pay']);
  });

  test('are the evaluated values, even if a passport answers differently each time', () => {
    let reads = 0;
    const passport = new Proxy(
      { ...PASSPORT },
      {
        get: (target, name) => {
          if (name !== 'status') return Reflect.get(target, name);
          reads += 1;
          return reads % 2 === 0 ? 'revoked' : 'active';
        },
      },
    );
    const rule: Rule = (facts) =>
      facts.passport.status === 'revoked' ? { code: 'shown', message: '' } : undefined;
    for (let times = 0; times < 4; times += 1) {
      const found = codes({}, {}, { passport }, [...defaultRules, rule]);
      expect([['ALLOW'], ['agent_revoked', 'shown'], ['rule_failed']]).toContainEqual(found);
    }
  });
});

test('a rule that changes all it can reach changes no later verdict, and nothing of the caller is frozen', () => {
  const meddler: Rule = (facts) => spoil(facts);
  const meddling = [meddler, ...defaultRules, meddler];
  const questions = fc.array(questionArbitrary(), { minLength: 1, maxLength: 4 });
  const evaluated = fc.property(questions, (plain: readonly PlainQuestion[]) => {
    const prepared = plain.map((question) => ({ ...question, passport: prepare(question.passport) }));
    const before = structuredClone(plain);
    const verdicts = () => [...plain, ...prepared].map((question) => decide(question));
    const expected = structuredClone(verdicts());
    for (const question of [...plain, ...prepared]) {
      const { verdict } = decide(question);
      expect(decide(question, meddling).verdict).toBe(verdict);
    }
    expect(verdicts()).toEqual(expected);
    expect(plain).toEqual(before);
    for (const part of partsOf(plain)) expect(Object.isExtensible(part)).toBe(true);
  });
  fc.assert(evaluated, { numRuns: cases(2_500) });
});

test('no rule reaches the policy, and so lets a revoked agent act', () => {
  const prepared = prepare({ ...PASSPORT, status: 'revoked', denied_actions: ['pay'] });
  const widening: Rule = (facts) => {
    const policy = Reflect.get(facts, 'policy') as Record<string, unknown> | undefined;
    if (policy === undefined) return;
    for (const name of ['times', 'denied', 'targets']) policy[name] = undefined;
    policy['limit'] = 1e15;
  };
  decide({ passport: prepared, intent: INTENT, at: 0 }, [...defaultRules, widening]);
  expect(codes({}, {}, { passport: prepared })).toEqual(['agent_revoked', 'action_denied']);
});

describe('rules of an application are not asked, and the verdict is a DENY, where', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const deep = (levels: number): unknown => (levels === 0 ? 0 : [deep(levels - 1)]);
  const shared = Array.from({ length: 100 }, (_, index) => index);
  const parts: Readonly<Record<string, unknown>> = {
    'an accessor': Object.defineProperty({}, 'note', { get: () => 1, enumerable: true }),
    'a hidden member': Object.defineProperty({}, 'note', { value: 1 }),
    'a member named by a symbol': { [Symbol('note')]: 1 },
    'a function': { note: () => 1 },
    'a Map': { note: new Map() },
    'a Date': { note: new Date() },
    'a boxed text': { note: new String('a') },
    'an instance of a class': { note: new (class Note {})() },
    'an heir': { note: Object.create({ a: 1 }) },
    'a list with holes': { note: new Array(2) },
    'a list with more than its elements': { note: Object.assign([1], { amount: 1 }) },
    'a list with a hidden member': { note: Object.defineProperty([1], 'amount', { value: 1 }) },
    'a list with a hole and a member in its place': {
      note: Object.assign(Object.assign([], { length: 1 }), { amount: 1 }),
    },
    'a list of another class': { note: new (class Notes extends Array {})() },
    bytes: { note: new Uint8Array(2) },
    'a circle': { circle },
    'more than 32 levels': { note: deep(31) },
    'more than 10,000 members': { note: Array.from({ length: 101 }, () => shared) },
    'a Proxy that answers by another value than it shows': {
      note: new Proxy({ a: 1 }, { get: () => 2 }),
    },
  };

  test.each(Object.entries(parts))('the parameters hold %s', (_name, parameters) => {
    const asked: Facts[] = [];
    const watching: Rule = (facts) => void asked.push(facts);
    const { reasons } = ask({}, { parameters }, {}, [...defaultRules, watching]);
    expect(reasons).toEqual([{ code: 'rule_failed', message: 'The rule failed.', rule: 'intent' }]);
    expect(asked).toEqual([]);
    expect(codes({}, { parameters })).toEqual(['ALLOW']);
  });

  test.each(Object.entries(parts))('the passport holds %s', (_name, part) => {
    const { reasons } = ask({ metadata: part }, {}, {}, [...defaultRules, () => undefined]);
    expect(reasons).toEqual([{ code: 'rule_failed', message: 'The rule failed.', rule: 'passport' }]);
  });

  test('and as much as is allowed is shown', () => {
    const parameters = { note: deep(30), list: shared };
    expect(codes({}, { parameters }, {}, [...defaultRules, () => undefined])).toEqual(['ALLOW']);
  });
});
