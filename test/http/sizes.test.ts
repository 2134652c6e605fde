import { describe, expect, test } from 'vitest';
import { type Api, dataOf, issue, makeKey } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';

const MIB = 1024 * 1024;
const agentId = (name: string) => `did:web:example.com:agents:${name}`;

/** Entries of 120 characters: 100 of them are about 12 kB. */
function actions(kind: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${kind}${index}.`.padEnd(120, 'x'));
}

/** Nearly as large as a passport may be. */
const LARGE = { allowed_actions: actions('a', 240), denied_actions: actions('d', 240) };

interface Problem {
  readonly errors: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

/** Every page of a list, each of which must be valid JSON of at most 1 MiB. */
async function pagesOf(api: Api, token: string, path: string): Promise<(readonly unknown[])[]> {
  const pages: (readonly unknown[])[] = [];
  let cursor: unknown = null;
  do {
    const more = cursor === null ? '' : `&cursor=${encodeURIComponent(String(cursor))}`;
    const page = await api.ask('GET', `${path}limit=100${more}`, { token });
    expect([page.status, Buffer.byteLength(page.text) <= MIB]).toEqual([200, true]);
    pages.push(dataOf(page));
    cursor = page.body['next_cursor'];
    expect(page.body['has_more']).toBe(cursor !== null);
  } while (cursor !== null);
  return pages;
}

describe('a passport', () => {
  test('of more than 64 KiB of JSON is too_large, when it is issued, patched or tried', async () => {
    const { api, token, opened, refused } = await openStage();
    const agent = await issue(api, token, { agent_name: 'large', ...LARGE });
    const path = `/passports/${agent}`;
    const { version } = (await api.ask('GET', path, { token })).body;
    const patch = { monetary_actions: actions('m', 40) };
    const intent = { agent_id: agent, action: 'a' };
    for (const [method, where, json, at] of [
      ['POST', '/passports', { ...NEW, ...LARGE, metadata: full(6) }, ''],
      ['PATCH', path, patch, ''],
      ['POST', `${path}/try`, { intent, patch }, '/patch'],
    ] as const) {
      expect(await refused(method, where, { token, json }, 400, 'invalid_request')).toEqual([at]);
      const { errors } = (await api.ask(method, where, { token, json })).body as unknown as Problem;
      expect(errors).toEqual([{ path: at, code: 'too_large', message: expect.stringContaining('65536') }]);
    }
    // In process there is no body that is bounded before.
    const { account_id } = await opened.service.authenticateSession(token);
    const whole = { ...NEW, ...LARGE, ...patch };
    await expect(opened.service.passports.create(whole, { account_id })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { errors: [{ path: '', code: 'too_large' }] },
    });
    expect((await api.ask('GET', path, { token })).body['version']).toBe(version);
  });

  test('is at most 64 KiB as it is shown, also with the reasons for which it was taken out of use', async () => {
    const { api, token } = await openStage();
    const agent = await issue(api, token, { ...LARGE });
    const reason = '€'.repeat(500);
    let left = 30;
    for (; left > 0; left -= 1) {
      const json = { metadata: full(left, '€') };
      if ((await api.ask('PATCH', `/passports/${agent}`, { token, json })).status === 200) break;
    }
    expect(left).toBeGreaterThan(0);
    for (const change of ['suspend', 'revoke'])
      expect((await api.ask('POST', `/${change}`, { token, json: { agent_id: agent, reason } })).status).toBe(
        200,
      );
    const { text } = await api.ask('GET', `/passports/${agent}`, { token });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64 * 1024);
    expect(Buffer.byteLength(text)).toBeGreaterThan(58 * 1024);
  });
});

describe('a page of a list ends before 1 MiB, and the next one goes on', () => {
  test('of passports, all of them and those of a status', async () => {
    const { opened, api, token } = await openStage();
    const { account_id } = await opened.service.authenticateSession(token);
    const names = Array.from({ length: 40 }, (_, index) => `p${index}`);
    for (const agent_name of names)
      await opened.service.passports.create({ ...NEW, agent_name, ...LARGE }, { account_id });
    for (const path of ['/passports?', '/passports?status=active&']) {
      const pages = await pagesOf(api, token, path);
      expect(pages.map((page) => page.length).slice(0, 2)).toEqual([17, 17]);
      const ids = pages.flat().map((one) => (one as { agent_id: string }).agent_id);
      expect(ids.sort()).toEqual(names.map(agentId).sort());
    }
  });

  test('of versions', async () => {
    const { opened, api, token } = await openStage();
    const agent = await issue(api, token, LARGE);
    const { account_id } = await opened.service.authenticateSession(token);
    for (let count = 2; count <= 40; count += 1)
      await opened.service.passports.update(agent, { description: `${count}` }, { account_id });
    const versions = (await pagesOf(api, token, `/passports/${agent}/versions?`)).flat();
    expect(versions.map((one) => (one as { version: number }).version)).toEqual(
      Array.from({ length: 40 }, (_, index) => 40 - index),
    );
  });

  test('of keys that name many agents', async () => {
    const { api, token } = await openStage({ plans: UNLIMITED });
    const domain = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example`;
    const agent_ids = Array.from({ length: 100 }, (_, index) => `did:web:${domain}:agents:a${index}`);
    for (let count = 0; count < 60; count += 1) await makeKey(api, token, { agent_ids });
    const pages = await pagesOf(api, token, '/keys?');
    expect(pages.length).toBeGreaterThan(1);
    expect(new Set(pages.flat().map((one) => (one as { id: string }).id)).size).toBe(60);
  });
});

const NEW = {
  domain: 'example.com',
  agent_name: 'new',
  allowed_actions: [] as readonly string[],
  monetary_limit_per_txn: 1,
};

const UNLIMITED = { starter: { keys: null, passports: null, verifications_per_minute: null } };

/** Metadata with this number of values of 500 characters, at most 20. */
function full(count: number, character = 'x'): Readonly<Record<string, string>> {
  const names = Array.from({ length: Math.min(count, 20) }, (_, index) => `n${index}`);
  return Object.fromEntries(names.map((name) => [name, character.repeat(500)]));
}
