import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Migration } from '../../adapters/storage/sql/migrations.ts';
import { openPostgresStorage } from '../../adapters/storage/sql/postgres/open.ts';
import { openSqliteStorage } from '../../adapters/storage/sql/sqlite/open.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { newFolder } from './folder.ts';
import { administer, hasPostgres, schemaOf } from './postgres-database.ts';
import { libraries, withDatabase } from './sqlite-database.ts';

/** An empty database of its own for the running test. */
export interface Subject {
  /** The storage of a release that knows these migrations; by default ours. */
  open(migrations?: readonly Migration[]): Promise<StorageAdapter>;
  /** Statements behind the back of the storage. */
  run(statements: string): Promise<void>;
}

/** How a database is made, for every kind that is there. */
export async function subjects(): Promise<readonly (readonly [string, () => Promise<Subject>])[]> {
  const files = libraries.map((library) => {
    const make = async (): Promise<Subject> => {
      const file = join(newFolder(), 'a.db');
      return {
        open: (migrations) => openSqliteStorage({ file, library, busyTimeoutMs: 30_000 }, migrations),
        async run(statements) {
          await withDatabase(library, file, (db) => {
            for (const statement of statements.split(';')) db.run(statement);
          });
        },
      };
    };
    return [library, make] as const;
  });
  if (!(await hasPostgres())) return files;
  const server = administer();
  afterAll(() => server.end());
  const make = async (): Promise<Subject> => {
    const url = await server.newSchema();
    return {
      open: (migrations) => openPostgresStorage({ url, timeoutMs: 30_000 }, migrations),
      async run(statements) {
        await server.query(`begin; set local search_path = ${schemaOf(url)}; ${statements}; commit`);
      },
    };
  };
  return [...files, ['postgres', make]];
}
