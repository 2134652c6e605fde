import { expect, test } from 'vitest';
import { IdentityError } from '../../../src/errors.ts';
import { openLocalService, openService } from '../../support/service.ts';
import { HOST, openWebhooks } from './stage.ts';

const NEVER = { last_success_at: null, last_failure_at: null, failures_in_a_row: 0 };
const URL_OF = (rest: string) => `https://${rest}`;

test('a webhook is made with a secret that no other answer has, and is listed, changed and removed', async () => {
  const { service, actor, clock, trail, storage } = await openWebhooks();
  const { webhooks } = service;
  const input = { url: URL_OF(`${HOST}/in`), types: ['passport.*', 'verdict.denied'], description: 'shop' };
  const { secret, ...webhook } = await webhooks.create(input, actor);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const active = { status: 'active', format: 'event', disabled_reason: null, created_by: actor.account_id };
  const times = { created_at: clock.instant(), updated_at: clock.instant() };
  expect(webhook).toEqual({ id: webhook.id, ...input, ...active, ...times, ...NEVER });
  expect(webhook.id).toMatch(/^whk_[0-9A-Za-z]{22}$/);
  expect(await webhooks.get(webhook.id, actor)).toEqual(webhook);
  expect((await webhooks.list({}, actor)).data).toEqual([webhook]);
  const stored = JSON.stringify(await storage.get('webhooks', webhook.id));
  expect(stored).not.toContain(secret.slice('whsec_'.length, 30));

  clock.advance(1_000);
  const updated = await webhooks.update(webhook.id, { types: ['key.*'], description: null }, actor);
  expect(updated).toEqual({
    ...webhook,
    ...{ types: ['key.*'], description: null, updated_at: clock.instant() },
  });
  clock.advance(1_000);
  expect(await webhooks.update(webhook.id, { types: ['key.*'] }, actor)).toEqual(updated);
  const off = await webhooks.update(webhook.id, { status: 'disabled' }, actor);
  expect([off.status, off.disabled_reason]).toEqual(['disabled', 'account']);
  const on = await webhooks.update(webhook.id, { status: 'active' }, actor);
  expect([on.status, on.disabled_reason]).toEqual(['active', null]);
  const rotated = await webhooks.rotate(webhook.id, {}, actor);
  expect(rotated.secret).not.toBe(secret);
  await webhooks.remove(webhook.id, actor);
  await expect(webhooks.get(webhook.id, actor)).rejects.toMatchObject({ code: 'not_found' });
  const facts = { account_id: actor.account_id, by: actor.account_id, webhook_id: webhook.id };
  const told = trail.filter(({ event }) => event.startsWith('webhook.'));
  expect(told.map(({ event }) => event)).toEqual([
    ...['webhook.created', 'webhook.updated', 'webhook.updated', 'webhook.updated'],
    ...['webhook.rotated', 'webhook.removed'],
  ]);
  for (const line of told) expect(line).toMatchObject(facts);
});

test('an account has ten webhooks, or as many as the option says, and one more for each that is removed', async () => {
  for (const most of [10, 2]) {
    const opened = await openWebhooks();
    const { service, actor } =
      most === 10
        ? opened
        : { ...opened, ...(await openWebhooks({ webhooks: { ...transportOf(), maxPerAccount: most } })) };
    const make = () => service.webhooks.create({ url: URL_OF(HOST), types: ['key.*'] }, actor);
    const made = [];
    for (let count = 0; count < most; count += 1) made.push(await make());
    await expect(make()).rejects.toMatchObject({
      code: 'plan_limit_reached',
      message: `An account may have ${most} webhooks. Remove one first.`,
    });
    await service.webhooks.remove(made[0]?.id ?? '', actor);
    await make();
    await expect(make()).rejects.toMatchObject({ code: 'plan_limit_reached' });
  }
});

function transportOf() {
  return { transport: { refusal: () => undefined, post: () => Promise.reject(new TypeError('away')) } };
}

test('another account sees no webhook, and each method throws not_found', async () => {
  const { service, create } = await openWebhooks();
  const { id } = await create();
  const { id: account_id } = await service.accounts.create({
    email: 'bob@example.com',
    password: 'b'.repeat(12),
  });
  const bob = { account_id };
  const { webhooks } = service;
  expect((await webhooks.list({}, bob)).data).toEqual([]);
  for (const call of [
    () => webhooks.get(id, bob),
    () => webhooks.update(id, { status: 'disabled' }, bob),
    () => webhooks.remove(id, bob),
    () => webhooks.rotate(id, {}, bob),
    () => webhooks.test(id, bob),
    () => webhooks.deliveries(id, {}, bob),
    () => webhooks.redeliver(id, 'dlv_x', bob),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'not_found' });
});

/** Literal addresses that are not on the public Internet, names of this machine, and what is no address to send to. */
const REFUSED = [
  ...['http://hooks.example/', 'ftp://hooks.example/', 'hooks.example', '', 'https://'],
  ...['https://u@hooks.example/', 'https://u:p@hooks.example/', 'https://hooks.example:22/'],
  ...[
    'https://hooks.example:1023/',
    'https://localhost/',
    'https://a.localhost:8443/',
    'https://localhost./',
  ],
  ...['127.0.0.1', '127.1', '0x7f000001', '2130706433', '0', '10.0.0.1', '172.16.0.1', '192.168.1.1'].map(
    URL_OF,
  ),
  ...['169.254.169.254', '100.64.0.1', '224.0.0.1', '255.255.255.255', '192.0.2.1'].map(URL_OF),
  ...['[::1]', '[::]', '[::ffff:10.0.0.1]', '[fe80::1]', '[fd00::1]', '[ff02::1]', '[64:ff9b::a00:1]'].map(
    URL_OF,
  ),
];

test('a URL that can only lead to this machine or its network is refused at creation and at a change', async () => {
  const { service, actor, create } = await openWebhooks();
  const { id } = await create();
  for (const url of REFUSED) {
    for (const call of [
      () => service.webhooks.create({ url, types: ['key.*'] }, actor),
      () => service.webhooks.update(id, { url }, actor),
    ]) {
      const error = await call().catch((found: unknown) => found);
      expect(error, url).toBeInstanceOf(IdentityError);
      const { code, details } = error as IdentityError;
      expect([code, details.errors?.map(({ path }) => path)], url).toEqual(['invalid_request', ['/url']]);
    }
  }
  for (const url of ['https://hooks.example:8443/a?b=c', 'https://93.184.216.34/', 'https://[2606:4700::1]/'])
    await service.webhooks.update(id, { url }, actor);
});

test('with allowLocalhost this machine is taken over http as well', async () => {
  const { service, actor } = await openWebhooks({ allowLocalhost: true });
  for (const url of ['http://localhost:3001/in', 'http://127.0.0.1:80/', 'https://[::1]:8443/'])
    await service.webhooks.create({ url, types: ['key.*'] }, actor);
  for (const url of ['http://hooks.example/', 'https://10.0.0.1/', 'http://0.0.0.0/']) {
    const made = service.webhooks.create({ url, types: ['key.*'] }, actor);
    await expect(made, url).rejects.toMatchObject({ code: 'invalid_request' });
  }
});

test.each([
  [{ types: [] }, '/types'],
  [{ types: ['passport.melted'] }, '/types/0'],
  [{ types: ['key.*', 'webhook.test'] }, '/types/1'],
  [{ types: ['*'] }, '/types/0'],
  [{ types: ['key.*', 'key.*'] }, '/types'],
  [{ types: Array.from({ length: 33 }, (_, index) => `t${index}`) }, '/types'],
  [{ types: 'key.*' }, '/types'],
  [{ url: 7 }, '/url'],
  [{ description: 'x'.repeat(501) }, '/description'],
  [{ secret: 'whsec_mine' }, '/secret'],
  [{ status: 'gone' }, '/status'],
])('%j is refused with the field that is wrong', async (fields, path) => {
  const { service, actor, create } = await openWebhooks();
  const { id } = await create();
  const change = service.webhooks.update(id, fields as object, actor);
  const error = await change.catch((found: unknown) => found);
  expect((error as IdentityError).details?.errors?.map((field) => field.path)).toContain(path);
});

test('without the option there are no webhooks, and with it there has to be a secret', async () => {
  const { service } = openLocalService();
  expect(service).not.toHaveProperty('webhooks');
  const bare = () =>
    openService({ webhooks: transportOf(), session: undefined, identity: undefined } as object);
  expect(bare).toThrow(/webhooks\(\) needs a secret/);
  expect(() => openService({ webhooks: { ...transportOf(), maxPerAccount: 0 } })).toThrow(/maxPerAccount/);
});

test('reseal encrypts the secrets with the new secret of the service, and the old one is no longer needed', async () => {
  const first = await openWebhooks();
  const { storage, create, service, actor } = first;
  const { id, secret } = await create();
  await service.webhooks.rotate(id, { grace_seconds: 600 }, actor);
  const [older, newer] = ['an older secret of 32 bytes or more', 'a newer secret of 32 bytes or more'];
  const open = (secrets: readonly [string, ...string[]]) =>
    openService({
      storage: { ...storage, close: async () => {} },
      webhooks: transportOf(),
      session: { secret: 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!' },
      identity: { secret: secrets[0], previousSecrets: secrets.slice(1) },
    }).service;
  const own = 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!';
  expect(await open([older, own]).reseal()).toBe(1);
  expect(await open([newer, older]).reseal()).toBe(1);
  expect(await open([newer]).reseal()).toBe(0);
  await expect(open([older]).webhooks.test(id, actor)).rejects.toThrow(/encrypted with another secret/);
  expect(JSON.stringify(await storage.get('webhooks', id))).not.toContain(secret.slice(6, 30));
});
