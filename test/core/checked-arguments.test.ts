/** The first arguments of a method in process are checked as over HTTP. */
import { expect, test } from 'vitest';
import { CORE_TABLES, LOCAL_METHODS } from '../../src/core/core-operations.ts';
import { signOperations } from '../../src/identity/operations.ts';
import type { IdentityService } from '../../src/index.ts';
import { idsOf, type OperationTable, optionsPlace } from '../../src/operations/operation.ts';
import { memberOperations } from '../../src/people/operations.ts';
import { replayOperations } from '../../src/replay/operations.ts';
import { webhookOperations } from '../../src/webhooks/operations.ts';
import { openLocalService, openService } from '../support/service.ts';

type Method = (...input: unknown[]) => unknown;

const TABLES: readonly OperationTable[] = [
  ...CORE_TABLES,
  memberOperations,
  webhookOperations,
  replayOperations,
  signOperations,
];
const methods = TABLES.flatMap(({ room, operations }) =>
  Object.entries(operations).map(([name, operation]) => ({
    ...{ room, name, ids: idsOf(operation), place: optionsPlace(operation) },
    isList: operation.query !== undefined,
  })),
);

async function refusal(method: Method, ...input: readonly unknown[]): Promise<unknown> {
  try {
    await method(...input);
    return 'taken';
  } catch (error) {
    const { code, details } = error as { code: string; details?: { errors?: readonly object[] } };
    return [code, details?.errors];
  }
}

function methodOf(service: IdentityService, room: string, name: string): Method {
  const rooms = service as unknown as Readonly<Record<string, Readonly<Record<string, Method>>>>;
  const owner = room === '' ? (rooms as unknown as Readonly<Record<string, Method>>) : rooms[room];
  const method = owner?.[name];
  if (method === undefined) throw new Error(`There is no method ${room}.${name}.`);
  return method;
}

const OF_ONE = [...methods, ...LOCAL_METHODS].filter(({ ids }) => ids > 0);

test('every method that takes an id refuses one that is no text with invalid_request', async () => {
  const { service } = openService();
  expect(OF_ONE.length).toBeGreaterThan(30);
  for (const { room, name, ids } of OF_ONE) {
    for (const id of [undefined, null, 5, {}, ['a'], Symbol.iterator]) {
      for (let place = 0; place < ids; place += 1) {
        const input = Array.from({ length: ids }, (_, index) => (index === place ? id : 'an id'));
        expect([room, name, await refusal(methodOf(service, room, name), ...input)]).toEqual([
          room,
          name,
          ['invalid_request', [expect.objectContaining({ code: 'invalid_type' })]],
        ]);
      }
    }
  }
});

const LISTS = methods
  .filter(({ isList }) => isList)
  .map((list) => [`${list.room}.${list.name}`, list] as const);

test.each(LISTS)('%s refuses a filter that it does not have', async (_, { room, name, ids, place }) => {
  const { service } = openService();
  const list = methodOf(service, room, name);
  const ofPath = Array.from({ length: ids }, () => 'an id');
  expect(place).toBe(ids + 1);
  expect(await refusal(list, ...ofPath, { agentid: 'a' })).toEqual([
    'invalid_request',
    [expect.objectContaining({ path: '/agentid', code: 'unknown_field' })],
  ]);
});

test.each([
  'passports.list',
  'approvals.list',
  'keys.list',
  'verifications.list',
  'verifications.csv',
  'audit.list',
  'audit.csv',
])('%s takes no filter and an empty one', async (name) => {
  const { service } = openLocalService();
  const [room = '', method = ''] = name.split('.');
  const list = methodOf(service, room, method);
  expect(await refusal(list, undefined)).toBe('taken');
  expect(await refusal(list, {})).toBe('taken');
});

test('analytics names the filter that was meant', async () => {
  const { service } = openLocalService();
  const told = await refusal(service.analytics as Method, { agent: 'a' });
  expect(told).toMatchObject(['invalid_request', [{ path: '/agent', code: 'unknown_field' }]]);
});
