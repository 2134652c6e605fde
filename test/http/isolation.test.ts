import { expect, test } from 'vitest';
import { createApiKey } from '../../src/credential/api-key.ts';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { endpoints } from '../../src/http/index.ts';
import { secureRandom } from '../../src/platform/index.ts';
import { believing } from '../oidc/stage.ts';
import { type Answer, type Api, type Ask, issue, makeKey, openApi, signIn } from '../support/api.ts';
import { CREDENTIALS } from '../support/credential-kinds.ts';
import { sized } from '../support/runs.ts';
import { HOUR, openService, PASSWORD } from '../support/service.ts';
import { bodiesAbout } from './isolation-bodies.ts';

/** The own one comes last: what is asked of the others changes nothing. */
const OBJECTS = ['missing', 'other', 'own'] as const;
type ObjectKind = (typeof OBJECTS)[number];
type CredentialKind = (typeof CREDENTIALS)[number];

/** Two accounts with the same things, and every kind of credential of the first. */
interface World {
  readonly api: Api;
  readonly agents: Readonly<Record<ObjectKind, string>>;
  readonly keys: Readonly<Record<ObjectKind, string>>;
  readonly domains: Readonly<Record<ObjectKind, string>>;
  /** The status lists of the agents. */
  readonly lists: Readonly<Record<ObjectKind, string>>;
  readonly spends: Readonly<Record<ObjectKind, string>>;
  readonly webhooks: Readonly<Record<ObjectKind, string>>;
  readonly deliveries: Readonly<Record<ObjectKind, string>>;
  readonly approvals: Readonly<Record<ObjectKind, string>>;
  readonly members: Readonly<Record<ObjectKind, string>>;
  readonly asks: Readonly<Record<CredentialKind, Ask>>;
}

async function openWorld(): Promise<World> {
  const published: string[] = [];
  const domainProver = {
    txt: async () => published,
    text: () => Promise.reject(new TypeError('There is no page.')),
  };
  const transport = { refusal: () => undefined, post: async () => ({ status: 204, retryAfter: null }) };
  const [webhooks, oidc] = [{ transport, sends: false }, { provider: believing }];
  const served = { registration: 'open', authzen: {}, accessTokens: {} } as const;
  const opened = openService({ ...served, domainProver, webhooks, oidc });
  const { service, clock, storage } = opened;
  const api = openApi(opened);
  const own = await signIn(opened, api, 'own@example.com');
  const mine = { email: own.email, password: PASSWORD };
  const signInAgain = async () => (await service.login(mine)).access_token;
  const older = own.token;
  await service.accounts.setPassword(mine);
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
  const all = { scopes: ['verify', 'revoke', 'reinstate', 'events', 'sign', 'decide', 'permit'] };
  const { key, id } = await makeKey(api, token, all);
  const rotating = await makeKey(api, token, all);
  await api.ask('POST', `/keys/${rotating.id}/rotate`, { token, json: { grace_seconds: 60 } });
  const testKey = await makeKey(api, token, { environment: 'test', scopes: ['verify', 'decide'] });
  const other = await signIn(opened, api, 'other@example.com');
  const disabled = await signIn(opened, api, 'disabled@example.com');
  const disabledKey = await makeKey(api, disabled.token, all);
  await service.accounts.disable(disabled.email);
  const domains = { own: 'proof.example', other: 'other-proof.example', missing: 'no-proof.example' };
  for (const [{ account_id }, domain] of [
    [own, domains.own],
    [other, domains.other],
  ] as const) {
    published.push((await service.domains.claim(domain, { account_id })).dns?.value ?? '');
  }
  const agents = {
    own: await issue(api, token, { domain: 'own.example' }),
    other: await issue(api, other.token, { domain: 'other.example' }),
    missing: 'did:web:empty.example:agents:shopper',
  };
  const listOf = async (agentId: string) => `${(await storage.get('status_slots', agentId))?.['list_id']}`;
  const hook = async ({ account_id }: { readonly account_id: string }) => {
    const made = await service.webhooks.create(
      { url: 'https://hooks.example', types: ['key.*'] },
      { account_id },
    );
    return [made.id, (await service.webhooks.test(made.id, { account_id })).delivery.id] as const;
  };
  const [[ownHook, ownDelivery], [otherHook, otherDelivery]] = [await hook(own), await hook(other)];
  const hold = async (agent_id: string) =>
    (await service.verify({ agent_id, action: 'orders.get', hold_seconds: 600 })).decision_id;
  const askPerson = async (agent_id: string, { account_id }: { readonly account_id: string }) => {
    await service.passports.update(agent_id, { approval: { actions: ['orders.put'] } }, { account_id });
    const { reasons } = await service.verify({ agent_id, action: 'orders.put' });
    return `${reasons[0]?.['approval_id']}`;
  };
  return {
    api,
    agents,
    lists: {
      own: await listOf(agents.own),
      other: await listOf(agents.other),
      missing: `sl_${'0'.repeat(22)}`,
    },
    domains,
    webhooks: { own: ownHook, other: otherHook, missing: `whk_${'0'.repeat(22)}` },
    deliveries: { own: ownDelivery, other: otherDelivery, missing: `dlv_${'0'.repeat(22)}` },
    spends: { own: await hold(agents.own), other: await hold(agents.other), missing: 'dec_missing' },
    approvals: {
      own: await askPerson(agents.own, own),
      other: await askPerson(agents.other, other),
      missing: `apr_${'0'.repeat(22)}`,
    },
    members: {
      own: (await service.members.invite({ role: 'viewer' }, { account_id: own.account_id })).member.id,
      other: (await service.members.invite({ role: 'viewer' }, { account_id: other.account_id })).member.id,
      missing: `mem_${'0'.repeat(22)}`,
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

const OBJECT_ENDPOINTS = /\{|^\/(verify|verify\/batch|access\/v1\/.*|revoke|suspend|reinstate)$/;

function toAsk({ method, path }: Endpoint, world: World, object: ObjectKind): [path: string, json: unknown] {
  const agent_id = world.agents[object];
  const bodies = bodiesAbout(agent_id);
  const at = path
    .replace('{agent_id}', encodeURIComponent(agent_id))
    .replace('{decision_id}', world.spends[object])
    .replace('{id}', idsAt(path, world)[object])
    .replace('{delivery_id}', world.deliveries[object])
    .replace('{domain}', world.domains[object])
    .replace('{list_id}', world.lists[object]);
  return [at, bodies[`${method} ${path}`]];
}

/** The objects whose ids stand in a path. */
function idsAt(
  path: string,
  { approvals, keys, members, webhooks }: World,
): Readonly<Record<ObjectKind, string>> {
  if (path.startsWith('/webhooks')) return webhooks;
  if (path.startsWith('/members')) return members;
  return path.startsWith('/approvals') ? approvals : keys;
}

/** Another account sees what it would see if there were no such record. */
function expected(
  { method, credential, bearerKeys, path, success }: Endpoint,
  object: ObjectKind,
  kind: CredentialKind,
): number {
  const keys = ['key', 'rotating key', 'test key'];
  const opens = { none: CREDENTIALS, session: ['session'], key: keys, either: ['session', ...keys] };
  if (bearerKeys && kind === 'key as session') return success.status;
  if (!(opens[credential] as readonly string[]).includes(kind)) return 401;
  // A test key may verify, and so look at spends and approvals: it sees none of `live`.
  if (kind === 'test key' && credential === 'either') return /^\/(?:spe|app|ver)/.test(path) ? 404 : 403;
  // The block tells of a dropped record of `live`.
  if (kind === 'test key' && path === '/verifier/verdicts') return 400;
  if (/^\/auth\/(?:link|accept)$|^\/logs?\/|^\/log$|receipt$/.test(path)) return 404;
  if (path === '/auth/oidc/finish') return 401;
  if (path.startsWith('/issuers/')) return method === 'POST' ? 400 : 404; // No domain is proven.
  // Anyone may read any list. No domain is proven, so none is signed for.
  if (path === '/status/{list_id}') return object === 'missing' ? 404 : 200;
  if (path === '/passports/{agent_id}/sign' && object === 'own') return 403;
  if (`${method} ${path}` === 'DELETE /passports/{agent_id}' && object === 'own') return 409;
  if (credential === 'key' || object === 'own' || !OBJECT_ENDPOINTS.test(path)) return success.status;
  return 404;
}

/** What is new in each answer: the id of the request, and what is left of the rate. */
const NEW_HEADERS: readonly string[] = ['x-request-id', 'ratelimit'];

/** An answer without what is new in each, and without the id that was asked for, the longest ids first. */
function faceless(
  { status, headers, text }: Answer,
  { agents, keys, members, spends, approvals, domains, webhooks, deliveries }: World,
): string {
  const kept = [...headers].filter(([name]) => !NEW_HEADERS.includes(name));
  let plain = `${status} ${JSON.stringify(kept)} ${text}`;
  const ids = [agents, keys, members, spends, approvals, domains, webhooks, deliveries].flatMap((kind) =>
    Object.values(kind),
  );
  for (const id of ids.sort((a, b) => b.length - a.length)) plain = plain.replaceAll(id, 'ID');
  return plain.replaceAll(/"(request_id|decision_id|key_id)":"[^"]*"/g, '"$1":""');
}

/** Asks for every object with one kind of credential, and looks at the answers. */
async function ask(world: World, endpoint: Endpoint, kind: CredentialKind): Promise<void> {
  const seen: Partial<Record<ObjectKind, string>> = {};
  for (const object of OBJECT_ENDPOINTS.test(endpoint.path) ? OBJECTS : (['own'] as const)) {
    const [path, json] = toAsk(endpoint, world, object);
    const answer = await world.api.ask(endpoint.method, path, { ...world.asks[kind], json });
    const asked = { method: endpoint.method, path, kind };
    expect({ ...asked, status: answer.status }).toEqual({
      ...asked,
      status: expected(endpoint, object, kind),
    });
    seen[object] = faceless(answer, world);
    if (object !== 'own' && endpoint.credential === 'key' && answer.status === 200) {
      expect(answer.text).toContain('"agent_not_found"');
      expect(answer.text).not.toContain('"ALLOW"');
      expect(answer.text).not.toContain('"decision":true');
    }
  }
  if (OBJECT_ENDPOINTS.test(endpoint.path) && endpoint.credential !== 'none')
    expect(seen.other).toBe(seen.missing);
}

function changesNothing(endpoint: Endpoint, kind: CredentialKind): boolean {
  return endpoint.method === 'GET' || [401, 403].includes(expected(endpoint, 'own', kind));
}

const changing = endpoints.flatMap((endpoint) => {
  const kinds = CREDENTIALS.filter((kind) => !changesNothing(endpoint, kind));
  return kinds
    .slice(0, sized(kinds.length, 1))
    .map((kind) => [`${endpoint.method} ${endpoint.path}`, kind, endpoint] as const);
});

test.each(changing)('%s answers to a credential of kind %s as the contract says', async (_, kind, endpoint) =>
  ask(await openWorld(), endpoint, kind),
);

test('every endpoint answers as the contract says, or refuses, where the credential changes nothing', async () => {
  const world = await openWorld();
  for (const endpoint of endpoints) {
    for (const kind of CREDENTIALS.filter((one) => changesNothing(endpoint, one)))
      await ask(world, endpoint, kind);
  }
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
