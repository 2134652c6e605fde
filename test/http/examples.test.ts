import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { Credentials } from '../../src/core.ts';
import { requestExamples } from '../../src/http/examples/examples.ts';
import { check } from '../../src/schema/check.ts';
import { type RequestName, requestSchemas } from '../../src/schema/requests.ts';
import { believing } from '../oidc/stage.ts';
import { type Answer, type Api, type Ask, makeKey, openApi, text } from '../support/api.ts';
import { schemaOf } from '../support/request-schemas.ts';
import { openService } from '../support/service.ts';
import { claimsOf } from '../support/signing.ts';
import { playLog } from './play-log.ts';

interface Media {
  readonly schema: { readonly $ref?: string };
  readonly example?: unknown;
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const AGENT = 'did:web:shop.example:agents:shopper';

async function readDocument(): Promise<Document> {
  const opened = openService({ registration: 'open', oidc: { provider: believing } });
  const { text: document } = await openApi(opened).ask('GET', '/openapi.json');
  return JSON.parse(document);
}

/** The bodies that an operation takes and gives where all goes well. */
function mediaOf({ requestBody, responses }: Operation): readonly Media[] {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const contents = [requestBody?.content, ...good.map(([, { content }]) => content)];
  return contents.flatMap((content) => Object.values(content ?? {}));
}

const HELD = {
  agent_id: AGENT,
  action: 'payments.create',
  target: 'did:web:paper.suppliers.example',
  parameters: { amount: '19.99', currency: 'EUR' },
};

describe('the examples of the document', () => {
  test('stand beside every body that is taken or given, and fit its schema', async () => {
    const document = await readDocument();
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    ajv.addSchema({ $id: 'openapi', ...document } as AnySchema);
    const bodies = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => mediaOf(operation)),
    );
    expect(bodies.length).toBeGreaterThan(30);
    for (const { schema, example } of bodies) {
      const { $ref } = schema;
      expect([$ref, typeof example]).not.toContain('undefined');
      const valid = $ref === undefined || ajv.validate({ $ref: `openapi${$ref}` }, example);
      expect({ $ref, errors: valid ? null : ajv.errors }).toEqual({ $ref, errors: null });
    }
  });

  test('of requests are what the service itself takes', async () => {
    const { paths } = await readDocument();
    const taken = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {})),
    );
    const names = taken.map(({ schema, example }) => {
      const name = schema.$ref?.split('/').at(-1) as RequestName;
      expect(check(schemaOf(name), example)).toBe(example);
      return name;
    });
    expect([...new Set(names)].sort()).toEqual(Object.keys(requestSchemas).sort());
  });

  test('are what a real service answers to them, one after the other', async () => {
    const { paths } = await readDocument();
    const published: string[] = [];
    const domainProver = {
      txt: async () => published,
      text: () => Promise.reject(new TypeError('There is no page.')),
    };
    const transport = { refusal: () => undefined, post: async () => ({ status: 204, retryAfter: null }) };
    const webhooks = { transport, sends: false };
    const oidc = { provider: believing, map: () => ({ account: 'acme', role: 'viewer' as const }) };
    const api = openApi(openService({ registration: 'open', domainProver, webhooks, oidc }));
    const answered = new Set<string>();

    /** Sends the example of the operation and holds the answer against that of the document. */
    async function play(
      method: string,
      path: string,
      ask: Ask,
      id: string | ((name: string) => string) = '',
      at = api,
    ): Promise<Answer> {
      const [template = ''] = path.split('?');
      const operation = paths[template]?.[method.toLowerCase()];
      if (operation === undefined) expect.fail(`${method} ${path} is not in the document`);
      const sent = operation.requestBody?.content['application/json']?.example;
      const json = sent === undefined ? ask : { ...ask, json: sent };
      const answer = await at.ask(
        method,
        path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (typeof id === 'string' ? id : id(name))),
        json,
      );
      const { content } = operation.responses[answer.status] ?? {};
      const what = `${method} ${path}: ${answer.text}`;
      expect(answer.status, what).toBeLessThan(300);
      const given = content?.['application/json']?.example;
      if (given !== undefined && path !== '/openapi.json') {
        const body = unseen(answer.body);
        expect(shapeOf(body, given), what).toEqual(shapeOf(given, body));
      }
      answered.add(`${method} ${template}`);
      return answer;
    }

    await play('POST', '/auth/register', {});
    const token = text(await play('POST', '/auth/login', {}), 'access_token');
    const made = await play('POST', '/keys', { token });
    const [key, keyId] = [text(made, 'key'), text(made, 'id')];
    await play('POST', '/passports', { token });
    const allowed = await play('POST', '/verify', { key });
    expect(allowed.body['verdict']).toBe('ALLOW');
    const { verdicts } = (await play('POST', '/verify/batch', { key })).body as {
      verdicts: { reasons: { code: string }[] }[];
    };
    expect(verdicts.map(({ reasons }) => reasons.map(({ code }) => code))).toEqual([
      [],
      ['amount_over_limit'],
    ]);
    const deciding = await makeKey(api, token, { scopes: ['verify', 'decide'] });
    await play('POST', '/verifier/passports', { key: deciding.key });
    await play('POST', '/verifier/verdicts', { key: deciding.key });
    for (const path of [
      '/passports',
      '/keys',
      '/account',
      '/analytics',
      '/verifications?verdict=ALLOW',
      '/events',
    ]) {
      await play('GET', path, { token });
    }
    const { decision_id, evaluated_at } = allowed.body;
    const outcomes = [{ decision_id, evaluated_at, agent_id: AGENT, outcome: 'failed', code: 'timeout' }];
    const reported = await api.ask('POST', '/verifications/outcomes', { key, json: { outcomes } });
    expect(reported.body).toEqual({ accepted: 1 });
    answered.add('POST /verifications/outcomes');
    const { body: held } = await api.ask('POST', '/verify', { key, json: { ...HELD, hold_seconds: 600 } });
    const spends = [held, allowed.body].map((record) => String(record['decision_id']));
    await play('GET', '/spends/{decision_id}', { key }, spends[0]);
    await play('POST', '/spends/{decision_id}/extend', { key }, spends[0]);
    await play('POST', '/spends/{decision_id}/commit', { key }, spends[0]);
    await play('POST', '/spends/{decision_id}/release', { token }, spends[1]);
    await playApprovals(play, api, { token, key });
    for (const at of ['', '/versions', '/budgets', '/effective']) {
      const path = `/passports/{agent_id}${at}`;
      await play('GET', path, { token }, AGENT);
    }
    const { dns } = (await play('POST', '/domains', { token })).body as { dns: { value: string } };
    published.push(dns.value);
    await play('GET', '/domains', { token });
    await play('POST', '/domains/{domain}/check', { token }, 'shop.example');
    const webhook = text(await play('POST', '/webhooks', { token }), 'id');
    await play('GET', '/webhooks', { token });
    await play('GET', '/webhooks/{id}', { token }, webhook);
    await play('PATCH', '/webhooks/{id}', { token }, webhook);
    await play('POST', '/webhooks/{id}/rotate', { token }, webhook);
    const tested = await play('POST', '/webhooks/{id}/test', { token }, webhook);
    const { id: delivery } = tested.body['delivery'] as { id: string };
    await play('GET', '/webhooks/{id}/deliveries', { token }, webhook);
    const redeliver = '/webhooks/{id}/deliveries/{delivery_id}/redeliver';
    await play('POST', redeliver, { token }, (name) => (name === 'id' ? webhook : delivery));
    await play('DELETE', '/webhooks/{id}', { token }, webhook);
    await play('GET', '/keys/{id}', { token }, keyId);
    await play('PATCH', '/passports/{agent_id}', { token }, AGENT);
    const tried = await play('POST', '/passports/{agent_id}/try', { token }, AGENT);
    expect(tried.body).toMatchObject({ verdict: 'DENY', reasons: [{ code: 'amount_over_limit' }] });
    const replayed = await play('POST', '/passports/{agent_id}/replay', { token }, AGENT);
    expect(replayed.body).toMatchObject({ change: { result: 'narrower' } });
    for (const path of ['/suspend', '/reinstate', '/revoke'])
      await play('POST', path, path === '/reinstate' ? { token } : { key });
    await play('POST', '/subjects/erase', { token });
    await play('DELETE', '/domains/{domain}', { token }, 'shop.example');
    await play('PATCH', '/keys/{id}', { token }, keyId);
    await play('POST', '/keys/{id}/rotate', { token }, keyId);
    await play('DELETE', '/keys/{id}', { token }, keyId);
    for (const path of ['/health/live', '/health/ready', '/jwks.json', '/openapi.json'])
      await play('GET', path, {});
    await playSigning(play);
    await playLog(play, HELD);
    await play('DELETE', '/passports/{agent_id}', { token }, AGENT);
    await play('GET', '/members', { token });
    const { member, link } = (await play('POST', '/members', { token })).body as {
      member: { id: string };
      link: { token: string };
    };
    await play('PATCH', '/members/{id}', { token }, member.id);
    const read = await api.ask('POST', '/auth/link', { json: { token: link.token } });
    expect(read.body).toMatchObject({ role: 'editor', resets: false });
    const accept = { token: link.token, password: 'a-long-password-of-ben' };
    expect((await api.ask('POST', '/auth/accept', { json: accept })).status).toBe(200);
    for (const path of ['POST /auth/link', 'POST /auth/accept']) answered.add(path);
    const { transaction } = (await play('POST', '/auth/oidc/start', {})).body as { transaction: string };
    const json = { transaction, response: JSON.stringify({ iss: 'https://login.example.com', sub: 'ann' }) };
    expect((await api.ask('POST', '/auth/oidc/finish', { json })).status).toBe(200);
    answered.add('POST /auth/oidc/finish');
    await play('GET', '/audit?type=member.invited', { token });
    await play('POST', '/members/{id}/link', { token }, member.id);
    await play('DELETE', '/members/{id}/sessions', { token }, member.id);
    await play('DELETE', '/members/{id}', { token }, member.id);
    await play('POST', '/auth/logout', { token });
    const again = text(await play('POST', '/auth/login', {}), 'access_token');
    await play('POST', '/auth/password', { token: again });
    const password = 'another-long-password-of-ann';
    const login = await api.ask('POST', '/auth/login', { json: { email: 'ann@example.com', password } });
    await play('DELETE', '/account', { token: text(login, 'access_token') });

    const all = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect([...answered].sort()).toEqual(all.sort());
  });

  test('of the export has the columns of the real one', async () => {
    const { paths } = await readDocument();
    const example = paths['/verifications']?.['get']?.responses['200']?.content?.['text/csv']?.example;
    const { service } = openService();
    let csv = '';
    for await (const piece of await service.verifications.csv({}, { account_id: 'acc_1' })) csv += piece;
    const [header, line] = String(example).split('\r\n');
    expect(header).toBe(csv.trim());
    expect(line?.split(',')).toHaveLength(header?.split(',').length ?? 0);
  });
});

/** Two intents above what the passport lets pass without a person; one is approved, one is rejected. */
async function playApprovals(
  play: (method: string, path: string, ask: Ask, id: string) => Promise<Answer>,
  api: Api,
  { token, key }: { readonly token: string; readonly key: string },
): Promise<void> {
  const path = `/passports/${encodeURIComponent(AGENT)}`;
  await api.ask('PATCH', path, { token, json: { approval: { above: 15 } } });
  const ids: string[] = [];
  for (const invoice of ['R-2026-118', 'R-2026-119']) {
    const json = { ...HELD, parameters: { ...HELD.parameters, invoice } };
    const { body } = await api.ask('POST', '/verify', { key, json });
    const [reason] = body['reasons'] as { approval_id: string }[];
    ids.push(reason?.approval_id ?? '');
  }
  const [first = '', second = ''] = ids;
  await play('GET', '/approvals', { token }, '');
  await play('GET', '/approvals/{id}', { key }, first);
  await play('POST', '/approvals/{id}/approve', { token }, first);
  await play('POST', '/approvals/{id}/reject', { token }, second);
  await api.ask('PATCH', path, { token, json: { approval: null } });
}

/** With open registration, the service signs no passport for an unproven domain: this service has one account. */
async function playSigning(
  play: (method: string, path: string, ask: Ask, id: string, at: Api) => Promise<Answer>,
): Promise<void> {
  const opened = openService();
  const api = openApi(opened);
  await opened.service.accounts.create(requestExamples.RegisterRequest as Credentials);
  const token = text(await play('POST', '/auth/login', {}, '', api), 'access_token');
  await play('POST', '/passports', { token }, '', api);
  const signed = await play('POST', '/passports/{agent_id}/sign', { token }, AGENT, api);
  const { status } = claimsOf(text(signed, 'token')) as { status: { status_list: { uri: string } } };
  await play('GET', '/status/{list_id}', {}, status.status_list.uri.split('/').at(-1) ?? '', api);
}

/** The names and the types of a value, as far as `other` has something there as well. */
function shapeOf(value: unknown, other: unknown): unknown {
  if (value === null || other === null) return 'null or another';
  if (Array.isArray(value) && Array.isArray(other)) {
    return value.length === 0 || other.length === 0 ? [] : [shapeOf(value[0], other[0])];
  }
  if (typeof value !== 'object' || typeof other !== 'object') return typeof value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, shapeOf(Object(value)[name], Object(other)[name])]),
  );
}

/** Returns a body without the hours of verdicts, which are noted later. */
function unseen<Body>(body: Body): Body {
  return JSON.parse(JSON.stringify(body, (name, value) => (name === 'last_seen_at' ? undefined : value)));
}
