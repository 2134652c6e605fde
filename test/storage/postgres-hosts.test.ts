import { chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { postgresMigrations, postgresStorage } from '../../adapters/storage/sql/index.ts';
import { createIdentityService } from '../../src/index.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { sayMissing } from '../support/missing.ts';
import { PATIENT_MS } from '../support/patience.ts';
import {
  folderOfPostgres,
  freePort,
  hasPostgresProgram,
  type PrivateServer,
  startPostgres,
} from '../support/private-servers.mjs';
import { promotePostgres } from '../support/promote-postgres.mjs';
import { startProxy, type Proxy as TcpProxy } from '../support/tcp-proxy.mjs';
import { insertDomain } from './calls.ts';

/** A process that dies leaves to the system what it has written: only a machine needs the fsync. */
const FAST = { fsync: 'off' };
const TIMEOUT_MS = 2_000;
/** The bound of a call, and what a busy machine may add. */
const LATE_MS = TIMEOUT_MS + 9_000;

function urlOf(...servers: readonly { readonly port: number }[]): string {
  return `postgres://root@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`;
}

function open(url: string, timeoutMs = TIMEOUT_MS): Promise<StorageAdapter> {
  return postgresStorage({ url, timeoutMs });
}

async function query({ url }: { readonly url: string }, text: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

if (!hasPostgresProgram()) {
  sayMissing('There is no initdb: nothing about several hosts was proved. Install postgresql.');
} else {
  describe('a URL of several hosts', () => {
    let primary: PrivateServer;
    let standby: PrivateServer;
    let silent: TcpProxy;

    beforeAll(async () => {
      primary = await startPostgres({ options: FAST });
      standby = await startPostgres({ options: FAST, of: primary.url });
      silent = await startProxy(primary.port);
      silent.swallow();
    });

    afterAll(async () => {
      await silent?.close();
      await Promise.all([standby?.remove(), primary?.remove()]);
    });

    test.each([
      ['a standby', () => standby],
      ['a server that never answers', () => silent],
      ['a closed port', async () => ({ port: await freePort() })],
    ])(
      '%s in the first place is passed over by the start, and by each later connection',
      async (_, first) => {
        const url = urlOf(await first(), primary);
        // An attempt at one of several hosts has 0.4 of the time: enough for a busy machine.
        const storage = await open(url, 10_000);
        const domains = Array.from({ length: 12 }, (_, at) => `${crypto.randomUUID()}-${at}.example`);
        await Promise.all(domains.map((domain) => storage.write([insertDomain(domain)])));
        expect(await storage.check()).toMatchObject({ durability: 'unproved' });
        await storage.close();
        expect(await postgresMigrations({ url })).toBeUndefined();
      },
    );

    test('a standby alone is no store: the start ends with storage_unavailable after 10 seconds', async () => {
      const started = performance.now();
      await expect(open(urlOf(standby, standby))).rejects.toMatchObject({
        code: 'storage_unavailable',
        message: expect.stringContaining('read-only'),
      });
      expect(performance.now() - started).toBeGreaterThan(9_000);
    });

    test('a database that the host in use does not have ends the start at once', async () => {
      const started = performance.now();
      await expect(open(urlOf(primary, standby).replace(/\/postgres$/, '/nowhere'))).rejects.toMatchObject({
        code: 'invalid_configuration',
      });
      expect(performance.now() - started).toBeLessThan(9_000);
    });

    test('a primary with a standby that copies asynchronously says what a fail-over may lose', async () => {
      const durable = await startPostgres();
      const copy = await startPostgres({ of: durable.url });
      const storage = await open(urlOf(copy, durable), 10_000);
      const expected = { durability: 'durable', detail: 'A fail-over may lose the last writes.' };
      await expect.poll(() => storage.check(), { timeout: PATIENT_MS }).toEqual(expected);
      await query(durable, "alter system set synchronous_standby_names = '*'");
      await query(durable, 'select pg_reload_conf()');
      await expect.poll(() => storage.check(), { timeout: PATIENT_MS }).toEqual({ durability: 'durable' });
      await storage.close();
      await Promise.all([copy.remove(), durable.remove()]);
    });
  });

  describe('a fail-over between the hosts of a URL', () => {
    test.each([
      ['killed', (server: PrivateServer) => server.kill()],
      ['frozen', async (server: PrivateServer) => server.freeze()],
    ])(
      'a primary that is %s: with a synchronous standby no acknowledged write is lost, and the node goes on by itself',
      async (_, end) => {
        const primary = await startPostgres({ options: FAST });
        const standby = await startPostgres({ options: FAST, of: primary.url });
        await query(primary, "alter system set synchronous_standby_names = '*'");
        await query(primary, 'select pg_reload_conf()');
        const storage = await open(urlOf(primary, standby));
        const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage });
        const may = { domain: 'example.com', allowed_actions: ['read'], monetary_limit_per_txn: 1 };
        const { agent_id } = await service.passports.create({ ...may, agent_name: 'before' });
        const acknowledged: string[] = [];
        const refused: unknown[] = [];
        let slowest = 0;
        let isOver = false;
        const load = async (name: string): Promise<void> => {
          for (let at = 0; !isOver; at += 1) {
            const domain = `${name}-${at}.example`;
            const started = performance.now();
            await storage.write([insertDomain(domain)]).then(
              ({ written }) => written && acknowledged.push(domain),
              (error: unknown) => refused.push(error),
            );
            slowest = Math.max(slowest, performance.now() - started);
            await new Promise((resolve) => setTimeout(resolve, 2));
          }
        };
        const writers = ['a', 'b', 'c', 'd'].map(load);
        await expect.poll(() => acknowledged.length, { timeout: PATIENT_MS }).toBeGreaterThan(40);
        await service.revoke({ agent_id });
        await end(primary);
        await promotePostgres(standby.url);
        await query(standby, "alter system set synchronous_standby_names = ''");
        await query(standby, 'select pg_reload_conf()');
        const before = acknowledged.length;
        await expect.poll(() => acknowledged.length, { timeout: PATIENT_MS }).toBeGreaterThan(before + 40);
        // The old primary is there again beside the new one, whose server is away for a moment.
        primary.thaw();
        await primary.restart();
        await standby.restart();
        const there = acknowledged.length;
        await expect.poll(() => acknowledged.length, { timeout: PATIENT_MS }).toBeGreaterThan(there + 40);
        isOver = true;
        await Promise.all(writers);
        expect(slowest).toBeLessThan(LATE_MS);
        const rows = await query(standby, 'select id from ais_domains');
        const stored = new Set(rows.map((row) => (row as { id: string }).id));
        expect(acknowledged.filter((domain) => !stored.has(domain))).toEqual([]);
        const { verdict, reasons } = await service.verify({ agent_id, action: 'read' });
        expect([verdict, reasons.map(({ code }) => code)]).toEqual(['DENY', ['agent_revoked']]);
        await service.close();
        await Promise.all([primary.remove(), standby.remove()]);
      },
    );

    test('a new primary that lacks an acknowledged write is refused until a server has it again', async () => {
      const primary = await startPostgres({ options: FAST });
      const link = await startProxy(primary.port);
      const standby = await startPostgres({ options: FAST, of: urlOf(link) });
      const url = urlOf(primary, standby);
      const [writer, other] = await Promise.all([open(url), open(url)]);
      await writer.write([insertDomain('kept.example')]);
      const has = "select 1 from ais_domains where id = 'kept.example'";
      await expect.poll(() => query(standby, has), { timeout: PATIENT_MS }).toHaveLength(1);
      await link.refuse();
      expect(await writer.write([insertDomain('lost.example')])).toMatchObject({ written: true });
      await primary.kill();
      await promotePostgres(standby.url);
      // The new primary lacks what this node has acknowledged: it is refused, as often as it is asked.
      for (let at = 0; at < 5; at += 1) await expect(writer.check()).rejects.toThrow();
      // With the old primary back there is one that has it.
      await primary.restart();
      await expect.poll(() => writer.check().catch(() => undefined), { timeout: PATIENT_MS }).toBeDefined();
      await Promise.all([writer.close(), other.close()]);
      await link.close();
      await Promise.all([primary.remove(), standby.remove()]);
    });
  });

  describe('TLS with verify-full, and a certificate for each host', () => {
    const LOCALHOST = ['DNS:localhost'];
    const ADDRESS = ['IP:127.0.0.1'];

    /** A server with a certificate for these names, and the file of its authority. */
    const secure = async (names: readonly string[], rest: { readonly of?: string } = {}) => {
      const { makeCertificate } = await import('../support/certificate.ts');
      const folder = folderOfPostgres('ais-tls-');
      const { ca, cert, key } = makeCertificate(folder, names);
      // PostgreSQL reads a key only if it belongs to its user.
      const { uid, gid } = statSync(folder);
      chownSync(key, uid, gid);
      const options = { ...FAST, ssl: 'on', ssl_cert_file: cert, ssl_key_file: key };
      const server = await startPostgres({ options, ...rest });
      onTestFinished(server.remove);
      return { ca, server };
    };
    type Secure = Awaited<ReturnType<typeof secure>>;
    /** The URL of both, the first by its name and the second by its address, with the authorities of both. */
    const urlOfBoth = (byName: Secure, byAddress: Secure): string => {
      const authorities = join(folderOfPostgres('ais-authorities-'), 'ca.pem');
      writeFileSync(authorities, [byName, byAddress].map(({ ca }) => readFileSync(ca, 'utf8')).join('\n'));
      const hosts = `localhost:${byName.server.port},127.0.0.1:${byAddress.server.port}`;
      return `postgres://root@${hosts}/postgres?sslmode=verify-full&sslrootcert=${authorities}`;
    };

    test('a fail-over leads to the other host, whose own certificate is checked', async () => {
      const primary = await secure(LOCALHOST);
      const standby = await secure(ADDRESS, { of: primary.server.url });
      const storage = await open(urlOfBoth(primary, standby));
      onTestFinished(storage.close);
      await storage.write([insertDomain('tls-1.example')]);
      const has = "select 1 from ais_domains where id = 'tls-1.example'";
      await expect.poll(() => query(standby.server, has), { timeout: PATIENT_MS }).toHaveLength(1);
      await primary.server.kill();
      await promotePostgres(standby.server.url);
      const write = () =>
        storage.write([insertDomain('tls-2.example')]).then(({ written }) => written, String);
      await expect.poll(write, { timeout: PATIENT_MS }).toBe(true);
      expect(await query(standby.server, 'select count(*)::int as count from ais_domains')).toEqual([
        { count: 2 },
      ]);
    });

    test('a host with the certificate of another one is passed over, and two of them are no storage', async () => {
      const wrong = await secure(['DNS:elsewhere.example']);
      const right = await secure(ADDRESS);
      const storage = await open(urlOfBoth(wrong, right));
      await storage.write([insertDomain('tls.example')]);
      await storage.close();
      expect(await query(right.server, 'select id from ais_domains')).toEqual([{ id: 'tls.example' }]);
      const other = await secure(LOCALHOST);
      await expect(open(urlOfBoth(wrong, other))).rejects.toMatchObject({
        message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
      });
    });
  });
}
