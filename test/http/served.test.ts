/** The table serves any object by the methods that it has. */
import { expect, test } from 'vitest';
import { type Endpoint, endpoints, fetchHandler, type VerdictHost } from '../../src/http/index.ts';
import { IdentityError, type IdentityService } from '../../src/index.ts';
import { toRequest } from '../support/api.ts';
import { openService } from '../support/service.ts';

/** An object that notes which of its members are read, and whose methods never end. */
function noting(read: Set<string>): IdentityService {
  const endless: unknown = new Proxy(() => new Promise(() => undefined), { get: () => endless });
  return new Proxy({} as IdentityService, {
    get(_, name) {
      read.add(String(name));
      return name === 'serving' ? { limits: {}, authzen: AUTHZEN } : endless;
    },
  });
}

async function touchedBy(endpoint: Endpoint): Promise<readonly string[]> {
  const read = new Set<string>();
  const body =
    endpoint.tag === 'AuthZEN' ? { ...QUESTION, evaluations: [QUESTION] } : { domain: 'a.example' };
  const call = {
    ...{ service: noting(read), caller: {}, credential: '', params: {}, query: {}, rawHeaders: [], body },
    ...{ client: () => ({}), signal: () => new AbortController().signal, once: {}, count: () => undefined },
    ...{ requestId: 'req_1', document: async () => ({ body: '' }) },
  };
  void endpoint.handle(call as never).catch(() => undefined);
  await new Promise(setImmediate);
  return [...read].filter((name) => name !== 'serving');
}

const AUTHZEN = { agentIdOf: () => QUESTION.subject.id, subjectOf: () => undefined };
const QUESTION = {
  subject: { type: 'agent', id: 'did:web:example.com:agents:a' },
  action: { name: 'orders.read' },
  resource: { type: 'order', id: '1' },
};

test.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s touches only the method of a service that it names',
  async (_, endpoint) => {
    expect(await touchedBy(endpoint)).toEqual(endpoint.room === null ? [] : [endpoint.room]);
  },
);

/** An application that gives verdicts of a service, to one key. */
function hostOf(service: IdentityService, more: Partial<VerdictHost['serving']> = {}): VerdictHost {
  const caller = { account_id: 'acc_local', key_id: 'key_1', agent_ids: null, environment: 'live' } as const;
  return {
    verify: (intent) => service.verify(intent),
    serving: {
      ...{ metrics: undefined, authzen: undefined, log: () => undefined, deadlineMs: 1_000 },
      authenticateKey: async () => ({ ...caller, scopes: ['verify'], plan: 'starter' }),
      countVerifications: () => undefined,
      refusal: async () => undefined,
      ...more,
    },
  };
}

test('an object with one method serves and describes only the endpoints of that method', async () => {
  const handle = fetchHandler(hostOf(openService().service));
  const intent = { agent_id: QUESTION.subject.id, action: 'orders.read' };
  const answer = await handle(toRequest('POST', '/verify', { key: 'k', json: intent }));
  expect([answer.status, (await answer.json()).verdict]).toEqual([200, 'DENY']);
  const document = await (await handle(toRequest('GET', '/openapi.json', {}))).json();
  expect(Object.keys(document.paths)).toEqual(['/verify', '/openapi.json', '/health/live']);
  for (const path of ['/verify/batch', '/passports', '/health/ready', '/auth/login'])
    expect((await handle(toRequest('POST', path, { key: 'k', json: {} }))).status).toBe(404);
});

test('a path without its prefix is named in the 404 only where it is served', async () => {
  const handle = fetchHandler(hostOf(openService().service));
  const detailAt = async (path: string) =>
    (await (await handle(new Request(`http://127.0.0.1${path}`))).json()).detail;
  expect(await detailAt('/verify')).toContain('this one is /api/verify');
  expect(await detailAt('/passports')).toBe('There is nothing at this path.');
});

test('a refusal that is known late stands before errors of the body, and only after the key', async () => {
  const asked: string[] = [];
  const refusal = async () => {
    asked.push('refusal');
    return new IdentityError('unauthenticated', 'The API key is missing or not valid.');
  };
  const handle = fetchHandler(hostOf(openService().service, { refusal }));
  const statusOf = async (ask: object) => (await handle(toRequest('POST', '/verify', ask))).status;
  expect(await statusOf({ key: 'k', body: '{' })).toBe(401);
  expect(await statusOf({ key: 'k', body: '{}', type: 'text/plain' })).toBe(401);
  expect(await statusOf({ key: 'k', json: {} })).toBe(401);
  expect(asked).toHaveLength(3);
  expect(await statusOf({ body: '{' })).toBe(401);
  expect(asked).toHaveLength(3);
});
