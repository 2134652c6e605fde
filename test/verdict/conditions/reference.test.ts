/** That `decide` and a second reading of the contract agree, reason by reason. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isPlainObject } from '../../../src/base/values/plain-data.ts';
import { decide, prepare } from '../../../src/verdict/index.ts';
import { ancestorId } from '../../support/chains.ts';
import { AT } from '../../support/question.ts';
import { seedOf, sized } from '../../support/runs.ts';
import { textbookCodes } from '../../support/textbook.ts';
import { type ConditionQuestion, conditionsOf, type Kind, parametersFor, questionOf } from './arbitraries.ts';
import { intentOf, passportWith, type Told, toldBy } from './asking.ts';
import { createDraw, type Draw } from './draw.ts';
import { conditionReasons } from './reference.ts';

const QUESTIONS = sized(200_000, 4_000);
const UNREAD: readonly Told[] = [{ code: 'rule_failed' }];

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null || isPlainObject(value);
}

/** The codes of the other rules, then the reasons of the conditions. */
function expectedBy({ conditions, action, parameters }: ConditionQuestion): readonly Told[] {
  const intent = intentOf(action, parameters);
  const others = textbookCodes({ passport: passportWith([]), intent, at: Date.parse(AT), caller: null });
  return [
    ...others.map((code) => ({ code })),
    ...conditionReasons(conditions, action, parameters).map((reason) => ({ ...reason })),
  ];
}

/** What `decide` says of the passport as it is and as it was prepared. */
function answerTo({ conditions, action, parameters }: ConditionQuestion, isPrepared: boolean) {
  const passport = passportWith(conditions);
  const asked = isPrepared ? prepare(passport) : passport;
  return decide({ passport: asked, intent: intentOf(action, parameters), at: AT });
}

/** Asks so many questions of a kind; the share of those that are allowed. */
function askAll(kind: Kind, count: number, seed: number): number {
  const draw = createDraw(seed);
  let allowed = 0;
  for (let index = 0; index < count; index += 1) {
    const question = questionOf(draw, kind);
    const expected = expectedBy(question);
    const { verdict, reasons } = answerTo(question, draw.chance(0.5));
    const told = toldBy(reasons);
    if (expected.length === 0) allowed += 1;
    // Parameters that are no plain object deny before any rule is asked.
    if (isDeepStrictEqual(told, UNREAD) && !isPlain(question.parameters)) continue;
    if (verdict === (expected.length === 0 ? 'ALLOW' : 'DENY') && isDeepStrictEqual(told, expected)) continue;
    console.error(question.parameters);
    expect.fail(`seed ${seed}, question ${index}: ${JSON.stringify({ told, expected, ...question })}`);
  }
  return allowed / count;
}

describe('decide and the second reading agree', () => {
  test.each<[Kind, number]>([
    ['json', QUESTIONS],
    ['odd', Math.ceil(QUESTIONS / 10)],
  ])('on random questions with %s values', { timeout: 3_600_000 }, (kind, count) => {
    const share = askAll(kind, count, seedOf(20261129));
    expect(share).toBeGreaterThan(0.25);
    expect(share).toBeLessThan(0.75);
  });

  test('on random questions about an agent with parents', { timeout: 3_600_000 }, () => {
    const seed = seedOf(20261130);
    const draw = createDraw(seed);
    const count = Math.ceil(QUESTIONS / 10);
    let allowed = 0;
    for (let index = 0; index < count; index += 1) {
      const { told, expected, asked } = askChain(draw);
      if (expected.length === 0) allowed += 1;
      if (!isDeepStrictEqual(told, expected))
        expect.fail(`seed ${seed}, question ${index}: ${JSON.stringify({ told, expected, asked })}`);
    }
    expect(allowed / count).toBeGreaterThan(0.25);
    expect(allowed / count).toBeLessThan(0.75);
  });
});

/** An intent that is aimed at the conditions of one passport of a chain, with what all of them say. */
function askChain(draw: Draw) {
  const all = Array.from({ length: 2 + draw.below(3) }, () => (draw.chance(0.6) ? [] : conditionsOf(draw)));
  const aimed = draw.chance(0.5) ? all.flat().slice(0, 16) : draw.one(all);
  const action = draw.one(['mail.send', 'files.read']);
  const parameters = parametersFor(draw, aimed);
  const [own = [], ...above] = all;
  const ancestors = above.map((conditions, level) => ({
    ...passportWith(conditions),
    agent_id: ancestorId(level),
    ...(level + 1 < above.length && { parent_agent_id: ancestorId(level + 1) }),
  }));
  const passport = passportWith(own, { parent_agent_id: ancestorId(0) });
  const intent = intentOf(action, parameters);
  const { verdict, reasons } = decide({ passport, ancestors, intent, at: AT });
  const others = textbookCodes({ passport: passportWith([]), intent, at: Date.parse(AT), caller: null });
  const expected = [
    ...others.map((code) => ({ code })),
    ...conditionReasons(own, action, parameters),
    ...above.flatMap((conditions, level) => [
      ...others.map(() => ({ code: 'parent_denied' })),
      ...conditionReasons(conditions, action, parameters).map(({ code, ...facts }) => ({
        code: 'parent_denied',
        parent: ancestorId(level),
        reason: code,
        ...facts,
      })),
    ]),
  ];
  expect(verdict).toBe(reasons.length === 0 ? 'ALLOW' : 'DENY');
  return { told: toldBy(reasons), expected, asked: { all, action, parameters } };
}
