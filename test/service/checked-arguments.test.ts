/** The first argument of a verb in process is checked as over HTTP. */
import { expect, test } from 'vitest';
import type { IdentityService } from '../../src/index.ts';
import { openLocalService, openService } from '../support/service.ts';

type Verb = (...given: never[]) => unknown;

async function refusal(verb: Verb | undefined, given: unknown): Promise<unknown> {
  try {
    await verb?.(given as never);
    return 'taken';
  } catch (error) {
    const { code, details } = error as { code: string; details?: { errors?: readonly object[] } };
    return [code, details?.errors];
  }
}

const OF_ONE = {
  approvals: ['get', 'wait', 'approve', 'reject'],
  keys: ['get', 'update', 'rotate', 'revoke'],
  members: ['update', 'remove', 'link', 'endSessions'],
  passports: ['get', 'versions', 'update', 'budgets', 'purge', 'effective', 'replay', 'sign'],
  spends: ['get', 'commit', 'release'],
  webhooks: ['get', 'update', 'remove', 'rotate', 'test', 'deliveries', 'redeliver'],
} as const;

function verbOf(service: IdentityService, room: string, verb: string): Verb | undefined {
  const rooms = service as unknown as Readonly<Record<string, Readonly<Record<string, Verb>>>>;
  return rooms[room]?.[verb];
}

test('an id that is no text is invalid_request in every verb that takes one', async () => {
  const { service } = openService();
  for (const [room, verbs] of Object.entries(OF_ONE)) {
    for (const verb of verbs) {
      for (const id of [undefined, null, 5, {}, ['a']]) {
        const told = await refusal(verbOf(service, room, verb), id);
        expect([room, verb, told]).toEqual([
          room,
          verb,
          ['invalid_request', [expect.objectContaining({ code: 'invalid_type' })]],
        ]);
      }
    }
  }
});

test.each([
  'passports.list',
  'approvals.list',
  'keys.list',
  'verifications.list',
  'verifications.csv',
  'audit.list',
  'audit.csv',
])('%s refuses a filter that it does not have', async (name) => {
  const { service } = openLocalService();
  const [room = '', verb = ''] = name.split('.');
  const list = verbOf(service, room, verb);
  expect(await refusal(list, { agentid: 'a' })).toEqual([
    'invalid_request',
    [expect.objectContaining({ path: '/agentid', code: 'unknown_field' })],
  ]);
  expect(await refusal(list, undefined)).toBe('taken');
  expect(await refusal(list, {})).toBe('taken');
});

test('analytics refuses a filter that it does not have, and names the right one', async () => {
  const { service } = openLocalService();
  const told = await refusal(service.analytics as Verb, { agent: 'a' });
  expect(told).toMatchObject(['invalid_request', [{ path: '/agent', code: 'unknown_field' }]]);
});
