/** The two interoperability scenarios of the AuthZEN working group: the todo application, and API gateways. */
import { expect, test } from 'vitest';
import { defaultRules } from '../../../src/verdict/index.ts';
import { decisionsOf, objection, openPoint, type Point } from './fixture.ts';

/** The people, with their roles: an id of their identity provider, and what they may do. */
const PEOPLE = {
  rick: { number: 'A', mail: 'rick@the-citadel.com', role: 'admin' },
  morty: { number: 'E', mail: 'morty@the-citadel.com', role: 'editor' },
  summer: { number: 'I', mail: 'summer@the-smiths.com', role: 'editor' },
  beth: { number: 'M', mail: 'beth@the-smiths.com', role: 'viewer' },
  jerry: { number: 'Q', mail: 'jerry@the-smiths.com', role: 'viewer' },
} as const;

type Name = keyof typeof PEOPLE;

const NAMES = Object.keys(PEOPLE) as readonly Name[];

/** The subject as the identity provider names it. */
const idOf = (name: Name) =>
  `CiRmZD${PEOPLE[name].number}2MTRkMy1jMzlhLTQ3ODEtYjdiZC04Yjk2ZjVhNTEwMGQSBWxvY2Fs`;
const agentIdOf = ({ id }: { readonly id: string }) => {
  const name = NAMES.find((one) => idOf(one) === id);
  return name && `did:web:example.com:agents:${name}`;
};

/** A decision point in which each role may do its actions. */
function openFor(
  actionsOf: Readonly<Record<(typeof PEOPLE)[Name]['role'], readonly string[]>>,
  rules = defaultRules,
): Promise<Point> {
  const passports = NAMES.map((name) => {
    return {
      agent_name: name,
      allowed_actions: actionsOf[PEOPLE[name].role],
      metadata: { mail: PEOPLE[name].mail },
    };
  });
  return openPoint(passports, { authzen: { agentIdOf }, rules });
}

const ALL_ACTIONS = [
  'can_read_user',
  'can_read_todos',
  'can_create_todo',
  'can_update_todo',
  'can_delete_todo',
];
const OWNED = ['can_update_todo', 'can_delete_todo'];

async function openTodo(): Promise<Point> {
  const notOwner = objection('not_owner', ({ subject, resource }, action) => {
    const person = NAMES.map((name) => ({ id: idOf(name), ...PEOPLE[name] })).find(
      ({ id }) => id === subject.id,
    );
    return OWNED.includes(action) && person?.role !== 'admin' && resource['ownerID'] !== person?.mail;
  });
  const viewer = ['can_read_user', 'can_read_todos'];
  return openFor({ admin: ALL_ACTIONS, editor: ALL_ACTIONS, viewer }, [...defaultRules, notOwner]);
}

const identity = (name: Name) => ({ type: 'user', id: idOf(name) });
const todo = (owner: Name) => {
  const properties = { ownerID: PEOPLE[owner].mail };
  return { type: 'todo', id: '7240d0db-8ff0-41ec-98b2-34a096273b9f', properties };
};

/** What is expected of the eight questions that each person asks, as the working group lists it. */
const OF_TODOS: Readonly<Record<Name, string>> = {
  rick: '1111 1111',
  morty: '1111 0101',
  summer: '1111 0101',
  beth: '1110 0000',
  jerry: '1110 0000',
};

/** Rick's other todo is Morty's; the others try Rick's and then their own. */
function questionsOf(name: Name): readonly object[] {
  const owners: readonly Name[] = name === 'rick' ? ['rick', 'morty'] : ['rick', name];
  const subject = identity(name);
  return [
    ...['beth@the-smiths.com', PEOPLE[name].mail].map((id) => {
      return { subject, action: { name: 'can_read_user' }, resource: { type: 'user', id } };
    }),
    ...['can_read_todos', 'can_create_todo'].map((action) => {
      return { subject, action: { name: action }, resource: { type: 'todo', id: 'todo-1' } };
    }),
    ...OWNED.flatMap((action) =>
      owners.map((owner) => ({ subject, action: { name: action }, resource: todo(owner) })),
    ),
  ];
}

test('todo application: 40 of 40 decisions', async () => {
  const point = await openTodo();
  let agreed = 0;
  for (const name of NAMES) {
    const expected = [...OF_TODOS[name].replace(' ', '')].map((digit) => digit === '1');
    for (const [place, question] of questionsOf(name).entries()) {
      const [decision] = decisionsOf(await point.evaluation(question));
      expect([name, question, decision]).toEqual([name, question, expected[place]]);
      agreed += 1;
    }
  }
  expect(agreed).toBe(40);
});

test.each([
  ['rick', ['rick', 'jerry'], [true, true]],
  ['morty', ['rick', 'morty'], [false, true]],
  ['jerry', ['rick', 'jerry'], [false, false]],
] as const)('todo application, batch of %s', async (name, owners, expected) => {
  const point = await openTodo();
  const evaluations = owners.map((owner) => ({ resource: todo(owner) }));
  const json = { subject: identity(name), action: { name: 'can_update_todo' }, evaluations };
  expect(decisionsOf(await point.evaluations(json))).toEqual(expected);
});

const ROUTES = [
  ['GET', '/users/{userId}'],
  ['GET', '/todos'],
  ['POST', '/todos'],
  ['PUT', '/todos/{todoId}'],
  ['DELETE', '/todos/{todoId}'],
] as const;
const ROUTED: Readonly<Record<Name, string>> = {
  rick: '11111',
  morty: '11111',
  summer: '11111',
  beth: '11000',
  jerry: '11000',
};

test('API gateways: 25 of 25 decisions', async () => {
  const all = ['GET', 'POST', 'PUT', 'DELETE'];
  const point = await openFor({ admin: all, editor: all, viewer: ['GET'] });
  let agreed = 0;
  for (const name of NAMES) {
    for (const [place, [method, id]] of ROUTES.entries()) {
      const subject = { type: 'identity', id: idOf(name) };
      const json = { subject, action: { name: method }, resource: { type: 'route', id } };
      const [decision] = decisionsOf(await point.evaluation(json));
      expect([name, method, id, decision]).toEqual([name, method, id, ROUTED[name][place] === '1']);
      agreed += 1;
    }
  }
  expect(agreed).toBe(25);
});
