import { expect, test } from 'vitest';
import { issue, makeKey, PASSPORT } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';
import { PASSWORD, START } from '../support/service.ts';

const AGENT = 'did:web:example.com:agents:shopper';
const PAST = new Date(START).toISOString();
const FUTURE = new Date(START + 1_000).toISOString();
const list = (length: number) => Array.from({ length }, (_, index) => `${AGENT}${index}`);

/** What is sent, and the only path that is named. */
type Row = [json: unknown, path: string];

const notObjects: Row[] = [[], 'a', 1, null, true].map((json) => [json, '']);

const keys: Row[] = [
  ...notObjects,
  [{}, '/name'],
  ...['', 'a'.repeat(101), 1, null].map((name): Row => [{ name }, '/name']),
  ...['prod', 'LIVE', '', null, 1].map((environment): Row => [{ name: 'a', environment }, '/environment']),
  ...[[], ['verify', 'verify'], 'verify', null].map((scopes): Row => [{ name: 'a', scopes }, '/scopes']),
  ...['admin', 'VERIFY', '*', 1].map((scope): Row => [{ name: 'a', scopes: ['verify', scope] }, '/scopes/1']),
  [{ name: 'a', environment: 'test', scopes: ['verify', 'revoke'] }, '/scopes'],
  [{ name: 'a', environment: 'test', scopes: ['reinstate'] }, '/scopes'],
  ...[[], list(101), [AGENT, AGENT], AGENT, null].map(
    (ids): Row => [{ name: 'a', agent_ids: ids }, '/agent_ids'],
  ),
  ...['', 'a'.repeat(513), 1, null].map((id): Row => [{ name: 'a', agent_ids: [AGENT, id] }, '/agent_ids/1']),
  ...['tomorrow', PAST, '2027-01-01', 1, null].map(
    (at): Row => [{ name: 'a', expires_at: at }, '/expires_at'],
  ),
  ...['id', 'key', 'plan', 'status', 'owner', 'account_id', 'rotated_to', 'start'].map(
    (field): Row => [{ name: 'a', [field]: 'x' }, `/${field}`],
  ),
];

const rotations: Row[] = [
  ...notObjects,
  ...[-1, 604_801, 0.5, '60', null, true, 1e300].map(
    (grace_seconds): Row => [{ grace_seconds }, '/grace_seconds'],
  ),
  ...['name', 'expires_at', 'grace', 'scopes'].map((field): Row => [{ [field]: 1 }, `/${field}`]),
];

const keyPatches: Row[] = [
  ...notObjects,
  ...['', 'a'.repeat(101), 1, null].map((name): Row => [{ name }, '/name']),
  ...[[], ['verify', 'verify'], 'verify', null].map((scopes): Row => [{ scopes }, '/scopes']),
  ...['admin', 'VERIFY', '*', 1].map((scope): Row => [{ scopes: ['verify', scope] }, '/scopes/1']),
  ...[[], list(101), [AGENT, AGENT], AGENT].map((agent_ids): Row => [{ agent_ids }, '/agent_ids']),
  ...['', 'a'.repeat(513), 1].map((id): Row => [{ agent_ids: [AGENT, id] }, '/agent_ids/1']),
  ...['environment', 'expires_at', 'status', 'account_id', 'rotated_to', 'digest', 'last_used_at'].map(
    (field): Row => [{ [field]: 'x' }, `/${field}`],
  ),
];

const passwords: Row[] = [
  ...notObjects,
  [{ current_password: PASSWORD }, '/new_password'],
  [{ new_password: PASSWORD }, '/current_password'],
  ...['', 'a'.repeat(11), 'a'.repeat(129), 1, null].map(
    (new_password): Row => [{ current_password: PASSWORD, new_password }, '/new_password'],
  ),
  [{ current_password: 1, new_password: PASSWORD }, '/current_password'],
  [{ current_password: PASSWORD, new_password: PASSWORD, email: 'a@b.example' }, '/email'],
];

const intents: Row[] = [
  ...notObjects,
  [{ action: 'a' }, '/agent_id'],
  [{ agent_id: AGENT }, '/action'],
  ...['', 'a'.repeat(513), '😀'.repeat(257), 1, null].map(
    (id): Row => [{ agent_id: id, action: 'a' }, '/agent_id'],
  ),
  ...['', 'a'.repeat(257), 1, null, []].map((action): Row => [{ agent_id: AGENT, action }, '/action']),
  ...['a'.repeat(513), 1, null, {}].map(
    (target): Row => [{ agent_id: AGENT, action: 'a', target }, '/target'],
  ),
  ...[[], 'a', 1, null, true].map(
    (given): Row => [{ agent_id: AGENT, action: 'a', parameters: given }, '/parameters'],
  ),
  ...['true', 1, 0, null].map((given): Row => [{ agent_id: AGENT, action: 'a', dry_run: given }, '/dry_run']),
  ...[
    'amount',
    'currency',
    'key_id',
    'account_id',
    'passport',
    'at',
    'toString',
    'environment',
    'verdict',
  ].map((field): Row => [{ agent_id: AGENT, action: 'a', [field]: 'x' }, `/${field}`]),
];

const batches: Row[] = [
  ...notObjects,
  [{}, '/intents'],
  ...[[], Array(101).fill({ agent_id: AGENT, action: 'a' }), {}, null].map(
    (given): Row => [{ intents: given }, '/intents'],
  ),
  [{ intents: [{ agent_id: AGENT, action: 'a' }], dry_run: true }, '/dry_run'],
  ...intents.map(([json, path]): Row => {
    const good = { agent_id: AGENT, action: 'a' };
    return [{ intents: [good, good, good, json] }, `/intents/3${path}`];
  }),
];

const agentIds: Row[] = [
  ...notObjects,
  [{}, '/agent_id'],
  ...['', 'a'.repeat(513), 1, null].map((id): Row => [{ agent_id: id }, '/agent_id']),
  ...['until_', 'status', 'account_id'].map((field): Row => [{ agent_id: AGENT, [field]: 'x' }, `/${field}`]),
];

const reasons: Row[] = ['', 'a'.repeat(501), 1, null].map((reason) => [
  { agent_id: AGENT, reason },
  '/reason',
]);

const suspensions: Row[] = ['', 'soon', PAST, '2026-11-20T13:00:00+01:00', 1, null].map((until) => [
  { agent_id: AGENT, until },
  '/until',
]);

const logins: Row[] = [
  ...notObjects,
  [{ email: 'a@b.example' }, '/password'],
  [{ password: PASSWORD }, '/email'],
  ...[1, null, [], 'a'.repeat(1025)].map((email): Row => [{ email, password: PASSWORD }, '/email']),
  ...[1, null, []].map((password): Row => [{ email: 'a@b.example', password }, '/password']),
  [{ email: 'a@b.example', password: PASSWORD, remember: true }, '/remember'],
];

const registrations: Row[] = [
  ...logins.filter(([json]) => !JSON.stringify(json).includes('a'.repeat(1025))),
  ...['', 'a', 'a@', '@b', 'a@b@c', 'a b@c', `a@${'b'.repeat(253)}`, `${'a'.repeat(65)}@b.example`].map(
    (email): Row => [{ email, password: PASSWORD }, '/email'],
  ),
  ...['', 'a'.repeat(11), 'a'.repeat(129), `e\u0301${'a'.repeat(10)}`].map(
    (password): Row => [{ email: 'a@b.example', password }, '/password'],
  ),
  ...['plan', 'id', 'account_id', 'token_version'].map(
    (field): Row => [{ email: 'a@b.example', password: PASSWORD, [field]: 'team' }, `/${field}`],
  ),
];

const everywhere: [endpoint: string, credential: 'token' | 'key' | 'none', rows: Row[]][] = [
  ['/keys', 'token', keys],
  ['/keys/{id}/rotate', 'token', rotations],
  ['/auth/password', 'token', passwords],
  ['/verify', 'key', intents],
  ['/verify/batch', 'key', batches],
  ['/revoke', 'key', [...agentIds, ...reasons, [{ agent_id: AGENT, until: FUTURE }, '/until']]],
  ['/revoke', 'token', [...agentIds, ...reasons]],
  ['/suspend', 'token', [...agentIds, ...reasons, ...suspensions]],
  ['/reinstate', 'token', [...agentIds, [{ agent_id: AGENT, reason: 'a' }, '/reason']]],
  ['/auth/login', 'none', logins],
  ['/auth/register', 'none', registrations],
];

test.each(everywhere)(
  'POST %s with a %s refuses every malformed body, and stores nothing',
  async (path, credential, rows) => {
    const { api, token, refused } = await openStage({ registration: 'open' });
    await issue(api, token);
    const { key, id } = await makeKey(api, token);
    const caller = { token: { token }, key: { key }, none: {} }[credential];
    for (const [json, expected] of rows) {
      const named = await refused(
        'POST',
        path.replace('{id}', id),
        { ...caller, json },
        400,
        'invalid_request',
      );
      expect({ json, named: [...new Set(named)] }).toEqual({ json, named: [expected] });
    }
  },
);

const patches: Row[] = [
  ...notObjects,
  ...[
    'domain',
    'agent_name',
    'status',
    'version',
    'holder',
    'account_id',
    'agent_id',
    'revoked_at',
    'suspended_until',
  ].flatMap((field): Row[] => ['x', null].map((value) => [{ [field]: value }, `/${field}`])),
  ...['allowed_actions', 'monetary_limit_per_txn'].map((field): Row => [{ [field]: null }, `/${field}`]),
  ...[-1, '1e2', 1e16, '0.0000001', true].map(
    (limit): Row => [{ monetary_limit_per_txn: limit }, '/monetary_limit_per_txn'],
  ),
  ...['allowed_actions', 'denied_actions', 'monetary_actions', 'allowed_targets'].flatMap((field): Row[] => [
    [{ [field]: ['did:web:a.example', ' '] }, `/${field}/1`],
    [{ [field]: ['did:web:a.example', 'did:web:a.example'] }, `/${field}`],
    [{ [field]: 'a' }, `/${field}`],
  ]),
  ...['eur', 'ZZZ', 1].map((currency): Row => [{ currency }, '/currency']),
  ...['not_before', 'expires_at'].map((field): Row => [{ [field]: 'soon' }, `/${field}`]),
  [{ not_before: FUTURE, expires_at: PAST }, '/expires_at'],
  [{ description: 'a'.repeat(501) }, '/description'],
  [{ description: 1 }, '/description'],
  [{ metadata: { a: 1 } }, '/metadata/a'],
  [{ metadata: { a: 'v'.repeat(501) } }, '/metadata/a'],
  [{ metadata: [] }, '/metadata'],
];

test('PATCH of a key refuses every malformed patch, and stores nothing', async () => {
  const { api, token, refused } = await openStage();
  const { id } = await makeKey(api, token);
  for (const [json, expected] of keyPatches) {
    const named = await refused('PATCH', `/keys/${id}`, { token, json }, 400, 'invalid_request');
    expect({ json, named: [...new Set(named)] }).toEqual({ json, named: [expected] });
  }
});

test('PATCH refuses every malformed patch, and stores nothing', async () => {
  const { api, token, refused } = await openStage();
  const agent = await issue(api, token);
  for (const [json, expected] of patches) {
    const named = await refused('PATCH', `/passports/${agent}`, { token, json }, 400, 'invalid_request');
    expect({ json, named: [...new Set(named)] }).toEqual({ json, named: [expected] });
  }
});

test.each([
  [{ currency: 'EUR', monetary_limit_per_txn: '1.25' }, { currency: 'JPY' }, '/monetary_limit_per_txn'],
  [
    { currency: 'JPY', monetary_limit_per_txn: 1 },
    { monetary_limit_per_txn: 1.5 },
    '/monetary_limit_per_txn',
  ],
  [{ expires_at: FUTURE }, { not_before: FUTURE }, '/expires_at'],
  [{ not_before: FUTURE }, { expires_at: PAST }, '/expires_at'],
  [
    { metadata: Object.fromEntries(list(20).map((name) => [name, 'v'])) },
    { metadata: { more: 'v' } },
    '/metadata',
  ],
])('checks a patch with the stored fields: %j, then %j', async (before, json, path) => {
  const { api, token, refused } = await openStage();
  const agent = await issue(api, token, { ...PASSPORT, ...before });
  expect(await refused('PATCH', `/passports/${agent}`, { token, json }, 400, 'invalid_request')).toEqual([
    path,
  ]);
});

test.each([
  ['/passports', '?limit=0', '/limit'],
  ['/passports', '?limit=101', '/limit'],
  ['/passports', '?limit=', '/limit'],
  ['/passports', '?limit=1e1', '/limit'],
  ['/passports', '?limit=-1', '/limit'],
  ['/passports', '?limit=1.5', '/limit'],
  ['/passports', '?limit=1&limit=2', '/limit'],
  ['/passports', '?cursor=', '/cursor'],
  ['/passports', '?cursor=abc', '/cursor'],
  ['/passports', '?status=', '/status'],
  ['/passports', '?status=gone', '/status'],
  ['/passports', '?status=Active', '/status'],
  ['/passports', '?domain=', '/domain'],
  ['/passports', '?domain=EXAMPLE.com', '/domain'],
  ['/passports', '?domain=a%00', '/domain'],
  ['/passports', '?domain=%FF', '/domain'],
  ['/passports', '?holder=me', '/holder'],
  ['/passports', '?__proto__=1', '/__proto__'],
  ['/passports/{agent_id}/versions', '?limit=0', '/limit'],
  ['/passports/{agent_id}/versions', '?cursor=abc', '/cursor'],
  ['/passports/{agent_id}/versions', '?status=active', '/status'],
  ['/keys', '?limit=200', '/limit'],
  ['/keys', '?cursor=a.b', '/cursor'],
  ['/keys', '?status=active', '/status'],
])('GET %s%s is refused', async (path, query, expected) => {
  const { api, token, refused } = await openStage();
  const at = path.replace('{agent_id}', await issue(api, token));
  expect(await refused('GET', `${at}${query}`, { token }, 400, 'invalid_request')).toEqual([expected]);
});
