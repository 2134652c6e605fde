/** Several questions at once (section 7.1): which of them the service evaluates, counts and records. */
import { describe, expect, test } from 'vitest';
import { dataOf } from '../../support/api.ts';
import { decisionsOf, openPoint, openScenario, type Point } from './fixture.ts';

const subject = { type: 'user', id: 'alice' };
const resource = { type: 'record', id: 'record-1' };
const [allowed, denied, malformed] = [
  { action: { name: 'read' } },
  { action: { name: 'fly' } },
  { action: {} },
];

/** How many verdicts are filed. */
async function filed({ api, token }: Point): Promise<number> {
  return dataOf(await api.ask('GET', '/verifications', { token })).length;
}

/** How many verifications are left of the rate. */
function leftOf(headers: Headers): number {
  return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
}

describe('the semantic', () => {
  test.each([
    ['execute_all', [allowed, denied, allowed], [true, false, true]],
    [undefined, [denied, allowed, malformed], [false, true, false]],
    ['deny_on_first_deny', [allowed, denied, allowed], [true, false]],
    ['deny_on_first_deny', [allowed, malformed, allowed], [true, false]],
    ['deny_on_first_deny', [allowed, allowed], [true, true]],
    ['permit_on_first_permit', [denied, allowed, denied], [false, true]],
    ['permit_on_first_permit', [malformed, denied], [false, false]],
  ])(
    '%s evaluates, counts and records up to the decisive question',
    async (semantic, evaluations, expected) => {
      const point = await openScenario();
      const options = semantic && { evaluations_semantic: semantic, another_option: 'value' };
      const answer = await point.evaluations({ subject, resource, evaluations, ...(options && { options }) });
      expect(decisionsOf(answer)).toEqual(expected);
      const evaluated = evaluations.slice(0, expected.length).filter((one) => one !== malformed);
      expect(await filed(point)).toBe(evaluated.length);
      if (point.isBeside) return;
      const all = semantic === undefined || semantic === 'execute_all';
      expect(leftOf(answer.headers)).toBe(6_000 - (all ? evaluations.length : expected.length));
    },
  );

  test('spends nothing for an answer that is cut', async () => {
    const budgets = [{ name: 'day', window: 'day', limit: 100 }];
    const point = await openPoint([{ currency: 'EUR', monetary_actions: ['payments.create'], budgets }]);
    const pay = { name: 'payments.create', properties: { amount: 5, currency: 'EUR' } };
    const shopper = { type: 'agent', id: 'shopper' };
    const options = { evaluations_semantic: 'permit_on_first_permit' };
    const evaluations = [{ action: pay }, { action: pay }, { action: pay }];
    const answer = await point.evaluations({ subject: shopper, resource, options, evaluations });
    expect(decisionsOf(answer)).toEqual([true]);
    const path = `/passports/${encodeURIComponent('did:web:example.com:agents:shopper')}/budgets`;
    const { body } = await point.api.ask('GET', path, { token: point.token });
    expect(body['data']).toMatchObject([{ spent: 5 }]);
  });

  test('one after the other: the second meets what the first has spent', async () => {
    const budgets = [{ name: 'day', window: 'day', limit: 5 }];
    const point = await openPoint([{ currency: 'EUR', monetary_actions: ['payments.create'], budgets }]);
    const action = { name: 'payments.create', properties: { amount: 5, currency: 'EUR' } };
    const shopper = { type: 'agent', id: 'shopper' };
    const answer = await point.evaluations({ subject: shopper, resource, action, evaluations: [{}, {}] });
    expect(decisionsOf(answer)).toEqual([true, false]);
  });
});

describe('the defaults', () => {
  test('are replaced as a whole, but for the texts that a part must have', async () => {
    const point = await openScenario();
    const archived = { type: 'record', id: 'record-2', properties: { status: 'archived' } };
    const write = { name: 'write' };
    const defaults = { subject, action: write, resource: archived };
    const ask = async (evaluations: readonly object[]) =>
      decisionsOf(await point.evaluations({ ...defaults, evaluations }));
    expect(await ask([{}, { resource }])).toEqual([false, true]);
    // The properties of the default are not those of a resource that has none.
    expect(await ask([{ resource: { id: 'record-1' } }, { resource: { type: 'x' } }])).toEqual([true, true]);
    expect(await ask([{ action: { properties: { soft: true } } }])).toEqual([false]);
  });

  test.each([
    ['a default of another type', { subject: 'alice', evaluations: [{ subject, resource, ...allowed }] }],
    [
      'a text of another type in a default',
      { subject: { id: 7 }, evaluations: [{ subject, resource, ...allowed }] },
    ],
    ['a context of another type', { context: [], evaluations: [{ subject, resource, ...allowed }] }],
    ['evaluations of another type', { subject, resource, ...allowed, evaluations: {} }],
    ['options of another type', { subject, resource, evaluations: [allowed], options: 'execute_all' }],
    [
      'an unknown semantic',
      { subject, resource, evaluations: [allowed], options: { evaluations_semantic: 'any' } },
    ],
    [
      'a semantic of another type',
      { subject, resource, evaluations: [allowed], options: { evaluations_semantic: 1 } },
    ],
    ['more than a hundred', { subject, resource, evaluations: Array.from({ length: 101 }, () => allowed) }],
  ])('%s refuses the whole request', async (_, json) => {
    const point = await openScenario();
    expect((await point.evaluations(json)).status).toBe(400);
    expect(await filed(point)).toBe(0);
  });
});

test('names the fault of a malformed question, and evaluates the others', async () => {
  const point = await openScenario();
  const evaluations = [
    { action: { name: 7 } },
    'x',
    allowed,
    null,
    { ...allowed, resource: { id: 'a' }, subject: {} },
  ];
  const answer = await point.evaluations({ subject, resource, evaluations });
  const wrong = (message: string) => {
    return {
      decision: false,
      context: { error: { status: 400, message: expect.stringContaining(message) } },
    };
  };
  expect(answer.body['evaluations']).toEqual([
    wrong('/action/name'),
    wrong('JSON object'),
    { decision: true, context: { decision_id: expect.stringMatching(/^dec_/) } },
    wrong('JSON object'),
    { decision: true, context: { decision_id: expect.stringMatching(/^dec_/) } },
  ]);
});

test('evaluates a hundred questions, and refuses as a whole more than the rate allows', async () => {
  const plans = { starter: { keys: 9, passports: 9, verifications_per_minute: 150 } };
  const point = await openScenario({ plans });
  const json = { subject, resource, evaluations: Array.from({ length: 100 }, () => allowed) };
  expect(decisionsOf(await point.evaluations(json))).toHaveLength(100);
  expect((await point.evaluations(json)).status).toBe(429);
  // What stands beside the service asks it one question after the other, and does not know what is left.
  if (point.isBeside) return;
  expect((await point.api.ask('GET', '/verifications?limit=100', { token: point.token })).body).toMatchObject(
    {
      has_more: false,
    },
  );
});
