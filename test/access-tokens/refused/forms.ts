/** Forms that the endpoint refuses. */
import { ACCOUNT, type Change, type Refused } from './ask.ts';

const form = (name: string, error: string, parameters: Change['form'] & object): Refused => ({
  accepted: 'assertion',
  name,
  error,
  change: { form: parameters },
});
const body = (name: string, change: Change, status = 400): Refused => ({
  accepted: 'assertion',
  name,
  error: 'invalid_request',
  change,
  status,
});
const of = (
  error: string,
  parameter: string,
  values: Readonly<Record<string, string | undefined>>,
): readonly Refused[] =>
  Object.entries(values).map(([name, value]) => form(name, error, { [parameter]: value }));

const bytes = (text: string, ...more: readonly number[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array([...new TextEncoder().encode(text), ...more]);
const multipart = 'multipart/form-data; boundary=x';

export const REFUSED_FORMS: readonly Refused[] = [
  form('no grant', 'invalid_request', { grant_type: undefined }),
  ...of('unsupported_grant_type', 'grant_type', {
    'the grant of passwords': 'password',
    'the grant of codes': 'authorization_code',
    'the grant of refresh tokens': 'refresh_token',
    'the exchange of tokens': 'urn:ietf:params:oauth:grant-type:token-exchange',
    'a grant in upper case': 'CLIENT_CREDENTIALS',
    'a grant with a space': 'client_credentials ',
  }),
  ...of('invalid_target', 'resource', {
    'no resource': undefined,
    'a resource over http': 'http://mcp.example/mcp',
    'a resource with a query': 'https://mcp.example/mcp?x=1',
    'a resource with an empty query': 'https://mcp.example/mcp?',
    'a resource with a fragment': 'https://mcp.example/mcp#x',
    'a resource with an empty fragment': 'https://mcp.example/mcp#',
    'a resource with credentials': 'https://a:b@mcp.example/mcp',
    'a resource with an empty user': 'https://@mcp.example/mcp',
    'an IPv6 literal': 'https://[::1]/mcp',
    'an IPv4 address in octal': 'https://0177.0.0.1/mcp',
    'a host in upper case': 'https://MCP.example/mcp',
    'a scheme in upper case': 'HTTPS://mcp.example/mcp',
    'a host that is not ASCII': 'https://mcp.exämple/mcp',
    'a default port': 'https://mcp.example:443/mcp',
    'a port that is too large': 'https://mcp.example:65536/mcp',
    'a dot segment': 'https://mcp.example/a/../mcp',
    'an encoded dot segment': 'https://mcp.example/a/%2e%2e/mcp',
    'a backslash': 'https://mcp.example\\mcp',
    'a space': 'https://mcp.example/m cp',
    'a line feed': 'https://mcp.example/mcp\n',
    'a path alone': '/mcp',
    'a host alone': 'mcp.example',
    'no host': 'https:///mcp',
    'another scheme': 'ftp://mcp.example/mcp',
    'a script': 'javascript:alert(1)',
    'a resource of 513 characters': `https://mcp.example/${'x'.repeat(493)}`,
    'two resources in one': 'https://mcp.example/mcp https://mcp.example/other',
  }),
  ...of('invalid_scope', 'scope', {
    'a pattern as scope': 'orders.*',
    'every action as scope': '*',
    'two spaces in the scope': 'orders.read  orders.list',
    'a space before the scope': ' orders.read',
    'a space after the scope': 'orders.read ',
    'a tab in the scope': 'orders.read\torders.list',
    'a comma in the scope': 'orders.read,orders.list',
    'a quote in the scope': 'orders."read"',
    'a scope that is not ASCII': 'orders.läse',
    'a scope of 65 actions': Array.from({ length: 65 }, (_, place) => `orders.a${place}`).join(' '),
    'a scope of more than 1,024 characters': Array.from(
      { length: 41 },
      () => `orders.${'x'.repeat(18)}`,
    ).join(' '),
  }),
  ...of('invalid_client', 'client_assertion_type', {
    'no type of assertion': undefined,
    'another type of assertion': 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer',
    'a type of assertion in upper case': 'URN:IETF:PARAMS:OAUTH:CLIENT-ASSERTION-TYPE:JWT-BEARER',
  }),
  form('another client_id', 'invalid_client', { client_id: 'did:web:example.com:agents:nobody' }),
  form('a secret in place of the assertion', 'invalid_client', {
    client_assertion: undefined,
    client_secret: 'x',
  }),
  form('a secret and an assertion', 'invalid_request', { client_secret: 'x' }),
  form('no assertion', 'invalid_client', { client_assertion: undefined }),
  body('two resources', { body: (text) => `${text}&resource=https://other.example` }),
  body('a grant that is repeated', { body: (text) => `${text}&grant_type=client_credentials` }),
  body('an assertion that is repeated', { body: (text) => `${text}&client_assertion=x` }),
  body('an unknown parameter that is repeated', { body: (text) => `${text}&x=1&x=1` }),
  body('a broken escape', { body: (text) => `${text}&x=%E0%A4` }),
  body('half an escape', { body: (text) => `${text}&x=%4` }),
  body('bytes that are no UTF-8', { body: (text) => bytes(`${text}&x=`, 0xff) }),
  body('a NUL', { body: (text) => `${text}&x=%00` }),
  body('a NUL in a name', { body: (text) => `${text}&x%00=1` }),
  body('33 and more parameters', {
    body: (text) => `${text}&${Array.from({ length: 28 }, (_, place) => `p${place}=1`).join('&')}`,
  }),
  body('more than 16 KiB', { body: (text) => `${text}&x=${'y'.repeat(17_000)}` }, 413),
  body('the media type of JSON', { headers: { 'content-type': 'application/json' } }),
  body('the media type of text', { headers: { 'content-type': 'text/plain' } }),
  body('the media type of files', { headers: { 'content-type': multipart } }),
  body('another character set', {
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-16' },
  }),
  body('JSON as its body', { body: (text) => JSON.stringify(Object.fromEntries(new URLSearchParams(text))) }),
  body('an API key as well', { headers: { authorization: `Basic ${btoa('did:web:x:agents:a:b')}` } }),
  {
    ...body('a passport that demands a bound token', {}),
    error: 'invalid_dpop_proof',
    async change({ service, agent_id }) {
      await service.passports.update(agent_id, { proof: 'identity' }, ACCOUNT);
      return {};
    },
  },
  {
    ...body('an agent of another issuer', {}),
    error: 'invalid_client',
    async change({ issue, agentKey }) {
      const { agent_id } = await issue([agentKey], { domain: 'example.org' });
      return { claims: { iss: agent_id, sub: agent_id } };
    },
  },
];

/** Requests that a verdict denies, by the state that denies them. */
const denied = (
  name: string,
  error: string,
  deny: (stage: Parameters<Exclude<Refused['change'], Change>>[0]) => Promise<unknown>,
): Refused => ({
  accepted: 'assertion',
  name,
  error,
  isRecorded: true,
  async change(stage) {
    await deny(stage);
    return {};
  },
});
const patched = (name: string, error: string, patch: object): Refused =>
  denied(name, error, ({ service, agent_id }) => service.passports.update(agent_id, patch, ACCOUNT));

export const DENIED_REQUESTS: readonly Refused[] = [
  denied('a suspended agent', 'unauthorized_client', ({ service, agent_id }) =>
    service.suspend({ agent_id }, ACCOUNT),
  ),
  denied('a revoked agent', 'unauthorized_client', ({ service, agent_id }) =>
    service.revoke({ agent_id }, ACCOUNT),
  ),
  patched('an agent that may get no token', 'unauthorized_client', { allowed_actions: ['orders.*'] }),
  patched('an agent whose tokens are denied', 'unauthorized_client', { denied_actions: ['oauth:*'] }),
  patched('another target', 'invalid_target', { allowed_targets: ['did:web:other.example'] }),
  patched('a needed approval', 'unauthorized_client', { approval: { actions: ['oauth:token'] } }),
  {
    ...patched('a passport that demands proofs of intents', 'unauthorized_client', { proof: 'intent' }),
    accepted: 'proof',
  },
  denied('a budget that is used', 'unauthorized_client', async ({ service, agent_id, ask }) => {
    const budgets = [{ name: 'tokens', actions: ['oauth:token'], window: 'day', count: 1 }] as const;
    await service.passports.update(agent_id, { budgets }, ACCOUNT);
    await ask('assertion');
  }),
  {
    ...form('an action that is not allowed', 'invalid_scope', { scope: 'payments.create' }),
    isRecorded: true,
  },
];
