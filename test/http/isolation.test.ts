import { describe, expect, test } from 'vitest';
import { createApiKey } from '../../src/credential/api-key.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { endpoints } from '../../src/http/index.ts';
import { secureRandom } from '../../src/platform/index.ts';
import {
  type Answer,
  type Api,
  type Ask,
  issue,
  makeKey,
  openApi,
  PASSPORT,
  signIn,
} from '../support/api.ts';
import { HOUR, openService, PASSWORD } from '../support/service.ts';

/** The own one comes last: what is asked of the others changes nothing. */
const OBJECTS = ['missing', 'other', 'own'] as const;
const CREDENTIALS = [
  'session',
  'key',
  'rotating key',
  'test key',
  'expired session',
  'logged-out session',
  'older session',
  'expired key',
  'revoked key',
  'rotated key',
  'rotated key after its grace',
  'key of a disabled account',
  'unknown key',
  'garbage session',
  'garbage key',
  'session as key',
  'key as session',
  'none',
] as const;

type ObjectKind = (typeof OBJECTS)[number];
type CredentialKind = (typeof CREDENTIALS)[number];

/** Two accounts with the same things, and every kind of credential of the first. */
interface World {
  readonly api: Api;
  readonly agents: Readonly<Record<ObjectKind, string>>;
  readonly keys: Readonly<Record<ObjectKind, string>>;
  readonly asks: Readonly<Record<CredentialKind, Ask>>;
}

async function openWorld(): Promise<World> {
  const opened = openService({ registration: 'open' });
  const { service, clock } = opened;
  const api = openApi(opened);
  const own = await signIn(opened, api, 'own@example.com');
  const signInAgain = async () =>
    (await service.login({ email: own.email, password: PASSWORD })).access_token;
  const older = own.token;
  await service.accounts.setPassword({ email: own.email, password: PASSWORD });
  const expired = await signInAgain();
  const expiredKey = await makeKey(api, expired, { expires_at: clock.instant(HOUR) });
  const graceOver = await makeKey(api, expired);
  await api.ask('POST', `/keys/${graceOver.id}/rotate`, { token: expired, json: { grace_seconds: 60 } });
  clock.advance(2 * HOUR);
  const loggedOut = await signInAgain();
  await api.ask('POST', '/auth/logout', { token: loggedOut });
  const token = await signInAgain();
  const revoked = await makeKey(api, token);
  await api.ask('DELETE', `/keys/${revoked.id}`, { token });
  const rotated = await makeKey(api, token);
  await api.ask('POST', `/keys/${rotated.id}/rotate`, { token });
  const all = { scopes: ['verify', 'revoke', 'reinstate'] };
  const { key, id } = await makeKey(api, token, all);
  const rotating = await makeKey(api, token, all);
  await api.ask('POST', `/keys/${rotating.id}/rotate`, { token, json: { grace_seconds: 60 } });
  const testKey = await makeKey(api, token, { environment: 'test' });
  const other = await signIn(opened, api, 'other@example.com');
  const disabled = await signIn(opened, api, 'disabled@example.com');
  const disabledKey = await makeKey(api, disabled.token, all);
  await service.accounts.disable(disabled.email);
  return {
    api,
    agents: {
      own: await issue(api, token, { domain: 'own.example' }),
      other: await issue(api, other.token, { domain: 'other.example' }),
      missing: 'did:web:empty.example:agents:shopper',
    },
    keys: { own: id, other: (await makeKey(api, other.token)).id, missing: `key_${'0'.repeat(22)}` },
    asks: {
      session: { token },
      key: { key },
      'rotating key': { key: rotating.key },
      'test key': { key: testKey.key },
      'expired session': { token: expired },
      'logged-out session': { token: loggedOut },
      'older session': { token: older },
      'expired key': { key: expiredKey.key },
      'revoked key': { key: revoked.key },
      'rotated key': { key: rotated.key },
      'rotated key after its grace': { key: graceOver.key },
      'key of a disabled account': { key: disabledKey.key },
      'unknown key': { key: createApiKey('live', secureRandom).key },
      'garbage session': { token: 'abc.def.ghi' },
      'garbage key': { key: 'abc' },
      'session as key': { key: token },
      'key as session': { token: key },
      none: {},
    },
  };
}

const OBJECT_ENDPOINTS = /\{|^\/(verify|verify\/batch|revoke|suspend|reinstate)$/;

function toAsk({ method, path }: Endpoint, world: World, object: ObjectKind): [path: string, json: unknown] {
  const agent_id = world.agents[object];
  const intent = { agent_id, action: 'orders.get' };
  const bodies: Readonly<Record<string, unknown>> = {
    'POST /auth/login': { email: 'own@example.com', password: PASSWORD },
    'POST /auth/register': { email: 'new@example.com', password: PASSWORD },
    'POST /auth/password': { current_password: PASSWORD, new_password: PASSWORD },
    'POST /keys': { name: 'new' },
    'PATCH /keys/{id}': { name: 'new', agent_ids: [agent_id] },
    'POST /keys/{id}/rotate': { grace_seconds: 60 },
    'POST /passports': { ...PASSPORT, domain: 'own.example', agent_name: 'new' },
    'PATCH /passports/{agent_id}': { description: 'new' },
    'POST /verify': intent,
    'POST /verify/batch': { intents: [intent, intent] },
    'POST /revoke': { agent_id },
    'POST /suspend': { agent_id },
    'POST /reinstate': { agent_id },
  };
  const at = path.replace('{agent_id}', encodeURIComponent(agent_id)).replace('{id}', world.keys[object]);
  return [at, bodies[`${method} ${path}`]];
}

/** What CONTRACT section 1 promises. */
function expected({ credential, path, success }: Endpoint, object: ObjectKind, kind: CredentialKind): number {
  const keys = ['key', 'rotating key', 'test key'];
  const opens = { none: CREDENTIALS, session: ['session'], key: keys, either: ['session', ...keys] };
  if (!(opens[credential] as readonly string[]).includes(kind)) return 401;
  if (kind === 'test key' && credential === 'either') return 403;
  if (credential === 'key' || object === 'own' || !OBJECT_ENDPOINTS.test(path)) return success.status;
  return 404;
}

/** What is new in each answer: the id of the request, and what is left of the rate. */
const NEW_HEADERS: readonly string[] = ['x-request-id', 'ratelimit'];

/** An answer without what is new in each, and without the id that was asked for. */
function faceless({ status, headers, text }: Answer, { agents, keys }: World): string {
  const kept = [...headers].filter(([name]) => !NEW_HEADERS.includes(name));
  let plain = `${status} ${JSON.stringify(kept)} ${text}`;
  for (const id of [...Object.values(agents), ...Object.values(keys)]) plain = plain.replaceAll(id, 'ID');
  return plain.replaceAll(/"(request_id|decision_id|key_id)":"[^"]*"/g, '"$1":""');
}

const rows = endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

/** Asks for every object with one kind of credential, and looks at the answers. */
async function ask(world: World, endpoint: Endpoint, kind: CredentialKind): Promise<void> {
  const seen: Partial<Record<ObjectKind, string>> = {};
  for (const object of OBJECT_ENDPOINTS.test(endpoint.path) ? OBJECTS : (['own'] as const)) {
    const [path, json] = toAsk(endpoint, world, object);
    const answer = await world.api.ask(endpoint.method, path, { ...world.asks[kind], json });
    expect({ kind, object, status: answer.status }).toEqual({
      ...{ kind, object, status: expected(endpoint, object, kind) },
    });
    seen[object] = faceless(answer, world);
    if (object !== 'own' && endpoint.credential === 'key' && answer.status === 200) {
      expect(answer.text).toContain('"agent_not_found"');
      expect(answer.text).not.toContain('ALLOW');
    }
  }
  if (OBJECT_ENDPOINTS.test(endpoint.path)) expect(seen.other).toBe(seen.missing);
}

describe.each(rows)('%s', (_, endpoint) => {
  const changesNothing = (kind: CredentialKind) =>
    endpoint.method === 'GET' || [401, 403].includes(expected(endpoint, 'own', kind));

  test.each(CREDENTIALS.filter((kind) => !changesNothing(kind)))(
    'answers to a credential of kind %s as the contract says',
    async (kind) => ask(await openWorld(), endpoint, kind),
  );

  test('answers to every other credential as the contract says, or refuses it', async () => {
    const world = await openWorld();
    for (const kind of CREDENTIALS.filter(changesNothing)) await ask(world, endpoint, kind);
  });
});

test('what the key routes refuse is the same, whyever the key is refused', async () => {
  const world = await openWorld();
  const json = { agent_id: world.agents.own, action: 'orders.get' };
  const kinds = [
    'expired key',
    'revoked key',
    'rotated key',
    'rotated key after its grace',
    'key of a disabled account',
    'unknown key',
    'garbage key',
    'session as key',
  ] as const;
  const answers = await Promise.all(
    kinds.map(async (kind) =>
      faceless(await world.api.ask('POST', '/verify', { ...world.asks[kind], json }), world),
    ),
  );
  expect(new Set(answers).size).toBe(1);
  const sessions = [
    'expired session',
    'logged-out session',
    'older session',
    'garbage session',
    'key as session',
  ] as const;
  const refusals = await Promise.all(
    sessions.map(async (kind) => faceless(await world.api.ask('GET', '/keys', world.asks[kind]), world)),
  );
  expect(new Set(refusals).size).toBe(1);
});

test('lists show nothing of another account', async () => {
  const { api, asks, agents, keys } = await openWorld();
  const passports = await api.ask('GET', '/passports', asks.session);
  expect(passports.text).toContain(agents.own);
  expect(passports.text).not.toContain(agents.other);
  const list = await api.ask('GET', '/keys', asks.session);
  expect(list.text).toContain(keys.own);
  expect(list.text).not.toContain(keys.other);
  const filtered = await api.ask('GET', '/passports?domain=other.example', asks.session);
  expect(filtered.body['data']).toEqual([]);
});
