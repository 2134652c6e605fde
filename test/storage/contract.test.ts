import { copyFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CamelCasePlugin, Kysely, SqliteDialect } from 'kysely';
import Libsql from 'libsql';
import { afterAll, describe, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { sqliteStorage, sqlStorage } from '../../adapters/storage/sql/index.ts';
import { hasBuiltInSqlite } from '../../adapters/storage/sql/sqlite/connection.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { storageContract } from '../../src/testing/index.ts';
import { claimsToTry, waysToTry } from '../support/runs.ts';

const folder = await mkdtemp(join(tmpdir(), 'ais-contract-'));
const empty = join(folder, 'empty.db');
let files = 0;

await (await sqliteStorage({ file: empty })).close();

afterAll(() => rm(folder, { recursive: true }));

/** A file that no other case has used, with the tables in it: to make them takes longer than most claims. */
function newFile(): string {
  files += 1;
  const file = join(folder, `${files}.db`);
  copyFileSync(empty, file);
  return file;
}

/** Kysely of an application: with its own driver, which begins transactions its own way, and a plugin. */
async function overHostKysely(): Promise<StorageAdapter> {
  const kysely = new Kysely<{ orders: { orderId: string } }>({
    dialect: new SqliteDialect({ database: new Libsql(newFile()) }),
    plugins: [new CamelCasePlugin()],
  });
  const storage = await sqlStorage({ kysely, dialect: 'sqlite' });
  return {
    ...storage,
    async close() {
      await storage.close();
      await kysely.destroy();
    },
  };
}

const adapters: Readonly<Record<string, () => Promise<StorageAdapter>>> = {
  memory: async () => memoryStorage(),
  'sqlite file, libsql': () => sqliteStorage({ file: newFile(), library: 'libsql' }),
  ...(hasBuiltInSqlite() && {
    'sqlite file, node:sqlite': () => sqliteStorage({ file: newFile(), library: 'node:sqlite' }),
  }),
  'sqlite of the application': overHostKysely,
  'sqlite :memory:': () => sqliteStorage({ file: ':memory:' }),
};

for (const [name, open] of waysToTry(adapters, 2)) {
  describe(name, () => {
    const claims = claimsToTry(storageContract(open), name === 'memory' ? 1 : 12, name, 1);
    for (const claim of claims) test(claim.name, claim.run);
  });
}
