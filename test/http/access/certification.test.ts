/** The certification scenario of the Authorization API 1.0: Basic and Batch, Core and Properties, by its section numbers. */
import { beforeEach, describe, expect, test } from 'vitest';
import { decisionsOf, openScenario, type Point } from './fixture.ts';

const user = (id: string, properties?: object) => ({ type: 'user', id, ...(properties && { properties }) });
const record = (id: string, status?: string) => {
  return { type: 'record', id, ...(status !== undefined && { properties: { status } }) };
};
const [alice, bob, admin] = [user('alice'), user('bob'), user('bob', { role: 'admin' })];
const [one, two, active, archived] = [
  record('record-1'),
  record('record-2'),
  record('record-1', 'active'),
  record('record-2', 'archived'),
];
const action = (name: string, properties?: object) => ({ name, ...(properties && { properties }) });
const [read, write] = [action('read'), action('write')];

let point: Point;
beforeEach(async () => {
  point = await openScenario();
});

describe('the eight mandated decisions (1.4)', () => {
  test.each([
    [1, { subject: alice, action: read, resource: one }, true],
    [2, { subject: alice, action: write, resource: one }, true],
    [3, { subject: bob, action: read, resource: one }, true],
    [4, { subject: bob, action: write, resource: one }, false],
    [5, { subject: alice, action: write, resource: archived }, false],
    [6, { subject: admin, action: write, resource: archived }, true],
    [7, { subject: alice, action: action('delete', { soft: true }), resource: one }, true],
    [8, { subject: alice, action: action('delete', { soft: false }), resource: one }, false],
  ])('rule %i, with and without a context, each time the same (2.6)', async (_, question, expected) => {
    const context = { time: '2025-06-27T18:03-07:00', ip: '192.168.1.1' };
    for (const asked of [question, question, { ...question, context }]) {
      expect(decisionsOf(await point.evaluation(asked))).toEqual([expected]);
      expect(decisionsOf(await point.evaluations(asked))).toEqual([expected]);
    }
  });
});

describe('Basic', () => {
  test('further properties and unknown fields change nothing (2.2.8, 2.2.9)', async () => {
    const subject = user('alice', { department: 'Sales', role: 'manager' });
    const resource = { ...one, properties: { status: 'active', owner: 'bob' } };
    const more = { subject, action: action('read', { method: 'GET' }), resource };
    const unknown = {
      subject: alice,
      action: read,
      resource: one,
      foo: 'bar',
      futureField: { nested: true },
    };
    expect(decisionsOf(await point.evaluation(more))).toEqual([true]);
    expect(decisionsOf(await point.evaluation(unknown))).toEqual([true]);
  });

  const whole = { subject: alice, action: read, resource: one };
  test.each([
    ['without subject', { ...whole, subject: undefined }],
    ['without action', { ...whole, action: undefined }],
    ['without resource', { ...whole, resource: undefined }],
    ['without subject.type', { ...whole, subject: { id: 'alice' } }],
    ['without subject.id', { ...whole, subject: { type: 'user' } }],
    ['without action.name', { ...whole, action: {} }],
    ['without resource.type', { ...whole, resource: { id: 'record-1' } }],
    ['without resource.id', { ...whole, resource: { type: 'record' } }],
    ['with a subject of another type', { ...whole, subject: 'alice' }],
    ['with a name of another type', { ...whole, action: { name: 123 } }],
  ])('a request %s is 400 (2.4.1, 2.4.2, 2.4.6)', async (_, json) => {
    expect((await point.evaluation(json)).status).toBe(400);
    expect((await point.evaluations(json)).status).toBe(400);
  });

  test('another content type, text that is not JSON, and no body are 400 (2.4.3 to 2.4.5)', async () => {
    const body = JSON.stringify(whole);
    for (const ask of [
      { body, type: 'text/plain' },
      { body, type: 'application/xml' },
      { body, type: null },
      { body: '{"subject":' },
      { body: '' },
      { body: '[]' },
    ]) {
      expect((await point.evaluation(undefined, ask)).status).toBe(400);
      expect((await point.evaluations(undefined, ask)).status).toBe(400);
    }
  });

  test('the id of a request is echoed, and made where there is none (2.5)', async () => {
    const authorization = `Bearer ${point.key}`;
    const headers = { authorization, 'x-request-id': 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716' };
    for (const json of [whole, {}]) {
      const given = await point.evaluation(json, { headers });
      expect(given.headers.get('x-request-id')).toBe(headers['x-request-id']);
      expect((await point.evaluation(json)).headers.get('x-request-id')).toMatch(/^req_/);
    }
  });
});

describe('Batch', () => {
  test.each([
    [
      '3.2.1',
      { subject: alice, action: read, evaluations: [{ resource: one }, { resource: two }] },
      [true, true],
    ],
    [
      '3.2.2',
      { subject: bob, resource: one, evaluations: [{ action: read }, { action: write }] },
      [true, false],
    ],
    [
      '3.2.3',
      { subject: alice, action: write, evaluations: [{ resource: active }, { resource: archived }] },
      [true, false],
    ],
    [
      '3.2.4',
      { action: write, resource: archived, evaluations: [{ subject: alice }, { subject: admin }] },
      [false, true],
    ],
    [
      '3.2.5',
      {
        evaluations: [
          { subject: alice, action: read, resource: one },
          { subject: bob, action: write, resource: one },
        ],
      },
      [true, false],
    ],
    [
      '3.2.6',
      {
        ...{ subject: alice, action: read, context: { time: '2025-06-27T18:03-07:00' } },
        evaluations: [{ resource: one }, { resource: two, context: { source: 'batch-override' } }],
      },
      [true, true],
    ],
    [
      '3.2.7',
      {
        ...{ subject: alice, action: write, resource: { type: 'record' } },
        evaluations: [
          { resource: { id: 'record-1', properties: { status: 'active' } } },
          { resource: archived },
        ],
      },
      [true, false],
    ],
    ['3.4.1', { subject: alice, action: read, evaluations: [{ resource: one }, {}] }, [true, false]],
    ['3.4.2', { subject: alice, action: read, resource: one }, [true]],
    ['3.4.3', { subject: alice, action: read, resource: one, evaluations: [] }, [true]],
  ])('%s: the decisions come in the order of the questions', async (_, json, expected) => {
    const answer = await point.evaluations(json);
    expect(decisionsOf(answer)).toEqual(expected);
    // Without `evaluations` it is a single decision; with them there is none beside them (3.3.4).
    expect('decision' in answer.body).toBe(!('evaluations' in json) || json.evaluations.length === 0);
  });
});
