import { describe, expect, test } from 'vitest';
import { fetchHandler } from '../../src/http/index.ts';
import { dataOf, openApi, toRequest } from '../support/api.ts';
import { type Opened, openService, PASSWORD } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';
import { stores } from '../support/stores.ts';
import { openVerdictStage } from '../support/verdict-stage.ts';

const GIVEN = { headers: { 'x-request-id': 'order-7' } } as const;
const MADE = /^req_[0-9A-Za-z]{26}$/;

describe('the id of a request', () => {
  test('is in every answer: with a body, without one, and in a problem', async () => {
    const { api, token, key_id, key } = await openVerdictStage();
    const asked = [
      ['GET', '/keys', { token }, 200],
      ['GET', '/health/live', {}, 200],
      ['GET', '/openapi.json', {}, 200],
      ['DELETE', `/keys/${key_id}`, { token }, 204],
      ['POST', '/verify', { key, json: {} }, 401],
      ['PUT', '/keys', {}, 405],
      ['GET', '/keys/none', { token }, 404],
    ] as const;
    for (const [method, path, ask, status] of asked) {
      const answer = await api.ask(method, path, { ...ask, ...GIVEN });
      expect([answer.status, answer.headers.get('x-request-id')]).toEqual([status, 'order-7']);
      if (status >= 400) expect(answer.body['request_id']).toBe('order-7');
      const other = await api.ask(method, path, ask);
      expect(other.headers.get('x-request-id')).toMatch(MADE);
    }
  });

  test('is in the line of a request that fails', async () => {
    const storage = probe();
    const opened = openService({ storage });
    const api = openApi(opened);
    storage.fail = () => Promise.reject(new Error('down'));
    const json = { email: 'a@b.example', password: PASSWORD };
    expect((await api.ask('POST', '/auth/login', { json, ...GIVEN })).status).toBe(503);
    expect(opened.logs).toMatchObject([{ event: 'request_failed', request_id: 'order-7' }]);
  });
});

describe.each(stores)('the verdict record in %s', (_, open) => {
  const intent = { agent_id: 'did:web:example.com:agents:shopper', action: 'payments.create' };

  test('names its request in the answer, and is stored with the same id, cut to 64 characters', async () => {
    const { opened, api, key, token } = await openVerdictStage({}, { storage: await open() });
    const long = 'x'.repeat(100);
    const given = await api.ask('POST', '/verify', { key, json: intent, ...GIVEN });
    const made = await api.ask('POST', '/verify', { key, json: intent });
    const cut = await api.ask('POST', '/verify', { key, json: intent, headers: { 'x-request-id': long } });
    const intents = [intent, intent];
    const batch = await api.ask('POST', '/verify/batch', { key, json: { intents }, ...GIVEN });
    expect([given, made, cut].map(({ body }) => body['request_id'])).toEqual([
      'order-7',
      made.headers.get('x-request-id'),
      long,
    ]);
    expect((batch.body['verdicts'] as { request_id: string }[]).map(({ request_id }) => request_id)).toEqual([
      'order-7',
      'order-7',
    ]);
    const filed = dataOf(await api.ask('GET', '/verifications', { token })).map(
      (record) => record['request_id'],
    );
    expect(filed).toEqual([
      'order-7',
      'order-7',
      'x'.repeat(64),
      made.headers.get('x-request-id'),
      'order-7',
    ]);
    const headers = { accept: 'text/csv', ...GIVEN.headers };
    const exported = await fetchHandler(opened.service)(
      toRequest('GET', '/verifications', { token, headers }),
    );
    expect(exported.headers.get('x-request-id')).toBe('order-7');
    const lines = await csvOf(opened, await account(api, token));
    const [header, ...rows] = lines.join('').trimEnd().split('\r\n');
    expect(header).toMatch(
      /,dry_run,request_id,proof_kid,ancestor_versions,trace_id,subject,approval_id,hold_seconds,outcome,outcome_code,outcome_reported_at,verifier,permit_audience,usage$/,
    );
    expect(rows.map((row) => row.split(',').at(-13))).toEqual(filed);
  });

  test('has none in process, unless the application gives one', async () => {
    const { opened } = await openVerdictStage({}, { storage: await open() });
    const { service } = opened;
    expect(await service.verify(intent)).toMatchObject({ request_id: null });
    expect(await service.verify(intent, { request_id: 'job-9' })).toMatchObject({ request_id: 'job-9' });
    await expect(service.verify(intent, { request_id: 7 as never })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { errors: [{ path: '/request_id' }] },
    });
  });
});

async function account(api: ReturnType<typeof openApi>, token: string): Promise<string> {
  const { body } = await api.ask('GET', '/account', { token });
  return String(body['id']);
}

async function csvOf({ service }: Opened, account_id: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of await service.verifications.csv({}, { account_id })) lines.push(line);
  return lines;
}
