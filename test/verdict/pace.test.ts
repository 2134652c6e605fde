import { describe, expect, test } from 'vitest';
import { DEFERRED } from '../../src/verdict/budgets.ts';
import { decide, defaultRules, prepare, type Rule } from '../../src/verdict/index.ts';
import { AT, ask, codes, PASSPORT } from '../support/question.ts';

const ID = PASSPORT.agent_id;
const PACE = { pace: [{ name: 'mails', actions: ['pay'], max: 5, seconds: 60 }] };
const LATER = '2100-01-01T00:00:00.000Z';
const silent: Rule = () => undefined;

/** The reasons with this history, plain and prepared, with and without a rule of the application. */
function reasonsOf(history: unknown, passport: object = PACE, intent: object = {}) {
  const rest = history === undefined ? {} : { history: history as never };
  const { reasons } = ask(passport, intent, rest);
  expect(ask(passport, intent, rest, [...defaultRules, silent]).reasons).toEqual(reasons);
  const prepared = { ...rest, passport: prepare({ ...PASSPORT, ...passport } as typeof PASSPORT) };
  expect(ask({}, intent, prepared).reasons).toEqual(reasons);
  return reasons;
}

const UNKNOWN = [{ code: 'history_unknown', message: 'The history of the agent is not known.' }];

describe('a pace', () => {
  test('passes with null, and denies before an instant', () => {
    expect(reasonsOf({ [ID]: { mails: null } })).toEqual([]);
    expect(reasonsOf({ [ID]: { mails: LATER } })).toEqual([
      {
        code: 'pace_exceeded',
        message: 'The agent is too fast.',
        agent_id: ID,
        pace: 'mails',
        max: 5,
        seconds: 60,
        until: LATER,
      },
    ]);
    const at = new Date(AT as string | number).toISOString();
    expect(reasonsOf({ [ID]: { mails: at } })).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['absent', undefined],
    ['null', null],
    ['of another agent', { other: { mails: null } }],
    ['of another name', { [ID]: { pace: null } }],
    ['inherited', { [ID]: Object.create({ mails: null }) }],
    ['a number', { [ID]: { mails: 0 } }],
    ['no instant', { [ID]: { mails: 'soon' } }],
  ])('with a history that is %s is not known', (_, history) => {
    expect(reasonsOf(history)).toEqual(UNKNOWN);
  });

  test('of another action asks for no history', () => {
    const other = { pace: [{ name: 'mails', actions: ['sell'], max: 5, seconds: 60 }] };
    expect(reasonsOf(undefined, other)).toEqual([]);
    expect(reasonsOf(undefined, { pace: [{ max: 5, seconds: 60 }] })).toEqual(UNKNOWN);
    expect(reasonsOf({ [ID]: { pace: null } }, { pace: [{ max: 5, seconds: 60 }] })).toEqual([]);
  });

  test('denies before budgets and approvals, and after all other rules', () => {
    const budgets = [{ name: 'day', window: 'day', count: 1 }];
    const all = { ...PACE, budgets, approval: { actions: ['pay'] } };
    const full = { budgets: { [ID]: { day: { count: 1 } } } };
    const fast = { history: { [ID]: { mails: LATER } } };
    expect(codes(all, {}, { ...full, ...fast } as never)).toEqual(['pace_exceeded']);
    expect(codes(all, {}, full as never)).toEqual(['history_unknown']);
    expect(codes(all, {}, { ...full, history: { [ID]: { mails: null } } } as never)).toEqual([
      'budget_exceeded',
    ]);
    expect(codes({ ...all, denied_actions: ['pay'] }, {}, fast as never)).toEqual(['action_denied']);
    expect(codes(PACE, {}, { budgets: DEFERRED } as never)).toEqual(['ALLOW']);
  });

  test('of a passport above counts as well', () => {
    const parent = { ...PASSPORT, ...PACE, agent_id: 'did:web:shop.example:agents:parent' };
    const child = { ...PASSPORT, parent_agent_id: parent.agent_id };
    const intent = { agent_id: ID, action: 'pay' };
    const question = { passport: child, intent, at: AT, ancestors: [parent] } as never as Parameters<
      typeof decide
    >[0];
    expect(decide(question).reasons).toEqual(UNKNOWN);
    const history = { [parent.agent_id]: { mails: LATER } };
    expect(decide({ ...question, history }).reasons).toMatchObject([
      { agent_id: parent.agent_id, until: LATER },
    ]);
  });

  test.each<[string, unknown]>([
    ['is no list', {}],
    ['has five entries', ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, max: 2, seconds: 1 }))],
    ['has a name twice', [PACE.pace[0], PACE.pace[0]]],
    ['has a wrong name', [{ name: 'A', max: 1, seconds: 1 }]],
    ['has no max', [{ seconds: 1 }]],
    ['has a max of 0', [{ max: 0, seconds: 1 }]],
    ['has a max above 10,000', [{ max: 10_001, seconds: 1 }]],
    ['has no seconds', [{ max: 1 }]],
    ['has half a second', [{ max: 1, seconds: 0.5 }]],
    ['has more than a week', [{ max: 1, seconds: 604_801 }]],
    ['has no actions', [{ max: 1, seconds: 1, actions: [] }]],
    ['has an unknown field', [{ max: 1, seconds: 1, burst: 9 }]],
  ])('that %s allows nothing', (_, pace) => {
    expect(codes({ pace }, {}, { history: { [ID]: { pace: null, mails: null } } } as never)).toEqual([
      'rule_failed',
    ]);
  });
});
