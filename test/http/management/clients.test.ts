/** Management keys in the clients, the command and event streams. */
import { expect, test } from 'vitest';
import { createAdminClient, createIdentityClient } from '../../../src/client.ts';
import { fetchHandler } from '../../../src/http/index.ts';
import { readEvents } from '../../support/event-reader.ts';
import { openTeam } from './team.ts';

const baseUrl = 'https://id.example.com/api';

test('the admin client takes a management key, and no other credential next to it', async () => {
  const { service, keyOf, agent_id } = await openTeam();
  const apiKey = await keyOf(['passports:read']);
  const fetch = (url: URL | RequestInfo, init?: RequestInit) => fetchHandler(service)(new Request(url, init));
  const admin = createAdminClient({ baseUrl, apiKey, fetch });
  expect((await admin.passports.get(agent_id)).agent_id).toBe(agent_id);
  const refused = { code: 'insufficient_scope' };
  await expect(admin.passports.update(agent_id, { description: 'x' })).rejects.toMatchObject(refused);
  await expect(admin.members.list()).rejects.toMatchObject(refused);
  await admin.logout();
  expect((await admin.account()).key?.scopes).toEqual(['passports:read']);
  const two = { baseUrl, apiKey, accessToken: 'a.b.c' } as never;
  expect(() => createAdminClient(two)).toThrow('apiKey stands for email and password');
  expect(() => createAdminClient({ baseUrl, apiKey: 'ais_live_x' })).toThrow('no management key');
});

test('a client that asks for verdicts refuses a management key', async () => {
  const { keyOf } = await openTeam();
  const apiKey = await keyOf(['passports:read']);
  expect(() => createIdentityClient({ baseUrl, apiKey })).toThrow('gets no verdicts');
});

test('events are those that the scopes may read, until the person is removed', async () => {
  const { service, keyOf, join, api, account_id, agent_id, timers } = await openTeam();
  const editor = await join('editor');
  const { member } = (await api.ask('GET', '/account', { token: editor })).body as { member: { id: string } };
  const key = await keyOf(['audit:read'], {}, editor);
  const handle = fetchHandler(service);
  const reader = await readEvents((signal) =>
    handle(new Request('http://127.0.0.1/api/events', { headers: { 'x-api-key': key }, signal })),
  );
  await service.verify({ agent_id, action: 'orders.get' }, { account_id });
  await service.passports.update(agent_id, { description: 'new' }, { account_id });
  const events = await reader.until((seen) => seen.some(({ type }) => type === 'passport.updated'));
  expect(events.every(({ type }) => !/^(?:verdict|outcome)\./.test(type))).toBe(true);
  await service.members.remove(member.id, {}, { account_id });
  await timers.pass(2_000);
  await reader.ended;
});
