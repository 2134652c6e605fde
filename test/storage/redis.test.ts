import KeyvRedis from '@keyv/redis';
import { Keyv } from 'keyv';
import { afterAll, describe, expect, test } from 'vitest';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import {
  block,
  delta,
  filesEach,
  merge,
  merges,
  opened,
} from '../../src/testing/storage-contract/journal/fixtures.ts';
import { run } from '../support/command.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { GIVEN } from '../support/process.ts';
import { newFolder } from './folder.ts';
import { insert } from './redis-fixtures.ts';
import {
  createOpener,
  dropNamespace,
  hasRedis,
  keysOf,
  newNamespace,
  SERVER,
  startPrivateRedis,
} from './redis-server.ts';
import { refusalOf } from './sqlite-database.ts';

const AT = '2026-11-20T12:00:00.000Z';
/** Nothing listens there. */
const ABSENT = 'redis://user:hunter2@127.0.0.1:1/0';

function instant(ms: number): string {
  return new Date(Date.parse(AT) + ms).toISOString();
}

describe('without a server', () => {
  test('opening rejects within the deadline, without the URL', async () => {
    const started = performance.now();
    const { code, message } = await refusalOf(() => redisStorage({ url: ABSENT, timeoutMs: 500 }));
    expect(code).toBe('storage_unavailable');
    expect(message).toBe('Redis cannot be used: ECONNREFUSED at 127.0.0.1:1');
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test.each([
    'redis://u:hun#ter2@h/0',
    'redis://h/hunter',
    'http://u:hunter2@h',
    'hunter2',
    'redis://u:%hunt@h',
  ])('the URL %s is refused, and not named', async (url) => {
    const { code, message } = await refusalOf(() => redisStorage({ url }));
    expect(code).toBe('invalid_configuration');
    expect(message).not.toContain('hun');
  });

  test.each([
    { timeoutMs: 9 },
    { timeoutMs: 60_001 },
    { journalCap: 0 },
    { journalCap: 1.5 },
    { namespace: '' },
    { namespace: 'a{b}' },
    { namespace: 'a b' },
  ])('%j is refused', async (options) => {
    const opening = redisStorage({ url: ABSENT, ...options });
    await expect(opening).rejects.toMatchObject({ code: 'invalid_configuration' });
  });

  test('a URL that is invalid, or leads to a cluster, is refused', async () => {
    for (const store of [
      { client: undefined },
      { client: {} },
      { client: { slots: [], sendCommand() {} } },
    ]) {
      await expect(redisStorage({ store })).rejects.toMatchObject({ code: 'invalid_configuration' });
    }
  });

  test('serve stops with one line and exit code 1', async () => {
    const env = { AGENT_IDENTITY_STORAGE: ABSENT, AGENT_IDENTITY_SECRET: GIVEN.AGENT_IDENTITY_SECRET };
    const { code, stdout, stderr } = await run(['serve', '--port', '0'], { cwd: newFolder(), env });
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'agent-identity: Redis cannot be used: ECONNREFUSED at 127.0.0.1:1\n',
    });
  });
});

if (await hasRedis()) {
  const opener = await createOpener();
  const { client } = opener;
  afterAll(() => opener.end());

  test('what is removed and purged leaves no key, and no key ever has a time to live', async () => {
    const namespace = newNamespace();
    const storage = await opener.open(namespace);
    const session = { id: 's', account_id: 'a', version: 1, created_at: AT, expires_at: AT };
    await storage.write([
      insert('p'),
      { op: 'insert', collection: 'sessions', record: session },
      { op: 'add', counter: 'n', by: 1, expires_at: instant(1), at: AT },
    ]);
    await opened(storage);
    await filesEach(
      storage,
      [1, 2, 3, 4].map((seq) => block(seq, { to_ms: Date.parse(AT), records: seq })),
    );
    await merges(storage, merge(0, 3, { at: AT, rollups: [delta('ALLOW', 1, { minute: AT })] }));
    const found = [1, 2].map((seq) => block(seq, { to_ms: Date.parse(AT), records: seq }));
    const into = block(2, { to_ms: Date.parse(AT) + 1, records: 3 });
    expect(await storage.journal.compact(found, into)).toBe(true);
    await merges(storage, merge(3, 4, { at: AT }));
    const keys = await keysOf(client, namespace);
    const ends = await Promise.all(keys.map((key) => client.sendCommand(['PTTL', key])));
    expect(ends.filter((end) => end !== -1)).toEqual([]);

    await storage.write([{ op: 'remove', collection: 'passports', id: 'p', version: 1 }]);
    for (const [what, number] of [
      ['sessions', 1],
      ['counters', 1],
      ['verdicts', 10],
      ['rollups', 3],
      ['writers', 1],
    ] as const) {
      expect([what, await storage.purge(what, instant(10_000))]).toEqual([what, number]);
    }
    const left = (await keysOf(client, namespace)).map((key) => key.slice(namespace.length + 3)).sort();
    expect(await client.sendCommand(['GET', `{${namespace}}:journal:records`])).toBe('0');
    expect(left).toEqual([
      'journal:records',
      'marker',
      expect.stringMatching(/^position:[0-9a-f]{32}$/),
      'removed',
      'rollups:changed',
      'runs',
    ]);
    await storage.close();
  });

  test.each([
    ['a KeyvRedis', (own: KeyvRedis<unknown>) => own],
    ['a Keyv over one, whose namespace and serialization are not used', keyvOver],
  ])('the client of %s stays open, with no listener of ours', async (_, given) => {
    const store = new KeyvRedis(SERVER);
    const handed = given(store);
    const listeners = (): number => store.client.listenerCount('error') + store.client.listenerCount('ready');
    const before = listeners();
    const namespace = newNamespace();
    const storage = await redisStorage({ store: handed, namespace, timeoutMs: PATIENT_MS });
    expect(await storage.write([insert('p')])).toMatchObject({ written: true });
    await storage.close();
    expect(listeners()).toBe(before);
    expect(await store.get('nothing')).toBeUndefined();
    await dropNamespace(client, namespace);
    await store.disconnect();
  });

  test('scripts that the server has forgotten are sent again', async () => {
    const server = await startPrivateRedis();
    const storage = await redisStorage({ timeoutMs: PATIENT_MS, url: server.url });
    await storage.write([insert('p')]);
    await server.client.sendCommand(['SCRIPT', 'FLUSH']);
    const results = await Promise.all(['q', 'r', 's'].map((id) => storage.write([insert(id)])));
    expect(results.map(({ written }) => written)).toEqual([true, true, true]);
    await storage.close();
  });

  test('the command works on it, and never prints its URL', async () => {
    const server = await startPrivateRedis();
    await server.client.sendCommand(['ACL', 'SETUSER', 'ops', 'on', '>hunter2', '~*', '&*', '+@all']);
    const url = server.url.replace('//', '//ops:hunter2@');
    const cwd = newFolder();
    const created = await run(['account', 'create', 'ada@example.com', '--storage', url], {
      cwd,
      env: GIVEN,
    });
    expect({ code: created.code, stderr: created.stderr }).toEqual({ code: 0, stderr: '' });
    const listed = await run(['account', 'list', '--storage', url], { cwd });
    expect(listed.stdout).toContain('ada@example.com');
    expect(`${created.stdout}${listed.stdout}${listed.stderr}`).not.toContain('hunter2');
  });
}

/** A Keyv of an application, with settings that would spoil records if they were used. */
function keyvOver(store: KeyvRedis<unknown>): Keyv {
  return new Keyv(store, {
    namespace: 'host',
    serialize: () => 'spoilt',
    deserialize: () => undefined,
  });
}
