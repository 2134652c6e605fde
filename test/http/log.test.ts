/** Third parties read hashes and notes of a log. An account reads only its own entries and receipts. */
import { describe, expect, test } from 'vitest';
import { createAdminClient, createIdentityClient } from '../../src/client.ts';
import { fetchHandler } from '../../src/http/index.ts';
import { openBlock } from '../../src/journal-format/index.ts';
import type { LogOverview, VerdictReceipt } from '../../src/records/log.ts';
import { verifyReceipt } from '../../src/tokens/proof/index.ts';
import { readNoteKey } from '../../src/transparency-log/signed-note.ts';
import { tilePath } from '../../src/transparency-log/tiles.ts';
import { type LogSource, verifyLog } from '../../src/transparency-log/verify-log.ts';
import { passUntil } from '../core/evidence/log-steps.ts';
import { makeKey, openApi } from '../support/api.ts';
import { type Opened, openService, PUBLIC_URL, SECRET } from '../support/service.ts';

const AGENT = 'did:web:shop.example:agents:buyer';
const PASSPORT = {
  ...{ domain: 'shop.example', agent_name: 'buyer', allowed_actions: ['orders.*', 'payments.*'] },
  ...{ monetary_limit_per_txn: 100, currency: 'EUR' },
};
const PASSWORD = 'a-long-password-of-ann';

async function openStage() {
  const opened = openService({ identity: { secret: SECRET, publicUrl: PUBLIC_URL }, evidence: {} });
  const api = openApi(opened);
  async function account(email: string) {
    const { id } = await opened.service.accounts.create({ email, password: PASSWORD });
    const { body } = await api.ask('POST', '/auth/login', { json: { email, password: PASSWORD } });
    return { id, token: String(body['access_token']) };
  }
  const ann = await account('ann@example.com');
  await opened.service.passports.create(PASSPORT, { account_id: ann.id });
  const { key } = await makeKey(api, ann.token, { scopes: ['verify', 'permit'] });
  return { opened, api, account, ann, key };
}

type Stage = Awaited<ReturnType<typeof openStage>>;

const PAYMENT = {
  ...{ agent_id: AGENT, action: 'payments.create', parameters: { amount: 5, currency: 'EUR' } },
  permit: { audience: 'https://pay.example' },
};

async function ask(stage: Stage, json: object) {
  const { body } = await stage.api.ask('POST', '/verify', { key: stage.key, json });
  return body as { decision_id: string; evaluated_at: string; verdict: string };
}

async function settled(opened: Opened, account_id: string): Promise<LogOverview> {
  // What is still in memory is stored, and then waits.
  await opened.service.verifications.list({}, { account_id });
  await passUntil(opened, async () => {
    const state = await opened.service.evidence.state({ account_id }).catch(() => undefined);
    return state?.pending === 0;
  });
  return opened.service.evidence.state({ account_id });
}

describe('the log over HTTP', () => {
  test('its public paths alone verify, and say nothing but hashes', async () => {
    const stage = await openStage();
    await ask(stage, PAYMENT);
    const { log_id, keys, size } = await settled(stage.opened, stage.ann.id);
    const handle = fetchHandler(stage.opened.service);
    const read = (path: string) => handle(new Request(`http://localhost/api/logs/${log_id}/${path}`));
    const note = await read('checkpoint');
    expect(note.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(note.headers.get('cache-control')).toBe('public, max-age=5');
    const source: LogSource = {
      checkpoint: await note.text(),
      async tile(tile) {
        const answer = await read(tilePath(tile));
        expect(answer.headers.get('cache-control')).toContain('immutable');
        return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined;
      },
    };
    const key = await readNoteKey(keys[0]?.key ?? '');
    const audit = await verifyLog(source, { keys: key === undefined ? [] : [key] });
    expect(audit).toMatchObject({ head: { size }, findings: [] });
    for (let width = 1; width <= size; width += 1)
      expect((await read(`tile/0/000.p/${width}`)).status).toBe(200);
    await stage.opened.service.close();
  });

  test.each([
    ...[
      'tile/0/000.p/0',
      'tile/0/000.p/256',
      'tile/0/000.p/250',
      'tile/0/000',
      'tile/1/000.p/1',
      'tile/0/x1/2',
    ],
    ...['tile/00/000.p/1', 'tile/0/%30%30%30.p/1', 'tile/entries/000', 'tile/0', 'entries', ''],
  ])('%j is not there', async (path) => {
    const { opened, ann } = await openStage();
    const { log_id } = await settled(opened, ann.id);
    const handle = fetchHandler(opened.service);
    expect((await handle(new Request(`http://localhost/api/logs/${log_id}/${path}`))).status).toBe(404);
    expect((await handle(new Request(`http://localhost/api/logs/${ann.id}/checkpoint`))).status).toBe(404);
    await opened.service.close();
  });

  test('entries and blocks are the account\u2019s own', async () => {
    const stage = await openStage();
    const ben = await stage.account('ben@example.com');
    await ask(stage, PAYMENT);
    await settled(stage.opened, stage.ann.id);
    const { api } = stage;
    const own = await api.ask('GET', '/log/entries?blocks=1', { token: stage.ann.token });
    const data = own.body['data'] as { index: number; entry: string; block?: string }[];
    expect(data.map(({ index }) => index)).toEqual([...data.keys()].reverse());
    expect(data.filter(({ block }) => block !== undefined)).toHaveLength(1);
    await settled(stage.opened, ben.id);
    const others = await api.ask('GET', '/log/entries?limit=100', { token: ben.token });
    expect(others.text).not.toMatch(/shop\.example|ann@|dec_/);
    expect(others.text).not.toContain(stage.ann.id);
    expect((await api.ask('GET', '/log/entries?blocks=1&limit=17', { token: ben.token })).status).toBe(400);
    expect((await api.ask('GET', '/log/entries?blocks=2', { token: ben.token })).status).toBe(400);
    await stage.opened.service.close();
  });
});

describe('a receipt', () => {
  test('of a verdict with a permit discloses this record alone, to a key as well', async () => {
    const stage = await openStage();
    const { decision_id } = await ask(stage, PAYMENT);
    const path = `/verifications/${decision_id}/receipt`;
    const early = await stage.api.ask('GET', path, { key: stage.key });
    expect([early.status, early.headers.get('retry-after')]).toEqual([409, '10']);
    const { keys } = await settled(stage.opened, stage.ann.id);
    const { body } = await stage.api.ask('GET', path, { key: stage.key });
    expect(body).toMatchObject({ kind: 'record', discloses: 1 });
    const { record } = await verifyReceipt(body as unknown as VerdictReceipt, {
      keys: keys.map(({ key }) => key),
    });
    expect(record).toMatchObject({ decision_id, verdict: 'ALLOW' });
    const ben = await stage.account('ben@example.com');
    const test = await makeKey(stage.api, stage.ann.token, { environment: 'test', scopes: ['verify'] });
    for (const other of [{ token: ben.token }, { key: test.key }]) {
      const answer = await stage.api.ask('GET', `${path}?evaluated_at=2026-11-20T12:00:00Z`, other);
      expect(answer.status).toBe(404);
    }
    await stage.opened.service.close();
  });

  test('is got by both clients, and is of the verdict that was asked for', async () => {
    const stage = await openStage();
    const [one, two] = [await ask(stage, PAYMENT), await ask(stage, PAYMENT)];
    const handle = fetchHandler(stage.opened.service);
    const baseUrl = 'http://localhost/api';
    let asked: string | undefined;
    const fetch: typeof globalThis.fetch = async (input, init) =>
      handle(new Request(asked === undefined ? input : String(input).replace(one.decision_id, asked), init));
    const client = createIdentityClient({ baseUrl, apiKey: stage.key, fetch });
    const admin = createAdminClient({ baseUrl, accessToken: stage.ann.token, fetch });
    const early = client.verifications.receipt(one.decision_id);
    await expect(early).rejects.toMatchObject({ code: 'conflict', details: { retryAfterSeconds: 10 } });
    const { keys } = await settled(stage.opened, stage.ann.id);
    for (const { verifications } of [client, admin]) {
      const receipt = await verifications.receipt(one.decision_id);
      const { record } = await verifyReceipt(receipt, { keys: keys.map(({ key }) => key) });
      expect(record.decision_id).toBe(one.decision_id);
      asked = two.decision_id;
      const other = verifications.receipt(one.decision_id);
      await expect(other).rejects.toMatchObject({ code: 'service_unreachable' });
      asked = undefined;
    }
    const plain = await ask(stage, { agent_id: AGENT, action: 'orders.get' });
    await settled(stage.opened, stage.ann.id);
    const { evaluated_at } = plain;
    const block = await admin.verifications.receipt(plain.decision_id, { evaluated_at });
    expect([block.kind, block.discloses]).toEqual(['block', 1]);
    const refused = client.verifications.receipt(plain.decision_id, { evaluated_at });
    await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    await stage.opened.service.close();
  });

  test('of another one discloses its block, to sessions that name its instant', async () => {
    const stage = await openStage();
    const { decision_id, evaluated_at } = await ask(stage, { agent_id: AGENT, action: 'orders.get' });
    await ask(stage, { agent_id: AGENT, action: 'orders.list' });
    const { keys } = await settled(stage.opened, stage.ann.id);
    const path = `/verifications/${decision_id}/receipt`;
    const { token } = stage.ann;
    expect((await stage.api.ask('GET', path, { token })).status).toBe(400);
    expect((await stage.api.ask('GET', path, { key: stage.key })).status).toBe(404);
    const { body } = await stage.api.ask('GET', `${path}?evaluated_at=${evaluated_at}`, { token });
    expect(body).toMatchObject({ kind: 'block', discloses: 2 });
    const options = { keys: keys.map(({ key }) => key), openBlock };
    expect((await verifyReceipt(body as unknown as VerdictReceipt, options)).record).toMatchObject({
      decision_id,
    });
    const later = '2026-11-20T13:00:00.000Z';
    expect((await stage.api.ask('GET', `${path}?evaluated_at=${later}`, { token })).status).toBe(404);
    expect((await stage.api.ask('GET', `${path}?evaluated_at=now`, { token })).status).toBe(400);
    await stage.opened.service.close();
  });
});

test('a service without the option has no log', async () => {
  const opened = openService();
  const api = openApi(opened);
  await opened.service.accounts.create({ email: 'ann@example.com', password: PASSWORD });
  const { body } = await api.ask('POST', '/auth/login', {
    json: { email: 'ann@example.com', password: PASSWORD },
  });
  const token = String(body['access_token']);
  expect((await api.ask('GET', '/log', { token })).status).toBe(404);
  expect((await api.ask('GET', '/log/entries', { token })).status).toBe(404);
  expect((await api.ask('GET', '/log')).status).toBe(401);
  await opened.service.close();
});
