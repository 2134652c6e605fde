import { describe, expect, test } from 'vitest';
import { fetchHandler } from '../../src/http/index.ts';
import { createIdentityClient } from '../../src/index.ts';
import { dataOf, openApi, signIn, toRequest } from '../support/api.ts';
import { openService, PASSWORD } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';
import { stores } from '../support/stores.ts';
import { AGENT, openVerdictStage } from '../support/verdict-stage.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${ID}-00f067aa0ba902b7-01`;
const TRACED = { headers: { traceparent: TRACEPARENT } };
const intent = { agent_id: AGENT, action: 'payments.create' };

describe.each(stores)('the trace id in %s', (_, open) => {
  test('of a request is in its answer, its record and the CSV', async () => {
    const { opened, api, key, token } = await openVerdictStage({}, { storage: await open() });
    const one = await api.ask('POST', '/verify', { key, json: intent, ...TRACED });
    const batch = await api.ask('POST', '/verify/batch', {
      key,
      json: { intents: [intent, intent] },
      ...TRACED,
    });
    const none = await api.ask('POST', '/verify', { key, json: intent });
    expect([one.body['trace_id'], none.body['trace_id']]).toEqual([ID, null]);
    expect((batch.body['verdicts'] as { trace_id: string }[]).map(({ trace_id }) => trace_id)).toEqual([
      ID,
      ID,
    ]);
    const filed = dataOf(await api.ask('GET', '/verifications', { token })).map(
      (record) => record['trace_id'],
    );
    expect(filed).toEqual([null, ID, ID, ID]);
    const headers = { accept: 'text/csv' };
    const csv = await fetchHandler(opened.service)(toRequest('GET', '/verifications', { token, headers }));
    const [header, ...rows] = (await csv.text()).trimEnd().split('\r\n');
    expect(header).toMatch(
      /,trace_id,subject,approval_id,hold_seconds,outcome,outcome_code,outcome_reported_at,verifier,permit_audience,usage$/,
    );
    expect(rows.map((row) => row.split(',').at(-10))).toEqual(['', ID, ID, ID]);
  });
});

describe('a trace id', () => {
  test('of a header that is invalid, or doubled, is ignored, and the answer is the same', async () => {
    const { opened, api, key } = await openVerdictStage();
    for (const traceparent of [
      '',
      'x',
      `ff${TRACEPARENT.slice(2)}`,
      `${TRACEPARENT}-00`,
      TRACEPARENT.toUpperCase(),
    ]) {
      const { status, body } = await api.ask('POST', '/verify', {
        key,
        json: intent,
        headers: { traceparent },
      });
      expect([traceparent, status, body['trace_id']]).toEqual([traceparent, 200, null]);
    }
    const doubled = toRequest('POST', '/verify', { key, json: intent, ...TRACED });
    doubled.headers.append('traceparent', TRACEPARENT);
    const answer = await fetchHandler(opened.service)(doubled);
    expect([answer.status, (await answer.json()).trace_id]).toEqual([200, null]);
  });

  test('is in the line of a request that fails', async () => {
    const storage = probe();
    const opened = openService({ storage });
    const api = openApi(opened);
    storage.fail = () => Promise.reject(new Error('down'));
    const json = { email: 'a@b.example', password: PASSWORD };
    expect((await api.ask('POST', '/auth/login', { json, ...TRACED })).status).toBe(503);
    expect((await api.ask('POST', '/auth/login', { json })).status).toBe(503);
    expect(opened.logs.map((line) => Object(line).trace_id)).toEqual([ID, undefined]);
  });

  test('is given in process by the application; other text is ignored, and another type is refused', async () => {
    const { opened, key } = await openVerdictStage();
    const { service } = opened;
    expect(await service.verify(intent)).toMatchObject({ trace_id: null });
    expect(await service.verify(intent, { trace_id: ID })).toMatchObject({ trace_id: ID });
    expect(await service.verifyAs(key, intent, { trace_id: ID })).toMatchObject({
      trace_id: ID,
      request_id: null,
    });
    const batch = await service.verifyBatch({ intents: [intent] }, { trace_id: ID });
    expect(batch).toMatchObject([{ trace_id: ID }]);
    expect(await service.verify(intent, { trace_id: '0'.repeat(32) })).toMatchObject({ trace_id: null });
    await expect(service.verify(intent, { trace_id: 7 as never })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { errors: [{ path: '/trace_id' }] },
    });
  });

  test('of the client is that of what asks; one that is not valid is not sent', async () => {
    const opened = openService();
    const { token, api } = await (async () => {
      const asked = openApi(opened);
      return { api: asked, ...(await signIn(opened, asked)) };
    })();
    const made = await api.ask('POST', '/keys', { token, json: { name: 'a' } });
    let given: () => string | undefined = () => TRACEPARENT;
    const sent: (string | null)[] = [];
    const handle = fetchHandler(opened.service);
    const client = createIdentityClient({
      baseUrl: 'http://id.example.com/api',
      apiKey: `${made.body['key']}`,
      traceparent: () => given(),
      fetch: (url, init) => {
        const request = new Request(url, init);
        sent.push(request.headers.get('traceparent'));
        return handle(request);
      },
    });
    expect(await client.verify(intent)).toMatchObject({ trace_id: ID });
    const failing = (): never => {
      throw new Error('no context');
    };
    for (const traceparent of [() => undefined, () => 'x', () => `${TRACEPARENT}\r\nx: y`, failing]) {
      given = traceparent;
      expect(await client.verify(intent)).toMatchObject({ trace_id: null });
    }
    expect(sent).toEqual([TRACEPARENT, null, null, null, null]);
    const wrong = { baseUrl: 'http://a.example/api', apiKey: 'k', traceparent: TRACEPARENT as never };
    expect(() => createIdentityClient(wrong)).toThrow(/traceparent is not a function/);
  });
});
