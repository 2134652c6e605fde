/** The limits that a reason is about: what dashboard and command show beside a denial. */
import { expect, test } from 'vitest';
import type { Order } from '../../src/records.ts';
import { decide, limitsBehind, type Reason } from '../../src/verdict/index.ts';
import { AT } from '../support/question.ts';
import { conditionsOf, parametersFor } from './conditions/arbitraries.ts';
import { intentOf, isOfCondition, passportWith } from './conditions/asking.ts';
import { createDraw } from './conditions/draw.ts';

const SEED = 54;
const ACTION = 'payments.send';

test('names a condition for every reason of a condition, and each of them denies by itself', () => {
  const draw = createDraw(SEED);
  let reasons = 0;
  for (let round = 0; round < 4_000; round += 1) {
    const conditions = conditionsOf(draw);
    const intent = intentOf(ACTION, parametersFor(draw, conditions));
    const passport = passportWith(conditions);
    for (const reason of decide({ passport, intent, at: AT }).reasons.filter(isOfCondition)) {
      const { conditions: named = [] } = limitsBehind(reason, ACTION, passport);
      const codes = named.map((condition) =>
        decide({ passport: passportWith([condition as never]), intent, at: AT }).reasons.map(
          ({ code }) => code,
        ),
      );
      expect(codes.flat(), `seed ${SEED}, round ${round} ${JSON.stringify([reason, conditions])}`).toContain(
        reason.code,
      );
      reasons += 1;
    }
  }
  expect(reasons).toBeGreaterThan(1_000);
});

const MAIL = { at: '/to', email_in: ['@example.com'] };
const RANGE = { actions: ['payments.*'], at: '/amount', min: '1', max: '5' };
const TESTED: Order = {
  name: 'tested',
  actions: ['deploy.run'],
  needs: { actions: ['tests.run'], seconds: 60 },
  same: ['session', '/commit'],
};
const passport = {
  agent_id: 'did:web:example.com:agents:mailer',
  conditions: [MAIL, RANGE],
  order: [TESTED],
};

test.each<[string, Record<string, string>, string, object]>([
  [
    'a failed test',
    { code: 'parameter_not_allowed', at: '/to', test: 'email_in' },
    'a',
    { conditions: [MAIL] },
  ],
  [
    'an end of a range',
    { code: 'parameter_not_allowed', at: '/amount', test: 'max' },
    ACTION,
    { conditions: [RANGE] },
  ],
  ['another action', { code: 'parameter_not_allowed', at: '/amount', test: 'max' }, 'orders.get', {}],
  ['another test', { code: 'parameter_not_allowed', at: '/to', test: 'in' }, 'a', {}],
  ['a missing value', { code: 'parameter_required', at: '/to' }, 'a', { conditions: [MAIL] }],
  [
    'a reason of the parent',
    { code: 'parent_denied', reason: 'parameter_required', at: '/to' },
    'a',
    { conditions: [MAIL] },
  ],
  ['an order', { code: 'order_required', order: 'tested' }, 'deploy.run', { order: [TESTED] }],
  ['a session', { code: 'session_required', order: 'tested' }, 'tests.run', { order: [TESTED] }],
  ['a value of an order', { code: 'parameter_required', at: '/commit' }, 'tests.run', { order: [TESTED] }],
  [
    'an unfit value of an order',
    { code: 'parameter_not_allowed', at: '/commit', test: 'same' },
    'deploy.run',
    { order: [TESTED] },
  ],
  ['an order that is gone', { code: 'order_required', order: 'other' }, 'deploy.run', {}],
  ['no limit', { code: 'action_denied' }, 'a', {}],
])('returns the limits behind %s', (_, reason, action, limits) => {
  expect(limitsBehind({ message: '', ...reason } as Reason, action, passport)).toEqual(limits);
});
