import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { postgresStorage } from '../../adapters/storage/sql/index.ts';
import { openPostgresStorage } from '../../adapters/storage/sql/postgres/open.ts';
import { createIdentityService } from '../../src/index.ts';
import type { Change, StorageAdapter } from '../../src/ports/index.ts';
import { storageContract } from '../../src/testing/index.ts';
import { run } from '../support/command.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { GIVEN } from '../support/process.ts';
import { newFolder } from './folder.ts';
import { breakingRelease, failingRelease } from './migration-fixtures.ts';
import { administer, hasPostgres, openSchema, SERVER, schemaOf } from './postgres-database.ts';
import { refusalOf } from './sqlite-database.ts';

const AT = '2026-11-20T12:00:00.000Z';
/** Nothing listens there. */
const ABSENT = 'postgres://root:hunter2@127.0.0.1:1/test';

function insertDomain(id: string): Change {
  const record = { id, account_id: 'a', version: 1, created_at: AT, changed_at: null, changed_by: null };
  return { op: 'insert', collection: 'domains', record };
}

function add(counter: string, by: number): Change {
  return { op: 'add', counter, by, at: AT };
}

describe('without a server', () => {
  test('opening rejects within the deadline, without the URL', async () => {
    const started = performance.now();
    const { code, message } = await refusalOf(() => postgresStorage({ url: ABSENT, timeoutMs: 500 }));
    expect(code).toBe('storage_unavailable');
    expect(message).toBe('PostgreSQL cannot be used: ECONNREFUSED at 127.0.0.1:1');
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('a URL that cannot be read is refused, without the URL', async () => {
    const { code, message } = await refusalOf(() => postgresStorage({ url: 'postgres://u:hun#ter2@h/d' }));
    expect(code).toBe('invalid_configuration');
    expect(message).not.toContain('hun');
  });

  test.each([9, 60_001, 100.5, Number.NaN])('timeoutMs %s is refused', async (timeoutMs) => {
    const opening = postgresStorage({ url: ABSENT, timeoutMs });
    await expect(opening).rejects.toMatchObject({ code: 'invalid_configuration' });
  });

  test('serve stops with one line and exit code 1', async () => {
    const secret = 'dRo6ynMUYDWDkQ4VVcXF5FQn1zUJJdJbjDuGFVwNeEk';
    const env = { AGENT_IDENTITY_STORAGE: ABSENT, AGENT_IDENTITY_SECRET: secret };
    const { code, stdout, stderr } = await run(['serve', '--port', '0'], { cwd: newFolder(), env });
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'agent-identity: PostgreSQL cannot be used: ECONNREFUSED at 127.0.0.1:1\n',
    });
  });
});

if (await hasPostgres()) {
  const server = administer();
  afterAll(() => server.end());

  async function withTwo(use: (one: StorageAdapter, two: StorageAdapter) => Promise<void>): Promise<void> {
    const url = await server.newSchema();
    const [one, two] = [await openSchema(url), await openSchema(url)];
    try {
      await use(one, two);
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  }

  test('it says that it is durable, and what is missing when it is not', async () => {
    const url = await server.newSchema();
    const open = async (setting: string): Promise<unknown> => {
      const storage = await openSchema(url.replace('synchronous_commit%3Doff', setting));
      const health = await storage.check();
      await storage.close();
      return health;
    };
    expect(await open('synchronous_commit%3Don')).toEqual({ durability: 'durable' });
    expect(await open('synchronous_commit%3Doff')).toEqual({
      durability: 'unproved',
      detail: 'synchronous_commit is off: a crash may lose writes.',
    });
    const readOnly = openSchema(
      url.replace('synchronous_commit%3Doff', 'default_transaction_read_only%3Don'),
    );
    await expect(readOnly).rejects.toMatchObject({ code: 'storage_unavailable' });
  });

  test('a database that does not hold every text is refused, and no table is made in it', async () => {
    const name = `ais_latin_${process.pid}`;
    await server.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
    const url = new URL(SERVER);
    url.pathname = name;
    try {
      const { code, message } = await refusalOf(() => postgresStorage({ url: url.href }));
      expect(code).toBe('invalid_configuration');
      expect(message).toBe(
        "The PostgreSQL database encodes text as LATIN1: create one with encoding 'UTF8'.",
      );
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      const { rows } = await client.query("select 1 from pg_class where relname like 'ais%'");
      await client.end();
      expect(rows).toEqual([]);
    } finally {
      await server.query(`drop database ${name}`);
    }
  });

  test('eight nodes that start at once on an empty database all start', async () => {
    const url = await server.newSchema();
    const nodes = await Promise.all(Array.from({ length: 8 }, () => openSchema(url)));
    const results = await Promise.all(nodes.map((node) => node.write([insertDomain('d.example')])));
    expect(results.filter(({ written }) => written)).toHaveLength(1);
    await Promise.all(nodes.map((node) => node.close()));
  });

  test('a database of a newer release that broke with this one is refused and not altered', async () => {
    const url = await server.newSchema();
    await (await openPostgresStorage({ url, timeoutMs: 30_000 }, breakingRelease)).close();
    const { code, message } = await refusalOf(() => openSchema(url));
    expect(code).toBe('invalid_configuration');
    expect(message).toContain(`schema version ${breakingRelease.length}`);
    await (await openPostgresStorage({ url, timeoutMs: 30_000 }, breakingRelease)).close();
  });

  test('a failed migration leaves the version before', async () => {
    const url = await server.newSchema();
    await (await openSchema(url)).close();
    const opening = openPostgresStorage({ url, timeoutMs: 30_000 }, failingRelease);
    await expect(opening).rejects.toThrow('the disk is full');
    const storage = await openSchema(url);
    expect(await storage.write([insertDomain('d.example')])).toMatchObject({ written: true });
    await storage.close();
  });

  test('with strict a revoke by one service is seen by the next verify of the other', async () => {
    await withTwo(async (one, two) => {
      const open = (storage: StorageAdapter) =>
        createIdentityService({ storageDeadlineMs: PATIENT_MS, storage, consistency: 'strict' });
      const [first, second] = [one, two].map(open);
      if (first === undefined || second === undefined) throw new Error('There are two.');
      const { id: account_id } = await first.accounts.create({
        email: 'ada@example.com',
        password: 'correct horse battery',
      });
      const { agent_id } = await first.passports.create(
        {
          domain: 'example.com',
          agent_name: 'shopper',
          allowed_actions: ['read'],
          monetary_limit_per_txn: 1,
        },
        { account_id },
      );
      expect((await second.verify({ agent_id, action: 'read' })).verdict).toBe('ALLOW');
      await first.revoke({ agent_id }, { account_id });
      expect((await second.verify({ agent_id, action: 'read' })).verdict).toBe('DENY');
      await Promise.all([first.close(), second.close()]);
    });
  });

  test('counters are exact under concurrency from two pools', async () => {
    await withTwo(async (one, two) => {
      const both = Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? one : two));
      const step = { op: 'add', counter: 'n', by: 1, max: 60, at: AT } as const;
      const results = await Promise.all(both.map((storage) => storage.write([step])));
      expect(results.filter(({ written }) => written)).toHaveLength(60);
      expect(await one.count('n', AT)).toBe(60);
    });
  });

  // What is left is a plan that asks again for each row, as PostgreSQL does with a table that it takes for small.
  const OTHERS = ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material', 'indexscan', 'bitmapscan'];
  const settings = OTHERS.map((name) => `enable_${name}=off`);
  const purges = storageContract(async () => openSchema(await server.newSchema(settings))).filter(
    ({ name }) => name.startsWith('purge removes at most'),
  );

  test.each(purges)('$name, also where rows are looked for again and again', ({ run: prove }) => prove());

  test('writes that name the same rows in opposite order do not wait for each other', async () => {
    await withTwo(async (one, two) => {
      const names = Array.from({ length: 12 }, (_, at) => `n${at}`);
      const there = names.map((name) => add(name, 1));
      const back = [...there].reverse();
      const writing = Array.from({ length: 40 }, (_, at) =>
        (at % 2 === 0 ? one : two).write(at % 4 < 2 ? there : back),
      );
      expect((await Promise.all(writing)).filter(({ written }) => written)).toHaveLength(40);
      expect(await Promise.all(names.map((name) => one.count(name, AT)))).toEqual(names.map(() => 40));
    });
  });

  test('a connection that was killed is replaced', async () => {
    const url = await server.newSchema();
    const storage = await postgresStorage({ url: `${url}&application_name=killed`, timeoutMs: 30_000 });
    await storage.write([insertDomain('d.example')]);
    for (let round = 0; round < 3; round += 1) {
      const { rowCount } = await server.query(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'killed'`,
      );
      expect(rowCount).toBeGreaterThan(0);
      await new Promise((resolve) => setImmediate(resolve));
      await storage.get('domains', 'd.example').catch(() => undefined);
      expect(await storage.get('domains', 'd.example')).toBeDefined();
    }
    await storage.close();
  });

  test('a call that waits for a lock rejects within its deadline, and nothing stays stuck', async () => {
    const url = await server.newSchema();
    const patient = await openSchema(url);
    await patient.write([add('n', 1)]);
    const storage = await postgresStorage({ url, timeoutMs: 300 });
    const blocking = server.query(
      `begin; select * from ${schemaOf(url)}.ais_counters for update; select pg_sleep(3); rollback`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(storage.write([add('n', 1)])).rejects.toThrow(Error);
    await blocking;
    expect(await patient.write([add('n', 1)])).toMatchObject({ written: true });
    expect(await patient.count('n', AT)).toBe(2);
    await Promise.all([patient.close(), storage.close()]);
  });

  test('the command works on it, and never prints its URL', async () => {
    const url = (await server.newSchema()).replace('//root@', '//root:hunter2@');
    const cwd = newFolder();
    const early = await run(['account', 'list', '--storage', url], { cwd });
    expect(early).toMatchObject({ code: 2, stdout: '' });
    const made = await server.query('select 1 from pg_tables where schemaname = $1', [schemaOf(url)]);
    expect(made.rowCount).toBe(0);
    expect(early.stderr).toContain('holds no agent identities yet');
    const args = ['account', 'create', 'ada@example.com', '--storage', url];
    const created = await run(args, { cwd, env: GIVEN });
    expect({ code: created.code, stderr: created.stderr }).toEqual({ code: 0, stderr: '' });
    const listed = await run(['account', 'list', '--storage', url], { cwd });
    expect(listed.stdout).toContain('ada@example.com');
    expect(`${early.stderr}${created.stdout}${listed.stdout}${listed.stderr}`).not.toContain('hunter2');
  });
}
