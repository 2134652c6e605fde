import { expect, test } from 'vitest';
import type { WholeService as IdentityService } from '../../src/capabilities.ts';
import type { AdminClient } from '../../src/client.ts';
import { createAdminClient, createIdentityClient } from '../../src/client.ts';
import type { RoomName } from '../../src/http/api-host.ts';
import { endpoints } from '../../src/http/endpoints.ts';
import { PASSWORD } from '../support/service.ts';
import { AGENT, openVerdictStage } from '../support/verdict-stage.ts';

type Room = {
  [Name in keyof AdminClient]: AdminClient[Name] extends (...given: never[]) => unknown ? never : Name;
}[keyof AdminClient];

/** The arguments of a method before its options, and its answer. */
type Method<Member> = Member extends (...given: infer Given) => PromiseLike<infer Answer>
  ? [Required<Given> extends [...infer Front, unknown] ? Front : never, Answer]
  : never;
type Methods<Of> = { [Name in keyof Of]: Method<Of[Name]> };
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

/** Does not compile if a method of the service has other arguments or answers than the method of the admin client. */
const SAME: {
  [Name in Room]: Same<
    Methods<AdminClient[Name]>,
    Methods<Pick<IdentityService[Name], keyof AdminClient[Name] & keyof IdentityService[Name]>>
  >;
} & { own: Same<Methods<Pick<AdminClient, Own>>, Methods<Pick<IdentityService, Own>>> } = {
  ...{ keys: true, passports: true, domains: true, spends: true, webhooks: true, approvals: true },
  ...{ members: true, evidence: true },
  ...{ verifications: true, audit: true, subjects: true, own: true },
};
type Own =
  | 'analytics'
  | 'revoke'
  | 'suspend'
  | 'reinstate'
  | 'account'
  | 'changePassword'
  | 'deleteAccount'
  | 'readLink'
  | 'acceptLink';

/** The methods of the service that an account does not use: to open a session, for keys, and for third parties. */
const NOT_OF_ACCOUNTS: readonly (RoomName | null)[] = [
  ...([null, 'login', 'register', 'verify', 'verifyBatch', 'verifiers', 'outcomes'] as const),
  'oidc',
  ...(['signing', 'logs', 'health'] as const),
  ...(['tokens', 'published'] as RoomName[]),
];

const INTENT = { agent_id: AGENT, action: 'orders.get' };
const REFUSED = { code: 'invalid_configuration' };

/** The names of all members, those of rooms behind a dot. */
function shapeOf(methods: object): readonly string[] {
  return Object.entries(methods)
    .flatMap(([name, member]) =>
      typeof member === 'function' ? [name] : Object.keys(member).map((method) => `${name}.${method}`),
    )
    .sort();
}

function adminClient(): AdminClient {
  return createAdminClient({ baseUrl: 'http://h/api', accessToken: 'a.b.c' });
}

async function openTwo() {
  const stage = await openVerdictStage();
  const { service } = stage.opened;
  const other = await service.accounts.create({ email: 'two@example.com', password: 'Ein-Kennwort-2-Ein' });
  const { account_id } = await service.authenticateSession(stage.token);
  return {
    ...stage,
    service,
    account_id,
    mine: service.as({ account_id }),
    theirs: service.as({ account_id: other.id }),
  };
}

test('service.as has the methods of the admin client, and no other', async () => {
  const { mine } = await openTwo();
  expect(shapeOf(mine)).toEqual(shapeOf(adminClient()));
  expect(Object.keys(SAME)).toContain('own');
});

test('the admin client has every method of the service that an endpoint of an account calls', () => {
  const called = endpoints
    .map(({ room: method }) => method)
    .filter((method) => !NOT_OF_ACCOUNTS.includes(method));
  expect(Object.keys(adminClient())).toEqual(expect.arrayContaining([...new Set(called)]));
});

test('its methods answer for the actor, with the records of the service', async () => {
  const { service, mine, theirs, account_id, key_id } = await openTwo();
  const actor = { account_id };
  expect(await mine.passports.get(AGENT)).toEqual(await service.passports.get(AGENT, actor));
  expect(await mine.passports.versions(AGENT)).toEqual(await service.passports.versions(AGENT, {}, actor));
  expect(await mine.keys.list({ limit: 1 })).toEqual(await service.keys.list({ limit: 1 }, actor));
  expect(await mine.account()).toEqual(await service.account(actor));
  await expect(theirs.passports.get(AGENT)).rejects.toMatchObject({ code: 'not_found' });
  await expect(theirs.keys.get(key_id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(theirs.suspend({ agent_id: AGENT })).rejects.toMatchObject({ code: 'not_found' });
  expect((await theirs.domains.list()).data).toEqual([]);
  await mine.suspend({ agent_id: AGENT });
  expect((await service.passports.get(AGENT, actor)).status).toBe('suspended');
});

test('no option of a call changes who acts', async () => {
  const { theirs, account_id } = await openTwo();
  const stolen = { account_id } as never;
  await expect(theirs.passports.get(AGENT, stolen)).rejects.toMatchObject(REFUSED);
  await expect(theirs.passports.update(AGENT, { description: 'x' }, stolen)).rejects.toMatchObject(REFUSED);
  await expect(theirs.domains.release('example.com', stolen)).rejects.toMatchObject(REFUSED);
  await expect(theirs.logout({ everywhere: true, ...(stolen as object) })).rejects.toMatchObject(REFUSED);
});

test('a list is its first page, and with for await every page', async () => {
  const { mine } = await openTwo();
  for (const name of ['a', 'b', 'c']) await mine.keys.create({ name });
  const names: string[] = [];
  for await (const { data } of mine.keys.list({ limit: 2 })) names.push(...data.map(({ name }) => name));
  expect(names).toEqual(expect.arrayContaining(['a', 'b', 'c']));
  expect(names).toHaveLength((await mine.keys.list({ limit: 100 })).data.length);
});

test('a method under an idempotency key makes one thing', async () => {
  const { mine } = await openTwo();
  const once = { idempotencyKey: 'k' };
  expect((await mine.keys.create({ name: 'a' }, once)).id).toBe(
    (await mine.keys.create({ name: 'a' }, once)).id,
  );
});

test('an aborted signal ends every method before it begins', async () => {
  const { mine } = await openTwo();
  const options = { signal: AbortSignal.abort(new Error('no more')) };
  await expect(mine.revoke({ agent_id: AGENT }, options)).rejects.toThrow('no more');
  await expect(mine.passports.list({}, options)).rejects.toThrow('no more');
  await expect(mine.logout(options)).rejects.toThrow('no more');
  expect((await mine.passports.get(AGENT)).status).toBe('active');
});

test('its events are those of the account, until the signal', async () => {
  const { mine } = await openTwo();
  const stop = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { type } of mine.events({}, { signal: stop.signal })) {
      seen.push(type);
      stop.abort(new Error('enough'));
    }
  })();
  const ended = expect(reading).rejects.toThrow('enough');
  while (seen.length === 0) {
    await mine.keys.create({ name: 'a' });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await ended;
  expect(seen[0]).toBe('key.created');
});

test('logout ends the session of the actor, or all of its account', async () => {
  const { service, token, account_id, theirs } = await openTwo();
  const session = await service.authenticateSession(token);
  await theirs.logout({ everywhere: true });
  await service.as({ account_id }).logout();
  expect(await service.authenticateSession(token)).toEqual(session);
  await service.as(session).logout();
  await expect(service.authenticateSession(token)).rejects.toMatchObject({ code: 'unauthenticated' });
  const { access_token } = await service.login({ email: 'owner@example.com', password: PASSWORD });
  await service.as({ account_id }).logout({ everywhere: true });
  await expect(service.authenticateSession(access_token)).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('a service with logins acts for an account that is named', async () => {
  const { service } = await openTwo();
  expect(() => service.as()).toThrow('Name the account');
  expect(() => service.as({ account_id: undefined } as never)).toThrow('Name the account');
  expect(() => service.as({ accountid: 'acc_1' } as never)).toThrow('Did you mean account_id?');
});

test('every method of the service refuses a misspelt option, with the nearest name', async () => {
  const { service, account_id, key } = await openTwo();
  const wrong = { accountid: account_id } as never;
  const refused = { ...REFUSED, message: expect.stringContaining('Did you mean account_id?') };
  await expect(service.verify(INTENT, wrong)).rejects.toMatchObject(refused);
  await expect(service.guard(INTENT, () => 'ran', wrong)).rejects.toMatchObject(refused);
  await expect(service.verifyBatch({ intents: [INTENT] }, wrong)).rejects.toMatchObject(refused);
  await expect(service.passports.get(AGENT, wrong)).rejects.toMatchObject(refused);
  await expect(service.domains.release('example.com', wrong)).rejects.toMatchObject(refused);
  await expect(service.revoke({ agent_id: AGENT }, wrong)).rejects.toMatchObject(refused);
  const key_ = { ...REFUSED, message: expect.stringContaining('Did you mean idempotencyKey?') };
  const misspelt = { idempotency_key: 'k' } as never;
  await expect(service.verify(INTENT, misspelt)).rejects.toMatchObject(key_);
  await expect(service.verifyAs(key, INTENT, misspelt)).rejects.toMatchObject(key_);
  await expect(service.keys.create({ name: 'a' }, misspelt)).rejects.toMatchObject(key_);
  await expect(service.passports.get(AGENT, null as never)).rejects.toMatchObject(REFUSED);
});

test('every method in the table of options refuses an unknown option', async () => {
  const { service } = await openTwo();
  const left = ['authenticate', 'transfer', 'end', 'from', 'close', 'reseal', 'stop'];
  const rooms = [
    'keys',
    'passports',
    'spends',
    'approvals',
    'domains',
    'verifications',
    'webhooks',
    'events',
  ] as const;
  const wrong = { signall: 1 };
  for (const room of rooms) {
    for (const [name, method] of Object.entries(service[room])) {
      if (typeof method !== 'function' || left.includes(name)) continue;
      const call = method as (...given: unknown[]) => Promise<unknown>;
      // Wherever the options stand: before them there are at most two others.
      const answers = await Promise.allSettled([
        ...[call(wrong), call({}, wrong), call('x', 'y', wrong)],
        ...[call('x', wrong), call('x', {}, wrong)],
      ]);
      const codes = answers.map((answer) => answer.status === 'rejected' && answer.reason.code);
      expect(codes, `${room}.${name}`).toContain('invalid_configuration');
    }
  }
});

test('clients refuse a misspelt option before anything is sent', async () => {
  let sent = 0;
  const fetch = async (): Promise<Response> => {
    sent += 1;
    return new Response();
  };
  const client = createIdentityClient({ baseUrl: 'http://h/api', apiKey: 'ais_test_x', fetch });
  const admin = createAdminClient({ baseUrl: 'http://h/api', accessToken: 'a.b.c', fetch });
  const wrong = { idempotencykey: 'k' } as never;
  const refused = { ...REFUSED, message: expect.stringContaining('Did you mean idempotencyKey?') };
  await expect(client.verify(INTENT, wrong)).rejects.toMatchObject(refused);
  await expect(client.guard(INTENT, () => 'ran', wrong)).rejects.toMatchObject(refused);
  await expect(client.verifyBatch({ intents: [INTENT] }, wrong)).rejects.toMatchObject(refused);
  await expect(client.spends.commit('dec_1', {}, wrong)).rejects.toMatchObject(refused);
  await expect(client.revoke({ agent_id: AGENT }, wrong)).rejects.toMatchObject(REFUSED);
  await expect(client.approvals.get('apr_1', wrong)).rejects.toMatchObject(REFUSED);
  await expect(admin.keys.create({ name: 'a' }, wrong)).rejects.toMatchObject(refused);
  await expect(admin.passports.update(AGENT, {}, { ifversion: [1] } as never)).rejects.toMatchObject({
    message: expect.stringContaining('Did you mean ifVersion?'),
  });
  await expect(admin.keys.list({}, wrong)).rejects.toMatchObject(REFUSED);
  await expect(admin.verifications.csv({}, wrong)).rejects.toMatchObject(REFUSED);
  await expect(admin.logout(wrong)).rejects.toMatchObject(REFUSED);
  await expect(admin.events({}, wrong)[Symbol.asyncIterator]().next()).rejects.toMatchObject(REFUSED);
  expect(sent).toBe(0);
});
