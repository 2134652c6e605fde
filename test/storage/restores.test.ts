import { join } from 'node:path';
import { Kysely } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { postgresStorage, sqliteStorage, sqlStorage } from '../../adapters/storage/sql/index.ts';
import type { PostgresPool } from '../../adapters/storage/sql/postgres/pool.ts';
import { loadSqlite, type SqliteConnection } from '../../adapters/storage/sql/sqlite/connection.ts';
import { sqliteKyselyDialect } from '../../adapters/storage/sql/sqlite/kysely-dialect.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { insertDomain } from './calls.ts';
import { newFolder } from './folder.ts';
import { administer, hasPostgres, openSchema, schemaOf } from './postgres-database.ts';
import { libraries, withDatabase } from './sqlite-database.ts';

const AT = '2026-11-20T12:00:00.000Z';

const EMPTY = `
  create table kept_meta as select * from ais_meta where name = 'marker';
  create table kept_domains as select * from ais_domains;
  create table kept_counters as select * from ais_counters;
  delete from ais_meta where name = 'marker'; delete from ais_domains; delete from ais_counters`;
const RESTORE = `
  insert into ais_meta select * from kept_meta;
  insert into ais_domains select * from kept_domains;
  insert into ais_counters select * from kept_counters`;

const REFUSED = 'The database is not the one that was opened: its identity differs. Restart the process.';

/** Calls that find what is stored. */
const calls: Readonly<Record<string, (storage: StorageAdapter) => Promise<unknown>>> = {
  get: async (storage) => (await storage.get('domains', 'd.example'))?.id,
  list: async (storage) => (await storage.list('domains', { where: { account_id: 'a' }, limit: 1 }))[0]?.id,
  count: async (storage) => ((await storage.count('n', AT)) === 7 ? 'd.example' : undefined),
};

/** A database that is emptied now, and filled again right after the first statement has found nothing in it. */
interface Emptied {
  readonly storage: StorageAdapter;
  empty(): Promise<void>;
  close(): Promise<void>;
}

function provesRestores(open: () => Promise<Emptied>): void {
  test.each(Object.entries(calls))(
    'a restore between two statements of a %s is seen whole, or the call is refused',
    async (_, call) => {
      const { storage, empty, close } = await open();
      const count = { op: 'add', counter: 'n', by: 7, at: AT } as const;
      await storage.write([insertDomain('d.example'), count]);
      await empty();
      // Refused where the first statement is the look at the identity, which was gone.
      const found = await call(storage).catch((error: Error) => error.message);
      expect(['d.example', REFUSED]).toContain(found);
      await close();
    },
  );
}

describe.each(libraries)('%s', (library) => {
  provesRestores(async () => {
    const file = join(newFolder(), 'a.db');
    await (await sqliteStorage({ file, library })).close();
    const connection = (await loadSqlite(library))(file);
    const other = (await loadSqlite(library))(file);
    let isEmpty = false;
    const watched: SqliteConnection = {
      ...connection,
      all(text, parameters) {
        const rows = connection.all(text, parameters);
        if (isEmpty) for (const statement of RESTORE.split(';')) other.run(statement);
        isEmpty = false;
        return rows;
      },
    };
    const kysely = new Kysely({ dialect: sqliteKyselyDialect(watched, () => 0) });
    const storage = await sqlStorage({ kysely, dialect: 'sqlite' });
    return {
      storage,
      async empty() {
        await withDatabase(library, file, (db) => {
          for (const statement of EMPTY.split(';')) db.run(statement);
        });
        isEmpty = true;
      },
      async close() {
        await storage.close();
        other.close();
        await kysely.destroy();
      },
    };
  });
});

if (await hasPostgres()) {
  const server = administer();
  afterAll(() => server.end());

  describe('postgres', () => {
    provesRestores(async () => {
      const url = await server.newSchema();
      await (await openSchema(url)).close();
      const run = (text: string) =>
        server.query(`begin; set local search_path = ${schemaOf(url)}; ${text}; commit`);
      let isEmpty = false;
      const pool = new pg.Pool({ connectionString: url, max: 2 });
      pool.on('connect', (client) => {
        const query = client.query.bind(client) as (given: object) => Promise<unknown>;
        const watched = async (given: object): Promise<unknown> => {
          const answer = await query(given);
          if (isEmpty) await run(RESTORE);
          isEmpty = false;
          return answer;
        };
        Object.assign(client, { query: watched });
      });
      const storage = await postgresStorage({ pool: pool as unknown as PostgresPool, timeoutMs: 30_000 });
      return {
        storage,
        async empty() {
          await run(EMPTY);
          isEmpty = true;
        },
        async close() {
          await storage.close();
          await pool.end();
        },
      };
    });
  });
}
