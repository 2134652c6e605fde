/** Assertions, proofs and keys that authenticate nobody. */
import { makeKeyPair, PUBLIC_URL, RESOURCE, TOKEN_URL } from '../stage.ts';
import { ACCOUNT, type Accepted, type Change, now, type Refused, type Stage } from './ask.ts';

const ERRORS: Readonly<Record<Accepted, string>> = {
  assertion: 'invalid_client',
  proof: 'invalid_dpop_proof',
  key: 'invalid_client',
  workload: 'invalid_grant',
  user: 'invalid_grant',
};

const all = (accepted: Accepted, changes: Readonly<Record<string, Refused['change']>>): readonly Refused[] =>
  Object.entries(changes).map(([name, change]) => ({ accepted, name, error: ERRORS[accepted], change }));

const header = (member: object): Change => ({ header: { ...member } });
const claims = (member: object): Change => ({ claims: { ...member } });
const swapLast = (text: string): string => text.replace(/.(?=.$)/, (last) => (last === 'A' ? 'B' : 'A'));
const twice = (member: string) => (text: string) => text.replace('{', `{${member},`);

/** What no JWT of any kind may have. */
const WRONG_TEXTS: Readonly<Record<string, Refused['change']>> = {
  'alg none': header({ alg: 'none' }),
  'alg HS256': header({ alg: 'HS256' }),
  'no alg': header({ alg: undefined }),
  'a critical member': header({ crit: ['exp'] }),
  'a header that is no JSON': { headerText: (text) => text.slice(1) },
  'claims that are no JSON': { claimsText: (text) => `${text}x` },
  'claims that are a list': { claimsText: (text) => `[${text}]` },
  'a claim that is repeated': { claimsText: twice('"jti":"x"') },
  'a member of the header that is repeated': { headerText: twice('"alg":"EdDSA"') },
  'the signature of another text': { jwt: swapLast },
  'no signature': { jwt: (text) => text.replace(/[^.]+$/, '') },
  padding: { jwt: (text) => `${text}==` },
  'a fourth part': { jwt: (text) => `${text}.x` },
  'two parts': { jwt: (text) => text.replace(/\.[^.]+$/, '') },
  'a text that is no JWT': { jwt: () => 'x' },
  async 'the signature of another key'({ agentKey, cluster }) {
    const { alg } = cluster;
    return { signer: await makeKeyPair(alg === 'ES256' ? alg : agentKey.alg) };
  },
};

export const REFUSED_ASSERTIONS: readonly Refused[] = [
  ...all('assertion', {
    ...WRONG_TEXTS,
    'the signature of another key': async () => ({ signer: await makeKeyPair() }),
    'the alg of another type of key': header({ alg: 'ES256' }),
    'another type': header({ typ: 'at+jwt' }),
    'the type in lower case': header({ typ: 'jwt' }),
    'the type of proofs': header({ typ: 'dpop+jwt' }),
    'another kid': header({ kid: 'n3hVptYdC3_yZN9LmcnhwEZo-Z-eFX-y4SP6YP2ggfI' }),
    'the kid of another agent': ({ agentKey }) =>
      header({ kid: `did:web:example.com:agents:nobody#${agentKey.kid}` }),
    'a kid that is a number': header({ kid: 1 }),
    'a kid that is empty': header({ kid: '' }),
    'a key in the header': ({ agentKey }) => header({ jwk: agentKey.jwk }),
    'the address of keys': header({ jku: 'https://evil.example/keys' }),
    'the address of a certificate': header({ x5u: 'https://evil.example/keys' }),
    'a certificate': header({ x5c: ['x'] }),
    'a content type': header({ cty: 'JWT' }),
    'another audience': claims({ aud: PUBLIC_URL }),
    'the token endpoint as audience': claims({ aud: TOKEN_URL }),
    'the issuer of another domain as audience': claims({ aud: `${PUBLIC_URL}/issuers/example.org` }),
    'a slash after the audience': claims({ aud: `${PUBLIC_URL}/issuers/example.com/` }),
    'an audience in upper case': claims({ aud: 'https://ID.example.com/api/issuers/example.com' }),
    'a list of audiences': claims({ aud: [`${PUBLIC_URL}/issuers/example.com`] }),
    'no audience': claims({ aud: undefined }),
    'another subject': claims({ sub: 'did:web:example.com:agents:nobody' }),
    'no subject': claims({ sub: undefined }),
    'a subject that is a number': claims({ sub: 1 }),
    'another issuer': claims({ iss: 'did:web:example.com:agents:nobody' }),
    'no issuer': claims({ iss: undefined }),
    'no jti': claims({ jti: undefined }),
    'an empty jti': claims({ jti: '' }),
    'a jti of 257 characters': claims({ jti: 'x'.repeat(257) }),
    'a jti that is a number': claims({ jti: 1 }),
    'no end': claims({ exp: undefined }),
    'an end that is a text': () => claims({ exp: `${now() + 60}` }),
    'an end in the past': () => claims({ exp: now() - 10 }),
    'an end that is too far': () => claims({ exp: now() + 400 }),
    'a begin in the future': () => claims({ nbf: now() + 30 }),
    'a begin that is a text': claims({ nbf: '0' }),
    'an iat in the future': () => claims({ iat: now() + 30 }),
    'a negative iat': claims({ iat: -1 }),
    'more than 8,192 characters': claims({ more: 'x'.repeat(6_500) }),
  }),
  ...all('proof', {
    ...WRONG_TEXTS,
    'another method': claims({ htm: 'GET' }),
    'the method in lower case': claims({ htm: 'post' }),
    'a query in the address': claims({ htu: `${TOKEN_URL}?x=1` }),
    'the address of the resource': claims({ htu: RESOURCE }),
    'no address': claims({ htu: undefined }),
    'an old iat': () => claims({ iat: now() - 70 }),
    'an iat in the future': () => claims({ iat: now() + 20 }),
    'no iat': claims({ iat: undefined }),
    'no jti': claims({ jti: undefined }),
    'an empty jti': claims({ jti: '' }),
    'a jti of 257 characters': claims({ jti: 'x'.repeat(257) }),
    'another type': header({ typ: 'JWT' }),
    'no type': header({ typ: undefined }),
    'a kid': ({ holder }) => header({ kid: holder.kid }),
    'no key': header({ jwk: undefined }),
    'the key of somebody else': async () => header({ jwk: (await makeKeyPair('ES256')).jwk }),
    'a private key': ({ holder }) => header({ jwk: { ...holder.jwk, d: 'x'.repeat(43) } }),
    'the key of the assertion': ({ agentKey }) => header({ jwk: agentKey.jwk }),
    'two proofs': { jwt: (text) => `${text}, ${text}` },
  }),
];

const REUSED: readonly Refused[] = (['assertion', 'workload', 'user'] as const).map((accepted) => ({
  accepted,
  name: 'a JWT that was used before',
  error: ERRORS[accepted],
  isRecorded: true,
  async change({ ask }) {
    let used = '';
    await ask(accepted, {
      jwt(text) {
        used = text;
        return text;
      },
    });
    return { jwt: () => used };
  },
}));

/** A key for other agents, with another scope, or of a kind that gets no token. */
const otherKey =
  (input: (stage: Stage) => Promise<object> | object): Refused['change'] =>
  async (stage) => {
    const asked = { name: 'x', scopes: ['token'], agent_ids: [stage.agent_id], ...(await input(stage)) };
    const { key } = await stage.service.keys.create(JSON.parse(JSON.stringify(asked)), ACCOUNT);
    return { password: `${key}` };
  };
const authorization = (text: string): Change => ({ headers: { authorization: text } });

export const REFUSED_KEYS: readonly Refused[] = all('key', {
  'a key for all agents': otherKey(() => ({ agent_ids: undefined })),
  'a key for other agents': otherKey(async ({ issue }) => ({ agent_ids: [(await issue([])).agent_id] })),
  'a key without the scope': otherKey(() => ({ scopes: ['verify'] })),
  'a key of another account': async ({ service }) => {
    const input = { name: 'x', scopes: ['verify'] as const };
    return { password: `${(await service.keys.create(input, { account_id: 'acc_2' })).key}` };
  },
  'a revoked key': async ({ service }) => {
    const [key] = (await service.keys.list({}, ACCOUNT)).data;
    await service.keys.revoke(key?.id ?? '', ACCOUNT);
    return {};
  },
  'an unknown key': ({ apiKey }) => ({ password: swapLast(apiKey) }),
  'a key with a space': ({ apiKey }) => ({ password: `${apiKey} ` }),
  'a text that is no key': { password: 'secret' },
  'an empty key': { password: '' },
  'an agent that does not exist': ({ agent_id }) => ({ user: `${agent_id}x` }),
  'the id of another agent': async ({ issue }) => ({ user: (await issue([])).agent_id }),
  'another client_id': { form: { client_id: 'did:web:example.com:agents:nobody' } },
  'no colon': authorization(`Basic ${btoa('agent')}`),
  'no base64': authorization('Basic %%%'),
  'another scheme': ({ apiKey }) => authorization(`Bearer ${apiKey}`),
  'a broken escape': { user: '%zz' },
  'bytes that are no UTF-8': authorization(`Basic ${btoa('\xff:\xff')}`),
  'a passport that demands a proof': async ({ service, agent_id }) => {
    await service.passports.update(agent_id, { proof: 'identity' }, ACCOUNT);
    return {};
  },
}).map((one) => ({ ...one, status: 401 }));

/** What no JWT of a trusted issuer may have. */
const WRONG_GRANTS: Readonly<Record<string, Refused['change']>> = {
  ...WRONG_TEXTS,
  'the alg of another type of key': header({ alg: 'EdDSA' }),
  'another kid': header({ kid: 'two' }),
  'a kid that is a number': header({ kid: 1 }),
  'a key in the header': ({ cluster }) => header({ jwk: cluster.jwk }),
  'the address of keys': header({ jku: 'https://evil.example' }),
  'the address of a certificate': header({ x5u: 'https://evil.example' }),
  'an issuer that is not trusted': claims({ iss: 'https://evil.example' }),
  'no issuer': claims({ iss: undefined }),
  'no subject': claims({ sub: undefined }),
  'an empty subject': claims({ sub: '' }),
  'a subject with a line feed': claims({ sub: 'ann\n' }),
  'another audience': claims({ aud: PUBLIC_URL }),
  'two audiences': claims({ aud: [`${PUBLIC_URL}/issuers/example.com`, 'x'] }),
  'no audience': claims({ aud: undefined }),
  'no end': claims({ exp: undefined }),
  'an end in the past': () => claims({ exp: now() - 10 }),
  'an end that is too far': () => claims({ exp: now() + 3_700 }),
  'no iat': claims({ iat: undefined }),
  'an iat in the future': () => claims({ iat: now() + 30 }),
  'a begin in the future': () => claims({ nbf: now() + 30 }),
  'no jti': claims({ jti: undefined }),
  'a jti of 257 characters': claims({ jti: 'x'.repeat(257) }),
};

const formOf = (accepted: Accepted, name: string, error: string, form: Change['form'] & object): Refused => ({
  accepted,
  name,
  error,
  change: { form },
});

export const REFUSED_GRANTS: readonly Refused[] = [
  ...REUSED,
  ...all('workload', {
    ...WRONG_GRANTS,
    'the issuer of users': claims({ iss: 'https://idp.example' }),
    'a subject that the passport does not name': claims({ sub: 'system:serviceaccount:other:orders' }),
    'another type': header({ typ: 'at+jwt' }),
  }),
  {
    accepted: 'workload',
    name: 'the type of a user',
    error: 'invalid_client',
    change: header({ typ: 'oauth-id-jag+jwt' }),
  },
  formOf('workload', 'no assertion', 'invalid_request', { assertion: undefined }),
  formOf('workload', 'no client_id', 'invalid_request', { client_id: undefined }),
  formOf('workload', 'a secret', 'invalid_client', { client_secret: 'x' }),
  formOf('workload', 'an unknown parent', 'invalid_grant', {
    client_id: 'did:web:example.com:agents:nobody',
  }),
  formOf('workload', 'a parent of another domain', 'invalid_grant', {
    client_id: 'did:web:example.org:agents:nobody',
  }),
  formOf('workload', 'a client_id that is no agent', 'invalid_grant', { client_id: 'cluster' }),
  formOf('workload', 'no resource', 'invalid_target', { resource: undefined }),
  formOf('workload', 'a malformed resource', 'invalid_target', { resource: 'mcp' }),
  formOf('workload', 'a malformed scope', 'invalid_scope', { scope: 'orders.*' }),
  ...all('user', {
    ...WRONG_GRANTS,
    'another agent': claims({ client_id: 'did:web:example.com:agents:nobody' }),
    'no agent': claims({ client_id: undefined }),
    'details of the authorization': claims({ authorization_details: [] }),
    'a binding to a certificate': claims({ cnf: { 'x5t#S256': 'x' } }),
    'a binding that is no key': claims({ cnf: { jkt: 'x' } }),
    'a binding without a proof': ({ holder }) => claims({ cnf: { jkt: holder.kid } }),
    'a scope that is a list': claims({ scope: ['orders.read'] }),
    'another resource': claims({ resource: 'https://mcp.example/other' }),
    'a resource that is no URL': claims({ resource: 'mcp' }),
    'the type in upper case': header({ typ: 'OAUTH-ID-JAG+JWT' }),
    'a whole media type': header({ typ: 'application/oauth-id-jag+jwt' }),
  }),
  {
    accepted: 'user',
    name: 'the type of a workload',
    error: 'invalid_request',
    change: header({ typ: 'JWT' }),
  },
  {
    accepted: 'user',
    name: 'a scope beyond its own',
    error: 'invalid_scope',
    change: claims({ scope: 'orders.list' }),
  },
  formOf('user', 'no authentication', 'invalid_client', { client_assertion: undefined }),
];
