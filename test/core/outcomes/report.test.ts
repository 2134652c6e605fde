import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { idPrefix, idSpeller } from '../../../src/base/bytes/counted-ids.ts';
import { createIdentityClient } from '../../../src/client.ts';
import { fetchHandler } from '../../../src/http/index.ts';
import { openBlock } from '../../../src/journal-format/index.ts';
import { BLOCK_FLAGS, type BlockHeader, MAX_LOADED_BLOCKS } from '../../../src/ports/journal.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { OutcomeInput } from '../../../src/records/outcome.ts';
import { makeKey, openApi, signIn } from '../../support/api.ts';
import { HOUR, openService } from '../../support/service.ts';

const PASSPORT = {
  domain: 'shop.example',
  agent_name: 'shopper',
  allowed_actions: ['orders.read'],
  monetary_limit_per_txn: 0,
} as const;
const DAY = 24 * HOUR;
const OWNER = { account_id: 'acc_1' };

async function openStage(storage: StorageAdapter = memoryStorage()) {
  const opened = openService({ storage, registration: 'open' });
  const api = openApi(opened);
  const { token, account_id } = await signIn(opened, api);
  await api.ask('POST', '/passports', { token, json: PASSPORT });
  const { key } = await makeKey(api, token);
  const intent = { agent_id: 'did:web:shop.example:agents:shopper', action: 'orders.read' };
  const record = (await api.ask('POST', '/verify', { key, json: intent })).body;
  const report = {
    ...{ decision_id: record['decision_id'], evaluated_at: record['evaluated_at'] },
    ...{ agent_id: intent.agent_id, outcome: 'succeeded' },
  } as OutcomeInput;
  const send = (outcomes: unknown) => api.ask('POST', '/verifications/outcomes', { key, json: { outcomes } });
  return { opened, api, token, account_id, key, intent, report, send };
}

/** The reports that the storage has of an account. */
async function stored({ service, storage }: ReturnType<typeof openService>, account_id: string) {
  await service.verifications.list({}, { account_id });
  const headers = await storage.journal.blocks({ account_id, flags: BLOCK_FLAGS.outcomes, limit: 256 });
  const blocks = await storage.journal.load(headers);
  return blocks.flatMap((block) => {
    const { outcomes } = openBlock(block?.data ?? new Uint8Array());
    return Array.from({ length: outcomes.length }, (_, place) => outcomes.report(place));
  });
}

/** The numbers of blocks and of reports that the storage has of an account. */
async function countStored({ storage }: ReturnType<typeof openService>, account_id: string) {
  let [blocks, reports] = [0, 0];
  let after: BlockHeader | undefined;
  do {
    const query = { account_id, flags: BLOCK_FLAGS.outcomes, limit: MAX_LOADED_BLOCKS };
    const page: readonly BlockHeader[] = await storage.journal.blocks(
      after === undefined ? query : { ...query, after },
    );
    for (const block of await storage.journal.load(page))
      reports += openBlock(block?.data ?? new Uint8Array()).outcomes.length;
    blocks += page.length;
    after = page.at(-1);
  } while (after !== undefined);
  return { blocks, reports };
}

test('reports that spread over 100 hours fill a bounded number of blocks, and none is lost', async () => {
  const storage = { ...memoryStorage(), close: async () => {} };
  const { opened, account_id, report, send } = await openStage(storage);
  const { service, clock } = opened;
  const spell = idSpeller(idPrefix(report.decision_id));
  const began = performance.now();
  for (let call = 0; call < 20; call += 1) {
    const outcomes = Array.from({ length: 100 }, (_, hour) => ({
      ...report,
      decision_id: spell(1_000 + call * 100 + hour),
      evaluated_at: clock.instant(-hour * HOUR),
    }));
    expect((await send(outcomes)).body).toEqual({ accepted: 100 });
    // A list stores what waits.
    await service.verifications.list({}, { account_id });
  }
  const waiting = await countStored(opened, account_id);
  expect(waiting.reports).toBeGreaterThanOrEqual(512);
  // 512 at once, and 16 in each second.
  const most = 512 + Math.ceil((performance.now() - began) / 1_000) * 16;
  expect(waiting.blocks).toBeLessThanOrEqual(most);
  await service.close();
  const all = await countStored(opened, account_id);
  expect(all.reports).toBe(2_000);
  expect(all.blocks).toBeLessThanOrEqual(most + 100);
});

describe('a list of reports', () => {
  test('is taken, and stored once however often it is repeated', async () => {
    const { opened, account_id, report, send } = await openStage();
    expect((await send([report])).body).toEqual({ accepted: 1 });
    expect((await send([report, report])).body).toEqual({ accepted: 2 });
    expect((await stored(opened, account_id)).map(({ outcome }) => outcome)).toEqual(['succeeded']);
  });

  test('is refused as a whole where one of them is malformed', async () => {
    const { opened, account_id, report, send } = await openStage();
    const wrong: readonly (readonly [unknown, string])[] = [
      [[], '/outcomes'],
      [Array.from({ length: 101 }, () => report), '/outcomes'],
      [[{ ...report, outcome: 'done' }], '/outcomes/0/outcome'],
      [[report, { ...report, code: 'Time out' }], '/outcomes/1/code'],
      [[{ ...report, code: '' }], '/outcomes/0/code'],
      [[{ ...report, decision_id: 'dec_1' }], '/outcomes/0/decision_id'],
      [[{ ...report, evaluated_at: 'yesterday' }], '/outcomes/0/evaluated_at'],
      [[{ ...report, evaluated_at: opened.clock.instant(-8 * DAY) }], '/outcomes/0/evaluated_at'],
      [[{ ...report, evaluated_at: opened.clock.instant(6_000) }], '/outcomes/0/evaluated_at'],
      [[{ ...report, note: 'secret' }], '/outcomes/0/note'],
      ['none', '/outcomes'],
    ];
    for (const [outcomes, path] of wrong) {
      const { status, body } = await send(outcomes);
      const paths = (body['errors'] as readonly { path: string }[]).map((error) => error.path);
      expect({ status, path: paths[0] }).toEqual({ status: 400, path });
    }
    expect(await stored(opened, account_id)).toEqual([]);
  });

  test('takes a verdict of 7 days ago, and one of a clock that is 5 seconds ahead', async () => {
    const { opened, report, send } = await openStage();
    const edges = [-7 * DAY, 5_000].map((ms) => ({ ...report, evaluated_at: opened.clock.instant(ms) }));
    expect((await send(edges)).body).toEqual({ accepted: 2 });
  });

  test('is not found as a whole where the key does not see one of the agents', async () => {
    const { opened, api, account_id, report, send } = await openStage();
    const unknown = { ...report, agent_id: 'did:web:shop.example:agents:nobody' };
    expect((await send([report, unknown])).status).toBe(404);
    const other = await signIn(opened, api, 'other@example.com');
    const { key } = await makeKey(api, other.token);
    const json = { outcomes: [report] };
    expect((await api.ask('POST', '/verifications/outcomes', { key, json })).status).toBe(404);
    expect(await stored(opened, account_id)).toEqual([]);
  });

  test('is only for keys, in a body with no other member', async () => {
    const { api, token, key, report } = await openStage();
    const path = '/verifications/outcomes';
    expect((await api.ask('POST', path, { token, json: { outcomes: [report] } })).status).toBe(401);
    expect((await api.ask('POST', path, { key, json: [report] })).status).toBe(400);
    expect((await api.ask('POST', path, { key, json: { outcomes: [report], more: 1 } })).status).toBe(400);
  });
});

test('a report holds the key, its environment and the present, and is stored at the time of its verdict', async () => {
  const { opened, account_id, report, send } = await openStage();
  opened.clock.advance(2 * HOUR);
  await send([{ ...report, outcome: 'failed', code: 'timeout' }]);
  const [found] = await stored(opened, account_id);
  expect(found).toEqual({
    ...{ decision_id: report.decision_id, agent_id: report.agent_id, outcome: 'failed', code: 'timeout' },
    evaluated_ms: Date.parse(report.evaluated_at),
    reported_ms: opened.clock.now(),
    environment: 'live',
    key_id: expect.stringMatching(/^key_/),
  });
});

test('the client reports, and rejects with the code of the service', async () => {
  const { opened, key, report } = await openStage();
  const handle = fetchHandler(opened.service);
  const client = createIdentityClient({
    baseUrl: 'http://127.0.0.1/api',
    apiKey: key,
    fetch: async (input, init) => handle(new Request(input, init)),
  });
  expect(await client.outcomes.report([report])).toEqual({ accepted: 1 });
  const old = { ...report, evaluated_at: opened.clock.instant(-8 * DAY) };
  await expect(client.outcomes.report([old])).rejects.toMatchObject({ code: 'invalid_request' });
});

test('in process a misspelt caller is refused, and with journal: "strict" a report that fails may be repeated', async () => {
  const storage = memoryStorage();
  let isDown = false;
  const journal = {
    ...storage.journal,
    file: (flush: Parameters<typeof storage.journal.file>[0]) =>
      isDown ? Promise.reject(new Error('down')) : storage.journal.file(flush),
  };
  const { strictRefusal: _, ...durable } = journal;
  const opened = openService({ storage: { ...storage, journal: durable }, journal: 'strict' });
  const { service, clock } = opened;
  const { agent_id } = await service.passports.create(PASSPORT, OWNER);
  const { decision_id, evaluated_at } = await service.verify({ agent_id, action: 'orders.read' }, OWNER);
  const report = { decision_id, evaluated_at, agent_id, outcome: 'succeeded' } as const;
  await expect(service.outcomes.report([report], { acount_id: 'acc_x' } as object)).rejects.toMatchObject({
    code: 'invalid_configuration',
  });
  isDown = true;
  await expect(service.outcomes.report([report])).rejects.toMatchObject({ code: 'storage_unavailable' });
  isDown = false;
  expect(await service.outcomes.report([report])).toEqual({ accepted: 1 });
  expect((await stored(opened, OWNER.account_id)).length).toBe(1);
  expect(clock.now()).toBe(Date.parse(evaluated_at));
});
