import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { postgresStorage } from '../../adapters/storage/sql/index.ts';
import { createIdentityService } from '../../src/index.ts';
import { root } from '../readme/run.ts';
import { run } from '../support/command.ts';
import { sayMissing } from '../support/missing.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { hasPostgresProgram, type PrivateServer, startPostgres } from '../support/private-servers.mjs';
import { GIVEN, openFolder, startServe } from '../support/process.ts';

if (!hasPostgresProgram()) {
  sayMissing('There is no initdb: nothing about the rights of a role was proved. Install postgresql.');
} else {
  let server: PrivateServer;
  let admin: pg.Client;
  let folder: string;
  let remove: () => void;

  beforeAll(async () => {
    ({ folder, remove } = openFolder());
    server = await startPostgres({ options: { fsync: 'off' } });
    admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    // A role that may use tables, and make none.
    await admin.query('create role agents login; revoke create on schema public from public');
  });

  afterAll(async () => {
    await admin?.end();
    await server?.remove();
    remove();
  });

  /** A new database; the URL for the role without rights to its tables. */
  async function newDatabase(name: string): Promise<{ readonly url: string; readonly owner: pg.Client }> {
    await admin.query(`create database ${name}`);
    const owner = new pg.Client({ connectionString: server.url.replace(/postgres$/, name) });
    await owner.connect();
    onTestFinished(() => owner.end());
    await owner.query('revoke create on schema public from public');
    return { url: `postgres://agents@127.0.0.1:${server.port}/${name}`, owner };
  }

  const [GRANT = ''] =
    /^GRANT USAGE [^`]*/m.exec(readFileSync(join(root, 'adapters/storage/README.md'), 'utf8')) ?? [];

  test('a role that may not make tables serves, once the printed migrations are done', async () => {
    const { url, owner } = await newDatabase('printed');
    const env = { ...GIVEN, AGENT_IDENTITY_STORAGE: url };
    const options = { cwd: folder, env };
    const refused = await run(['serve', '--port', '0'], options);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('permission denied');
    expect(refused.stderr).toContain('agent-identity migrate --print');
    expect((await run(['migrate'], options)).stderr).toBe(refused.stderr);

    const printed = await run(['migrate', '--print'], options);
    expect(printed).toMatchObject({ code: 0, stderr: '' });
    await owner.query(printed.stdout);
    // A second time it fails as a whole: the tables are there.
    await expect(owner.query(printed.stdout)).rejects.toThrow('already exists');
    await owner.query('rollback');
    await owner.query(GRANT);
    const again = await run(['migrate', '--print'], options);
    expect(again).toMatchObject({ code: 0, stdout: '-- The database has the tables of this release.\n' });

    const serving = await startServe(options);
    expect((await fetch(`${serving.origin}/api/health/ready`)).status).toBe(200);
    expect((await serving.stop()).code).toBe(0);
    expect((await run(['key', 'create', 'till'], options)).code).toBe(0);
  });

  test('the printed migrations make the tables that a start makes', async () => {
    const [made, printed] = [await newDatabase('made'), await newDatabase('by_hand')];
    const storageOf = (url: string): string => url.replace('agents@', 'root@');
    await (await postgresStorage({ timeoutMs: PATIENT_MS, url: storageOf(made.url) })).close();
    const script = await run(['migrate', '--print', '--storage', storageOf(printed.url)], { cwd: folder });
    await printed.owner.query(script.stdout);
    const describeTables = async ({ owner }: { readonly owner: pg.Client }): Promise<unknown> => {
      const columns = await owner.query(`
        select table_name, column_name, data_type, is_nullable, collation_name, ordinal_position
        from information_schema.columns where table_schema = 'public' order by 1, ordinal_position`);
      const indexes = await owner.query(
        "select indexdef from pg_indexes where schemaname = 'public' order by 1",
      );
      const meta = await owner.query("select name, value from ais_meta where name <> 'marker' order by 1");
      return [columns.rows, indexes.rows, meta.rows.filter(({ name }) => name !== 'server_runs')];
    };
    expect(await describeTables(printed)).toEqual(await describeTables(made));
  });

  test('migrate makes the tables, and is for PostgreSQL alone', async () => {
    const { url, owner } = await newDatabase('migrated');
    const storage = url.replace('agents@', 'root@');
    const { code, stdout } = await run(['migrate', '--storage', storage], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The database has the tables of this release.\n' });
    expect((await owner.query('select count(*) > 0 as some from ais_meta')).rows).toEqual([{ some: true }]);
    const other = await run(['migrate', '--storage', 'sqlite:a.db'], { cwd: folder });
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('migrate is for postgres://') });
  });

  test('a node is not ready while a table is missing or may not be read', async () => {
    const { url, owner } = await newDatabase('unreadable');
    await (await postgresStorage({ timeoutMs: PATIENT_MS, url: url.replace('agents@', 'root@') })).close();
    await owner.query(GRANT);
    const service = createIdentityService({
      storageDeadlineMs: PATIENT_MS,
      storage: await postgresStorage({ timeoutMs: PATIENT_MS, url }),
    });
    onTestFinished(() => service.close());
    const health = (): Promise<string> =>
      service.health().then(
        ({ durability }) => durability,
        ({ code }) => code,
      );
    const faults = [
      ['revoke select on ais_passports from agents', 'grant select on ais_passports to agents'],
      ['revoke select on ais_rollups from agents', 'grant select on ais_rollups to agents'],
      ['alter table ais_journal_blocks rename to gone', 'alter table gone rename to ais_journal_blocks'],
      ['alter table ais_keys rename column digest to gone', 'alter table ais_keys rename gone to digest'],
    ] as const;
    for (const [fault, mend] of faults) {
      expect(await health()).toBe('unproved');
      await owner.query(fault);
      expect(await health()).toBe('storage_unavailable');
      await owner.query(mend);
      await expect.poll(health).toBe('unproved');
    }
  });
}
