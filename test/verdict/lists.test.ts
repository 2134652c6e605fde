import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PlainQuestion, questionArbitrary } from '../../src/testing/arbitraries.ts';
import { decide, defaultRules, prepare, type Rule } from '../../src/verdict/index.ts';
import { ask, codes, PASSPORT } from '../support/question.ts';
import { cases } from '../support/runs.ts';
import { lyingList } from '../support/spoil.ts';

const LISTS = ['allowed_actions', 'denied_actions', 'monetary_actions', 'allowed_targets'] as const;
const failedRules = [{ code: 'rule_failed', message: 'The rule failed.', rule: 'rules' }];
const silent: Rule = () => undefined;

describe('a list of rules denies every question that it could evaluate when', () => {
  test('it lacks any of the default rules', () => {
    const lists = [
      [],
      [silent],
      ...defaultRules.flatMap((_, index) => [
        defaultRules.toSpliced(index, 1),
        [...defaultRules.toSpliced(index, 1), silent],
        defaultRules.with(index, silent),
        defaultRules.with(index, (defaultRules[index] as Rule).bind(undefined)),
      ]),
    ];
    for (const rules of lists) {
      expect(ask({}, {}, {}, rules).reasons).toEqual(failedRules);
      expect(ask({ status: 'revoked' }, {}, {}, rules).reasons).toEqual(failedRules);
    }
  });

  test('its own methods say that none is missing', () => {
    for (const rules of [lyingList([silent]), Object.freeze(lyingList([silent]))]) {
      expect(ask({}, {}, {}, rules).reasons).toEqual(failedRules);
    }
    expect(ask({}, {}, {}, Object.create(defaultRules)).reasons).toEqual(failedRules);
  });

  test('it is longer than any list of rules', () => {
    const endless = new Proxy([...defaultRules], {
      get: (target, name) => (name === 'length' ? Number.POSITIVE_INFINITY : Reflect.get(target, name)),
    });
    expect(ask({}, {}, {}, endless).reasons).toEqual(failedRules);
    const sparse = Object.assign([...defaultRules], { length: 4_000_000_000 });
    expect(ask({}, {}, {}, sparse).reasons).toEqual(failedRules);
  });
});

test('a list of rules is read without its methods', () => {
  const objection: Rule = () => ({ code: 'mine', message: '' });
  const rules = lyingList([...defaultRules, objection]);
  expect(codes({}, {}, {}, rules)).toEqual(['mine']);
  expect(codes({}, {}, {}, Object.freeze(rules))).toEqual(['mine']);
});

test('evaluates no list of a passport or a caller by the methods of the list', () => {
  const evaluated = fc.property(questionArbitrary(), fc.boolean(), (question: PlainQuestion, isFrozen) => {
    const lie = (list: readonly string[]): readonly string[] =>
      isFrozen ? Object.freeze(lyingList(list)) : lyingList(list);
    const lists = LISTS.filter((name) => question.passport[name] !== undefined);
    const lying = Object.fromEntries(lists.map((name) => [name, lie(question.passport[name] ?? [])]));
    const passport = { ...question.passport, ...lying };
    const { caller } = question;
    const agents = caller?.agent_ids;
    const other = { ...question, passport, caller: agents ? { ...caller, agent_ids: lie(agents) } : caller };
    expect(decide(other)).toEqual(decide(question));
    expect(decide({ ...other, passport: prepare(passport) })).toEqual(decide(question));
  });
  fc.assert(evaluated, { numRuns: cases() });
});

test('a caller whose list of agents says that it has every agent sees only those in it', () => {
  for (const agent_ids of [lyingList([]), Object.freeze(lyingList(['did:web:a.example:agents:b']))]) {
    expect(codes({}, {}, { caller: { agent_ids } })).toEqual(['agent_not_found']);
  }
  const caller = { agent_ids: lyingList([PASSPORT.agent_id]) };
  expect(codes({}, {}, { caller })).toEqual(['ALLOW']);
});
