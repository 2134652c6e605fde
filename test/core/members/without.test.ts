import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { fetchHandler } from '../../../src/http/index.ts';
import { createIdentityService } from '../../../src/index.ts';
import { people } from '../../../src/people/index.ts';
import { believing } from '../../oidc/stage.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { PASSWORD, SECRET } from '../../support/service.ts';

const OF_ACCOUNTS = ['members', 'readLink', 'acceptLink', 'logout', 'changePassword', 'deleteAccount'];

const session = { secret: SECRET };

test('a service without people has no methods and no endpoints for them', async () => {
  const service = createIdentityService({
    storage: memoryStorage(),
    session,
    registration: 'open',
    storageDeadlineMs: PATIENT_MS,
  });
  onTestFinished(() => service.close());
  for (const name of [...OF_ACCOUNTS, 'oidc', 'login', 'register', 'authenticateSession']) {
    expect(Object.keys(service)).not.toContain(name);
    expect(Object.keys(service.as({ account_id: 'acc_1' }))).not.toContain(name);
  }
  const handle = fetchHandler(service);
  const names = ['login', 'logout', 'register', 'password', 'link', 'accept', 'oidc/start', 'oidc/finish'];
  for (const path of ['/account', '/members', ...names.map((name) => `/auth/${name}`)])
    for (const method of ['GET', 'POST'])
      expect((await handle(new Request(`http://h/api${path}`, { method }))).status).toBe(404);
});

test('a service without people accepts no access token, not even one of a node with people', async () => {
  const storage = memoryStorage();
  const [node, bare] = [
    createIdentityService({ storage, session, storageDeadlineMs: PATIENT_MS, capabilities: [people()] }),
    createIdentityService({ storage, session, storageDeadlineMs: PATIENT_MS }),
  ];
  onTestFinished(() => bare.close());
  const ann = { email: 'ann@example.com', password: PASSWORD };
  await node.accounts.create(ann);
  const { access_token } = await node.login(ann);
  const ask = async (service: typeof bare, token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetchHandler(service)(new Request('http://h/api/keys', { headers }));
    return { status: answer.status, body: { ...(await answer.json()), instance: '', request_id: '' } };
  };
  expect((await ask(node, access_token)).status).toBe(200);
  const unknown = await ask(node, 'a.b.c');
  expect(unknown.status).toBe(401);
  expect(await ask(bare, access_token)).toEqual(unknown);
});

test('an issuer that cannot work is refused', () => {
  const open = (oidc: object) => () => people({ oidc } as never);
  expect(open({})).toThrow(/oidc.provider is not a provider/);
  expect(open({ provider: believing, label: '' })).toThrow(/oidc.label must be/);
  expect(open({ provider: believing, map: {} })).toThrow(/oidc.map must be a function/);
  expect(open({ provider: believing, labell: 'x' })).toThrow(/Did you mean oidc.label\?/);
  const capabilities = [people({ oidc: { provider: believing } })] as const;
  const bare = () =>
    createIdentityService({ storage: memoryStorage(), storageDeadlineMs: PATIENT_MS, capabilities });
  expect(bare).toThrow(/oidc needs options.session/);
});
