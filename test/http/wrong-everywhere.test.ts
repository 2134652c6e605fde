/** What holds for every endpoint of the table, so that a new one cannot forget it. */
import { expect, test } from 'vitest';
import { endpoints } from '../../src/http/index.ts';
import { type Api, type Ask, expectProblem, issue, makeKey, openApi, signIn } from '../support/api.ts';
import { openService } from '../support/service.ts';
import { bodiesAbout } from './isolation-bodies.ts';

const SCOPES = ['verify', 'revoke', 'reinstate', 'sign', 'events', 'refund', 'decide', 'permit'];

/** Ids that are well formed, and lead nowhere. */
function missing(path: string): string {
  const id = path.startsWith('/webhooks') ? 'whk' : path.startsWith('/approvals') ? 'apr' : 'key';
  return path
    .replace('{agent_id}', encodeURIComponent('did:web:missing.example:agents:shopper'))
    .replace('{decision_id}', 'dec_missing')
    .replace('{id}', `${id}_${'0'.repeat(22)}`)
    .replace('{delivery_id}', `dlv_${'0'.repeat(22)}`)
    .replace('{domain}', 'missing.example')
    .replace('{list_id}', `sl_${'0'.repeat(22)}`);
}

interface Table {
  readonly api: Api;
  readonly agent: string;
  /** The endpoints that answer errors as problems, each with a credential that opens it. */
  readonly rows: readonly (readonly [endpoint: (typeof endpoints)[number], ask: Ask])[];
}

async function openTable(): Promise<Table> {
  const transport = { refusal: () => undefined, post: async () => ({ status: 204, retryAfter: null }) };
  const webhooks = { transport, sends: false };
  const opened = openService({ registration: 'open', webhooks, rateLimits: 'off' });
  const api = openApi(opened);
  const { token } = await signIn(opened, api);
  const { key } = await makeKey(api, token, { scopes: SCOPES });
  const asks = { none: {}, session: { token }, key: { key }, either: { key } };
  const served = endpoints.filter(
    ({ errorsAs, needs }) => errorsAs === undefined && (needs?.(opened.service) ?? true),
  );
  return {
    api,
    agent: await issue(api, token),
    rows: served.map((endpoint) => [endpoint, asks[endpoint.credential]]),
  };
}

test('a body that is no object, or has a field too many, is refused by every endpoint that takes one', async () => {
  const { api, rows, agent } = await openTable();
  const bodies = bodiesAbout(agent);
  for (const [{ method, path, body }, ask] of rows) {
    if (body === undefined) continue;
    const send = (json: unknown) => api.ask(method, missing(path), { ...ask, json });
    for (const json of [null, [], 'text', 1, true]) {
      expect([method, path, json, expectProblem(await send(json), 400, 'invalid_request')]).toEqual([
        method,
        path,
        json,
        [''],
      ]);
    }
    const right = bodies[`${method} ${path}`] ?? {};
    const paths = expectProblem(await send({ ...right, holder: 'acc_1' }), 400, 'invalid_request');
    expect([method, path, paths]).toEqual([method, path, ['/holder']]);
  }
});

test('of an object that is not there, a wrong query or idempotency key is named first', async () => {
  const { api, rows } = await openTable();
  for (const [{ method, path, query = [], idempotent = false }, ask] of rows) {
    if (!path.includes('{')) continue;
    for (const name of query.map((parameter) => parameter.name).filter((one) => one !== 'time')) {
      const answer = await api.ask(method, `${missing(path)}?${name}=!`, ask);
      expect([path, name, expectProblem(answer, 400, 'invalid_request')]).toEqual([path, name, [`/${name}`]]);
    }
    if (!idempotent) continue;
    const headers = { 'idempotency-key': 'k'.repeat(256) };
    const answer = await api.ask(method, missing(path), { ...ask, headers });
    expect([path, answer.status]).toEqual([path, 400]);
  }
});

test('a trial of another agent than that of the path is wrong, whether that passport is there or not', async () => {
  const { api, rows } = await openTable();
  const [, ask = {}] = rows.find(([{ path }]) => path.endsWith('/try')) ?? [];
  const json = { intent: { agent_id: 'did:web:other.example:agents:a', action: 'orders.get' } };
  const answer = await api.ask('POST', missing('/passports/{agent_id}/try'), { ...ask, json });
  expect(expectProblem(answer, 400, 'invalid_request')).toEqual(['/intent/agent_id']);
});
