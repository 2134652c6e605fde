/** The audit: what was changed in an account, and by whom. */
import { expect, test } from 'vitest';
import { AUDIT_TYPES } from '../../../src/base/values/vocabulary.ts';
import { firstMemberId } from '../../../src/core/shared/people.ts';
import { fetchHandler } from '../../../src/http/index.ts';
import type { AuditEntry } from '../../../src/types.ts';
import { PASSPORT, toRequest } from '../../support/api.ts';
import { openService, PASSWORD } from '../../support/service.ts';
import { openShared, sharedStores } from '../../support/stores.ts';

const ANN = 'ann@example.com';
const BEN = 'ben@example.com';
const DAY = 86_400_000;
const SECRET_URL = 'https://hooks.example/a-secret-path';

/** An account in which everything happens that an audit has. */
async function openBusy(options = {}) {
  const opened = openService({ webhooks: { transport: silent, sends: false }, ...options });
  const { service, clock, secrets } = opened;
  const { id: account_id } = await service.accounts.create({ email: ANN, password: PASSWORD });
  const ann = { account_id, member_id: firstMemberId(account_id) };
  const step = <Result>(result: Promise<Result>): Promise<Result> => {
    clock.advance(1_000);
    return result;
  };
  const { member, link } = await step(service.members.invite({ role: 'viewer', email: BEN }, ann));
  secrets.add(link.token);
  await step(service.acceptLink({ token: link.token, password: PASSWORD }));
  await step(service.members.update(member.id, { role: 'editor' }, ann));
  const ben = { account_id, member_id: member.id };
  const { agent_id } = await step(service.passports.create({ ...PASSPORT, domain: 'own.example' }, ben));
  await step(service.passports.update(agent_id, { description: 'new' }, ben));
  const webhook = await step(service.webhooks.create({ url: SECRET_URL, types: ['key.*'] }, ben));
  secrets.add(webhook.secret);
  await step(service.webhooks.update(webhook.id, { description: 'x' }, ben));
  secrets.add((await step(service.webhooks.rotate(webhook.id, {}, ben))).secret);
  await step(service.webhooks.remove(webhook.id, ben));
  const key = await step(service.keys.create({ name: 'till', scopes: ['verify', 'events'] }, ben));
  secrets.add(key.key);
  await step(service.revoke({ agent_id }, { ...ann }));
  await step(service.domains.release('own.example', ann));
  const reset = await step(service.members.link(member.id, ann));
  secrets.add(reset.token);
  await step(service.acceptLink({ token: reset.token, password: PASSWORD }));
  await step(service.members.endSessions(member.id, ann));
  await step(service.members.remove(member.id, {}, ann));
  await step(service.accounts.setPlan(ANN, 'team'));
  await step(service.accounts.disable(ANN));
  await step(service.accounts.enable(ANN));
  return { ...opened, account_id, ann, ben, member, key, webhook };
}

const silent = { refusal: () => undefined, post: async () => ({ status: 204, retryAfter: null }) };

test('every change has its entry and its author, newest first, and no secret and no address', async () => {
  const { service, account_id, ann, ben, webhook, secrets } = await openBusy();
  const { data } = await service.audit.list({ limit: 100 }, { account_id });
  const [a, b, o] = [ann.member_id, ben.member_id, 'operator'];
  expect(data.map(({ type, by }) => [type, by]).reverse()).toEqual([
    ...[
      ['account.created', o],
      ['member.invited', a],
      ['member.joined', b],
      ['member.signed_in', b],
    ],
    ...[
      ['member.updated', a],
      ['domain.claimed', b],
      ['passport.created', b],
      ['passport.updated', b],
    ],
    ...[
      ['webhook.created', b],
      ['webhook.updated', b],
      ['webhook.rotated', b],
      ['webhook.removed', b],
    ],
    ...[
      ['key.created', b],
      ['passport.revoked', a],
      ['domain.released', a],
      ['member.link_created', a],
    ],
    ...[
      ['member.login_replaced', b],
      ['member.signed_in', b],
      ['member.sessions_ended', a],
    ],
    ...[
      ['member.removed', a],
      ['account.plan_changed', o],
      ['account.disabled', o],
      ['account.enabled', o],
    ],
  ]);
  const instants = data.map(({ timestamp }) => timestamp);
  expect(instants).toEqual([...instants].sort().reverse());
  const text = JSON.stringify(data);
  for (const hidden of [...secrets, ANN, BEN, SECRET_URL]) expect(text).not.toContain(hidden);
  expect(data.find(({ type }) => type === 'webhook.rotated')?.data).toEqual({ webhook_id: webhook.id });
  expect(data.find(({ type }) => type === 'account.plan_changed')?.data).toEqual({
    account_id,
    plan: 'team',
  });
  for (const { id, type } of data) {
    expect(id).toMatch(/^evt_\w+$/);
    expect(AUDIT_TYPES).toContain(type);
  }
});

test('filters, pages and CSV have the same entries', async () => {
  const { service, account_id, ann, clock } = await openBusy();
  const actor = { account_id };
  const all = (await service.audit.list({ limit: 100 }, actor)).data;
  const some = async (query: object) => (await service.audit.list({ limit: 100, ...query }, actor)).data;
  expect(await some({ type: 'member.signed_in' })).toEqual(
    all.filter(({ type }) => type === 'member.signed_in'),
  );
  expect(await some({ by: ann.member_id })).toEqual(all.filter(({ by }) => by === ann.member_id));
  expect(await some({ by: 'mem_nobody' })).toEqual([]);
  const middle = all[10]?.timestamp ?? '';
  expect(await some({ from: middle })).toEqual(all.filter(({ timestamp }) => timestamp >= middle));
  expect(await some({ to: middle })).toEqual(all.filter(({ timestamp }) => timestamp < middle));
  const paged: AuditEntry[] = [];
  for await (const { data } of service.as(actor).audit.list({ limit: 4, to: clock.instant(1) }))
    paged.push(...data);
  expect(paged).toEqual(all);
  let csv = '';
  for await (const piece of await service.audit.csv({ by: 'operator' }, actor)) csv += piece;
  const [head, ...lines] = csv.trim().split('\r\n');
  expect(head).toBe('id,type,timestamp,by,data');
  const operator = all.filter(({ by }) => by === 'operator');
  expect(lines.map((line) => line.split(',')[0])).toEqual(operator.map(({ id }) => id));
  expect(lines[0]).toBe(
    `${operator[0]?.id},account.enabled,${operator[0]?.timestamp},operator,"{""account_id"":""${account_id}""}"`,
  );
  for (const wrong of [
    { type: 'verdict.denied' },
    { type: 'member.*' },
    { by: '' },
    { from: 'x' },
    { limit: 0 },
  ])
    await expect(service.audit.list(wrong as never, actor)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  const { next_cursor: cursor } = await service.audit.list({ limit: 1 }, actor);
  await expect(service.audit.list({ cursor, by: 'operator' }, actor)).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

test('over HTTP it takes a token of any role, and no key; an unknown parameter is 400', async () => {
  const { service, key, account_id } = await openBusy();
  const handle = fetchHandler(service);
  const { access_token: token } = await service.login({ email: ANN, password: PASSWORD });
  const ask = (query = '', accept = 'application/json') =>
    handle(
      new Request(`https://id.example/api/audit${query}`, {
        headers: { authorization: `Bearer ${token}`, accept },
      }),
    );
  expect(await (await ask('?type=account.enabled')).json()).toMatchObject({ data: [{ by: 'operator' }] });
  const csv = await ask('', 'text/csv');
  expect(csv.headers.get('content-disposition')).toContain('audit.csv');
  expect((await csv.text()).split('\r\n')).toHaveLength(26);
  // A wrong type is answered with those that there are, in process as well.
  const [last, ...others] = [...AUDIT_TYPES].reverse();
  const message = `This must be ${others.reverse().join(', ')} or ${last}.`;
  const errors = [{ path: '/type', code: 'not_allowed', message }];
  const wrong = await ask('?type=passport.update');
  expect([wrong.status, await wrong.json()]).toEqual([400, expect.objectContaining({ errors })]);
  const inProcess = service.audit.list({ type: 'passport.update' as never }, { account_id });
  await expect(inProcess).rejects.toMatchObject({ details: { errors } });
  for (const query of ['?agent_id=x', '?type=', '?from=yesterday', '?since=2026-01-01T00:00:00Z'])
    expect((await ask(query)).status).toBe(400);
  expect((await handle(toRequest('GET', '/audit', { key: key.key }))).status).toBe(401);
});

test('changes stay for the days of the audit, requested approvals for seven, and streams resume for seven', async () => {
  const { service, account_id, clock, storage } = await openBusy({ auditDays: 30, clockOk: true });
  clock.advance(29 * DAY);
  expect((await service.audit.list({ limit: 100 }, { account_id })).data).toHaveLength(23);
  clock.advance(DAY + 60_000);
  await service.health();
  expect((await service.audit.list({ limit: 100 }, { account_id })).data).toEqual([]);
  expect(await storage.list('events', { where: { account_id }, limit: 100 })).toHaveLength(23);
  for (const auditDays of [6, 36_501, 1.5, Number.NaN])
    expect(() => openService({ auditDays })).toThrow(
      expect.objectContaining({ code: 'invalid_configuration' }),
    );
});

test('an account sees its own entries alone, and a key no event of webhooks and members', async () => {
  const { service, account_id, key } = await openBusy();
  const other = await service.accounts.create({ email: 'cy@example.com', password: PASSWORD });
  expect((await service.audit.list({}, { account_id: other.id })).data).toHaveLength(1);
  const { cursor } = { cursor: (await service.audit.list({ limit: 1 }, { account_id })).next_cursor };
  await expect(service.audit.list({ cursor }, { account_id: other.id })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  const caller = await service.serving.authenticateKey(key.key, {});
  const stream = await service.events.open({}, caller);
  const { webhooks, domains: _ } = service;
  await webhooks.create({ url: SECRET_URL, types: ['key.*'] }, { account_id });
  await service.members.invite({ role: 'viewer' }, { account_id });
  await service.passports.create({ ...PASSPORT, domain: 'seen.example' }, { account_id });
  const types: string[] = [];
  for await (const { type } of stream) {
    types.push(type);
    if (type === 'passport.created') break;
  }
  expect(types.filter((type) => /^(webhook|member|key|account)/.test(type))).toEqual([]);
});

test.each(await sharedStores())('on $name a page is read newest first on every node', async (store) => {
  const [first, second] = await openShared(store, 2);
  const { service: one } = openService({ ...(first && { storage: first }) });
  const { service: two } = openService({ ...(second && { storage: second }) });
  const { id: account_id } = await one.accounts.create({ email: ANN, password: PASSWORD });
  await two.members.invite({ role: 'viewer' }, { account_id });
  const { data } = await two.audit.list({}, { account_id });
  expect(data.map(({ type }) => type).sort()).toEqual(['account.created', 'member.invited']);
  expect(await one.audit.list({}, { account_id })).toMatchObject({ data });
});
