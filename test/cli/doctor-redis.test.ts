/** The setting of a server that does not know a command. It cannot be given on the command line. */
function renamed(command: string): Readonly<Record<string, string>> {
  const file = join(newFolder(), 'renamed.conf');
  writeFileSync(file, `rename-command ${command} ""\n`);
  return { include: file };
}

/** What `doctor` says of a Redis on which something is missing: exactly that, and it leaves no key. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { examine } from '../../adapters/cli/doctor/examine.ts';
import type { Finding } from '../../adapters/cli/doctor/finding.ts';
import { readStorageUrl } from '../../adapters/cli/input/storage-url.ts';
import { redisStorage } from '../../adapters/storage/redis/index.ts';
import type { Script } from '../../adapters/storage/redis/script.ts';
import { newFolder } from '../storage/folder.ts';
import { hasRedis } from '../storage/redis-server.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { freePort, type PrivateServer, startRedis } from '../support/private-servers.mjs';
import { startCluster } from '../support/redis-cluster.mjs';
import { startSentinel, startWatched } from '../support/redis-sentinel.mjs';
import { tellRedis, waitFor } from '../support/redis-words.mjs';
import { connectBetween } from '../support/tcp-filter.ts';

const ROOT = new URL('../../', import.meta.url);
const FOLDER = new URL('adapters/storage/redis/', ROOT);
const PASSWORD = 'geheim-0123456789';

/** Every script that a module of the adapter defines. */
const scripts = vi.hoisted(() => new Map<string, Script>());
vi.mock('../../adapters/storage/redis/script.ts', async (original) => {
  const { notingScripts } = await import('../support/redis-scripts.ts');
  return notingScripts(await original(), scripts);
});

/** The rights of the user that the documentation shows. */
function documentedRights(): readonly string[] {
  const readme = readFileSync(new URL('adapters/storage/README.md', ROOT), 'utf8');
  const user = /^user agents (.*)$/m.exec(readme)?.[1] ?? '';
  return user.replace('PASSWORD', PASSWORD).split(' ');
}

/** What `doctor` says of a storage, by the name of the check. */
async function diagnose(url: string): Promise<Readonly<Record<string, Finding>>> {
  const found = await examine({ version: '0.0.0', place: readStorageUrl(url) });
  expect(JSON.stringify(found)).not.toContain(PASSWORD);
  return Object.fromEntries(found.map((finding) => [finding.check, finding]));
}

if (await hasRedis()) {
  describe('a user without one right', () => {
    let server: PrivateServer;
    let url: string;
    const rights = documentedRights();
    const commands = rights.filter((right) => right.startsWith('+')).map((right) => right.slice(1));

    beforeAll(async () => {
      server = await startRedis({ options: { appendfsync: 'no' } });
      const storage = await redisStorage({ url: server.url, timeoutMs: PATIENT_MS });
      await storage.close();
      url = `${server.url.replace('//', `//agents:${PASSWORD}@`)}/1`;
      const other = await redisStorage({ url: `${server.url}/1`, timeoutMs: PATIENT_MS });
      await other.close();
    });
    afterAll(() => server?.remove());

    const grant = (without: string) =>
      tellRedis(server.port, [
        ...['ACL', 'SETUSER', 'agents', 'reset', 'on'],
        ...rights.filter((right) => right !== 'on' && right !== `+${without}`),
      ]);
    const keys = async () => [
      String(await tellRedis(server.port, ['INFO', 'keyspace'])).replace(/,.*$/gm, ''),
    ];

    test('with all of them nothing is missing', async () => {
      await grant('');
      const { commands: found, servers } = await diagnose(url);
      expect(found).toEqual({ check: 'commands', status: 'ok', detail: expect.any(String) });
      expect(servers).toMatchObject({ status: 'ok', detail: expect.stringContaining('A single server') });
    });

    // A cluster has `CLUSTER SLOTS`, and replicas have `WAIT`: see below.
    const here = commands.filter((command) => !['cluster|slots', 'wait'].includes(command));
    test.each(here)('%s is named, alone, and no key is left', async (command) => {
      await grant(command);
      const before = await keys();
      const found = await diagnose(url);
      expect(await keys()).toEqual(before);
      const name = command.replace('|', ' ').toUpperCase();
      if (found['commands'] === undefined) {
        // There is no connection without it.
        expect(found['reach']).toMatchObject({
          status: 'fail',
          detail: expect.stringContaining(`'${command}'`),
        });
        return;
      }
      const status = ['CONFIG GET', 'PUBLISH', 'SUBSCRIBE'].includes(name) ? 'warn' : 'fail';
      expect(found['commands']).toMatchObject({ status });
      expect(found['commands']?.detail).toMatch(new RegExp(`^Refused or unknown: ${name}\\.`));
    });

    test('keys or a channel that the user has not are named by their pattern', async () => {
      for (const pattern of ['~{agent-identity.doctor}:*', '&{agent-identity.doctor}:*']) {
        await tellRedis(server.port, [
          ...['ACL', 'SETUSER', 'agents', 'reset', 'on'],
          ...rights.filter((right) => right !== 'on' && right !== pattern),
        ]);
        expect((await diagnose(url))['commands']).toMatchObject({
          status: 'warn',
          detail: `The user has no access to ${pattern}.`,
        });
      }
    });

    test('the rights of the documentation are those that the scripts use, and no others', async () => {
      vi.resetModules();
      for (const path of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })) {
        if (path.endsWith('.ts')) await import(new URL(path, FOLDER).href);
      }
      const used = [...scripts.values()].flatMap(({ text }) =>
        [...text.matchAll(/redis\.p?call\('(\w+)'/g)].map(([, name = '']) => name.toLowerCase()),
      );
      const sent = ['ping', 'info', 'cluster|slots', 'config|get', 'select', 'subscribe', 'mget', 'eval'];
      expect(new Set(commands)).toEqual(new Set([...used, ...sent, 'evalsha', 'wait', 'get']));
    });
  });

  describe('a server', () => {
    test.each(['WAIT', 'EVAL', 'EVALSHA', 'MGET'])(
      'with %s renamed away: it is named',
      async (command) => {
        const server = await startRedis({ options: renamed(command) });
        const replica = await startRedis({ options: { replicaof: `127.0.0.1 ${server.port}` } });
        for (const { remove } of [server, replica]) onTestFinished(remove);
        await waitFor('the replica', async () =>
          String(await tellRedis(server.port, ['INFO', 'replication'])).includes('state=online'),
        );
        const found = await diagnose(`${server.url}?replicas=1`);
        expect(found['commands']).toMatchObject({ status: 'fail' });
        expect(found['commands']?.detail).toMatch(new RegExp(`^Refused or unknown: ${command}\\.`));
        expect(await tellRedis(server.port, ['DBSIZE'])).toBe(0);
      },
      60_000,
    );

    test('of a cluster with CLUSTER renamed away: it is named', async () => {
      const server = await startRedis({
        options: { ...renamed('CLUSTER'), 'cluster-enabled': 'yes', 'cluster-port': `${await freePort()}` },
      });
      onTestFinished(server.remove);
      expect((await diagnose(server.url))['reach']).toMatchObject({
        status: 'fail',
        detail: expect.stringContaining("unknown command 'CLUSTER'"),
      });
    });

    test('whose INFO has no master_replid: that is named', async () => {
      const server = await startRedis();
      onTestFinished(server.remove);
      const through = await connectBetween(server.port, (text) =>
        text.replaceAll('master_replid:', 'master_hidden:'),
      );
      onTestFinished(through.close);
      const found = await diagnose(`redis://127.0.0.1:${through.port}`);
      expect(found['servers']).toMatchObject({
        status: 'warn',
        detail: expect.stringContaining('no master_replid'),
      });
      expect(await tellRedis(server.port, ['DBSIZE'])).toBe(0);
    });
  });

  describe('a fail-over', () => {
    test.each([
      [1_000, 'warn', 'down-after-milliseconds is 1000, and must be 6000 or more.'],
      [6_000, 'ok', 'down-after-milliseconds is 6000.'],
    ])(
      'behind Sentinels that wait %i ms is %s',
      async (downAfterMs, status, detail) => {
        const watched = await startWatched({ replicas: 1, downAfterMs });
        onTestFinished(watched.remove);
        await watched.ready();
        const found = await diagnose(watched.url);
        expect(found['failover']).toMatchObject({ status, detail });
        expect(found['servers']?.detail).toBe(
          'Behind Sentinels; 1 replicas are connected, and a write waits for 1 of them.',
        );
      },
      60_000,
    );

    test('behind one Sentinel, or of a cluster that is quick, is a warning', async () => {
      const server = await startRedis();
      const sentinel = await startSentinel(server.port, { downAfterMs: 6_000 });
      const cluster = await startCluster({
        ...{ primaries: 1, replicas: 0, nodeTimeoutMs: 2_000 },
        options: { 'cluster-allow-reads-when-down': 'yes' },
      });
      for (const { remove } of [server, sentinel, cluster]) onTestFinished(remove);
      const one = await diagnose(`redis://127.0.0.1:${sentinel.port}?sentinel=agents&replicas=0`);
      expect(one['failover']).toMatchObject({
        status: 'warn',
        detail: 'There are 1 Sentinels, and must be 3.',
      });
      const quick = await diagnose(`${cluster.url}?replicas=0`);
      expect(quick['failover']).toMatchObject({
        status: 'warn',
        detail: 'cluster-allow-reads-when-down is yes, and must be no.',
      });
      expect(quick['servers']?.detail).toContain('SETSLOT STABLE');
    });
  });
}
