import { describe, expect, test } from 'vitest';
import { fetchHandler, nodeListener } from '../src/http/index.ts';
import {
  createIdentityClient,
  type IdentityClientOptions,
  IdentityError,
  type IdentityErrorCode,
  type Intent,
} from '../src/index.ts';
import { issue, makeKey } from './support/api.ts';
import { listen } from './support/servers.ts';
import { MINUTE, openService } from './support/service.ts';
import { probe } from './support/storage-probe.ts';
import { AGENT, openVerdictStage } from './support/verdict-stage.ts';

const KEY = 'ais_live_0000000000000000000000000000000000000000000abcdef';
const INTENT = { agent_id: AGENT, action: 'orders.get' };
const ALLOW = {
  verdict: 'ALLOW',
  reasons: [],
  decision_id: 'dec_1',
  agent_id: AGENT,
  action: 'orders.get',
  target: null,
  amount: null,
  currency: null,
  dry_run: false,
};

/** A client whose requests a function answers. */
function clientOf(answer: () => Response | Promise<Response>, more: Partial<IdentityClientOptions> = {}) {
  const fetch = async () => answer();
  return createIdentityClient({ baseUrl: 'http://service.example/api', apiKey: KEY, fetch, ...more });
}

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

async function rejection(call: Promise<unknown>): Promise<IdentityError> {
  const outcome = await call.then(
    (value) => expect.fail(`It resolved to ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (!(outcome instanceof IdentityError)) throw outcome;
  return outcome;
}

function tell(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.name} ${error.message} ${error.stack} ${JSON.stringify(error)} ${error.cause ? tell(error.cause) : ''}`;
}

async function openRemote() {
  const stage = await openVerdictStage();
  const origin = await listen(nodeListener(stage.opened.service));
  const { key } = await makeKey(stage.api, stage.token, { scopes: ['verify', 'revoke', 'reinstate'] });
  return { ...stage, key, origin, client: createIdentityClient({ baseUrl: `${origin}/api/`, apiKey: key }) };
}

describe('the client', () => {
  test('has the methods of the service', async () => {
    const { opened, api, token, client } = await openRemote();
    const other = await issue(api, token, { agent_name: 'other' });
    expect(await client.verify(INTENT)).toMatchObject({ verdict: 'ALLOW', agent_id: AGENT });
    const batch = await client.verifyBatch({ intents: [INTENT, { agent_id: other, action: 'x' }] });
    expect(batch.map(({ verdict }) => verdict)).toEqual(['ALLOW', 'DENY']);
    const until = opened.clock.instant(MINUTE);
    expect(await client.suspend({ agent_id: AGENT, reason: 'r', until })).toEqual({
      agent_id: AGENT,
      status: 'suspended',
      reason: 'r',
      suspended_until: until,
    });
    expect((await client.verify(INTENT)).reasons[0]?.code).toBe('agent_suspended');
    expect(await client.reinstate({ agent_id: AGENT })).toEqual({ agent_id: AGENT, status: 'active' });
    expect(await client.revoke({ agent_id: AGENT })).toMatchObject({ status: 'revoked', reason: null });
    expect(await client.revoke({ agent_id: other, reason: 'r' })).toMatchObject({
      agent_id: other,
      reason: 'r',
    });
  });

  test('rejects with the code, the message and the paths of the service', async () => {
    const { client, origin } = await openRemote();
    const malformed = await rejection(client.verify({ agent_id: AGENT, action: '' }));
    expect(malformed.code).toBe('invalid_request');
    expect(malformed.details.errors).toMatchObject([{ path: '/action', code: 'too_short' }]);
    expect((await rejection(client.verify({ ...INTENT, parameters: { n: '\0' } }))).code).toBe(
      'invalid_json',
    );
    expect((await rejection(client.revoke({ agent_id: 'x' }))).code).toBe('not_found');
    const otherClient = createIdentityClient({ baseUrl: `${origin}/api`, apiKey: KEY });
    expect((await rejection(otherClient.verify(INTENT))).code).toBe('unauthenticated');
    const astray = createIdentityClient({ baseUrl: origin, apiKey: KEY });
    expect((await rejection(astray.verify(INTENT))).code).toBe('not_found');
  });

  test('rejects when the storage of the service is down, with when to come back', async () => {
    const storage = probe();
    const { service } = openService({ storage });
    storage.fail = () => Promise.reject(new Error('down'));
    const handle = fetchHandler(service);
    const fetch: typeof globalThis.fetch = (input, init) => handle(new Request(input, init));
    const { key } = await openRemote();
    const client = createIdentityClient({ baseUrl: 'http://h/api', apiKey: key, fetch });
    const error = await rejection(client.verify(INTENT));
    expect([error.code, error.details.retryAfterSeconds]).toEqual(['storage_unavailable', 1]);
  });

  test('says so when an intent has no JSON form', async () => {
    const client = clientOf(() => json(ALLOW));
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect((await rejection(client.verify({ ...INTENT, parameters: circle }))).code).toBe('invalid_request');
    expect((await rejection(client.verify({ ...INTENT, parameters: { n: 1n } }))).code).toBe(
      'invalid_request',
    );
  });
});

describe('never an ALLOW that was not said:', () => {
  const UNREACHABLE: readonly [string, () => Response | Promise<Response>][] = [
    ['no connection', () => Promise.reject(new TypeError('fetch failed'))],
    [
      'a page of HTML',
      () => new Response('<html>ALLOW</html>', { headers: { 'content-type': 'text/html' } }),
    ],
    ['nothing', () => new Response(null, { status: 204 })],
    ['an empty body', () => new Response('')],
    ['half a body', () => new Response(JSON.stringify(ALLOW).slice(0, -1))],
    ['null', () => json(null)],
    ['a text', () => json('ALLOW')],
    ['a list', () => json([ALLOW])],
    ['only the verdict', () => json({ verdict: 'ALLOW' })],
    ['another agent', () => json({ ...ALLOW, agent_id: 'did:web:example.com:agents:other' })],
    ['another action', () => json({ ...ALLOW, action: 'orders.delete' })],
    ['a target', () => json({ ...ALLOW, target: 'did:web:shop.example' })],
    ['an amount', () => json({ ...ALLOW, amount: 1 })],
    ['a currency', () => json({ ...ALLOW, currency: 'EUR' })],
    ['a dry run', () => json({ ...ALLOW, dry_run: true })],
    ...(['target', 'amount', 'currency', 'dry_run'] as const).map((name): [string, () => Response] => [
      `an ALLOW without ${name}`,
      () => json({ ...ALLOW, [name]: undefined }),
    ]),
    ['an ALLOW with reasons', () => json({ ...ALLOW, reasons: [{ code: 'a', message: 'b' }] })],
    ['a DENY without reasons', () => json({ ...ALLOW, verdict: 'DENY' })],
    ['an ALLOW whose reasons are a text', () => json({ ...ALLOW, reasons: '' })],
    ['an ALLOW without reasons', () => json({ ...ALLOW, reasons: undefined })],
    ['an ALLOW without an id', () => json({ ...ALLOW, decision_id: undefined })],
    ['an unknown verdict', () => json({ ...ALLOW, verdict: 'allow' })],
    ['an ALLOW with status 201', () => json(ALLOW, 201)],
    ['an ALLOW with status 202', () => json(ALLOW, 202)],
    ['an ALLOW with status 400', () => json(ALLOW, 400)],
    ['an ALLOW with status 500', () => json(ALLOW, 500)],
    ['an ALLOW with status 503', () => json(ALLOW, 503)],
    ['an error of a proxy', () => json({ message: 'Bad gateway' }, 502)],
    ['an error that is null', () => json(null, 500)],
  ];

  test.each(UNREACHABLE)('%s is service_unreachable', async (_, answer) => {
    const client = clientOf(answer);
    expect((await rejection(client.verify(INTENT))).code).toBe('service_unreachable');
    expect((await rejection(client.verifyBatch({ intents: [INTENT] }))).code).toBe('service_unreachable');
    for (const method of ['revoke', 'suspend', 'reinstate'] as const) {
      expect((await rejection(client[method]({ agent_id: AGENT }))).code).toBe('service_unreachable');
    }
  });

  test.each<[string, unknown]>([
    ['too few verdicts', [ALLOW]],
    ['too many verdicts', [ALLOW, ALLOW, ALLOW]],
    ['one of another agent', [ALLOW, { ...ALLOW, agent_id: 'x' }]],
    ['one that is null', [ALLOW, null]],
    ['an object', { 0: ALLOW, 1: ALLOW, length: 2 }],
  ])('a batch with %s is service_unreachable', async (_, verdicts) => {
    const client = clientOf(() => json({ verdicts }));
    expect((await rejection(client.verifyBatch({ intents: [INTENT, INTENT] }))).code).toBe(
      'service_unreachable',
    );
  });

  test('a change of another passport, or to another state, is service_unreachable', async () => {
    for (const body of [
      { agent_id: 'x', status: 'revoked' },
      { agent_id: AGENT, status: 'active' },
      { agent_id: AGENT },
    ]) {
      const client = clientOf(() => json(body));
      expect((await rejection(client.revoke({ agent_id: AGENT }))).code).toBe('service_unreachable');
    }
  });

  test('a service that is slow to answer, or to end its answer, is service_unreachable', async () => {
    const origin = await listen((request, response) => {
      if (request.url === '/slow/verify') return;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(JSON.stringify(ALLOW).slice(0, -1));
    });
    for (const path of ['slow', 'half']) {
      const client = createIdentityClient({ baseUrl: `${origin}/${path}`, apiKey: KEY, timeoutMs: 50 });
      const started = performance.now();
      expect((await rejection(client.verify(INTENT))).code).toBe('service_unreachable');
      expect(performance.now() - started).toBeLessThan(20_000);
    }
  });

  test.each([301, 302, 303, 307, 308])(
    'a redirect (%i) is not followed, and the key goes nowhere else',
    async (status) => {
      const seen: unknown[] = [];
      const elsewhere = await listen((request, response) => {
        seen.push(request.headers);
        response.end(JSON.stringify(ALLOW));
      });
      const origin = await listen((_request, response) => {
        response.writeHead(status, { location: elsewhere }).end();
      });
      const client = createIdentityClient({ baseUrl: `${origin}/api`, apiKey: KEY });
      expect((await rejection(client.verify(INTENT))).code).toBe('service_unreachable');
      expect(seen).toEqual([]);
    },
  );

  test('a port without a listener is service_unreachable', async () => {
    const client = createIdentityClient({ baseUrl: 'http://127.0.0.1:1/api', apiKey: KEY });
    expect((await rejection(client.verify(INTENT))).code).toBe('service_unreachable');
  });

  test('a malformed intent is an error', async () => {
    const { client } = await openRemote();
    for (const intent of [undefined, null, 1, [], 'a']) {
      expect((await rejection(client.verify(intent as unknown as Intent))).code).toMatch(/^invalid_/);
    }
  });
});

describe('the key', () => {
  test('is in no error', async () => {
    const codes = new Set<IdentityErrorCode>();
    const { origin } = await openRemote();
    for (const client of [
      clientOf(() => Promise.reject(new TypeError('fetch failed'))),
      clientOf(() => json({ ...ALLOW, agent_id: 'x' })),
      createIdentityClient({ baseUrl: `${origin}/api`, apiKey: KEY }),
      createIdentityClient({ baseUrl: 'http://127.0.0.1:1', apiKey: KEY }),
    ]) {
      const error = await rejection(client.verify(INTENT));
      codes.add(error.code);
      expect(tell(error)).not.toContain(KEY);
    }
    expect([...codes].sort()).toEqual(['service_unreachable', 'unauthenticated']);
  });

  test.each(['', ' ', `${KEY}\n`, `${KEY}\nx`, `${KEY} `, `${KEY}é`, `${KEY}\0`])(
    '%j is refused at once, unshown',
    (apiKey) => {
      try {
        createIdentityClient({ baseUrl: 'http://127.0.0.1:1', apiKey });
        expect.fail('It was taken.');
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_configuration' });
        expect(tell(error)).not.toContain(KEY);
      }
    },
  );

  test.each(['', 'example.com/api', '/api', 'ftp://h/api', 'http://user:hunter2@h/api', 'http://'])(
    'has no use without a base URL such as %j',
    (baseUrl) => {
      try {
        createIdentityClient({ baseUrl, apiKey: KEY });
        expect.fail('It was taken.');
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_configuration' });
        expect(tell(error)).not.toContain('hunter2');
      }
    },
  );
});
