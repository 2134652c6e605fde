import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, describe, test } from 'vitest';
import { postgresStorage, sqlStorage } from '../../adapters/storage/sql/index.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { storageContract } from '../../src/testing/index.ts';
import { claimsToTry, waysToTry } from '../support/runs.ts';
import { administer, hasPostgres, openSchema } from './postgres-database.ts';

/** Kysely of an application: with its own driver and a plugin. */
async function overHostKysely(url: string): Promise<StorageAdapter> {
  const pool = new pg.Pool({ connectionString: url });
  const kysely = new Kysely<{ orders: { orderId: string } }>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin()],
  });
  return closingAlso(await sqlStorage({ kysely, dialect: 'postgres' }), () => kysely.destroy());
}

/** A pool of an application: with integers of its own kind. */
async function overHostPool(url: string): Promise<StorageAdapter> {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, BigInt);
  const pool = new pg.Pool({ connectionString: url, types });
  return closingAlso(await postgresStorage({ pool, timeoutMs: 30_000 }), () => pool.end());
}

/** The storage, with something to do once it is closed. */
function closingAlso(storage: StorageAdapter, alsoClose: () => Promise<void>): StorageAdapter {
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await storage.close();
    await alsoClose();
  };
  return {
    ...storage,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** The URL of a list of hosts, of which the first refuses connections. */
function overHosts(url: string): Promise<StorageAdapter> {
  return openSchema(url.replace(/^(\w+:\/\/(?:[^/@]*@)?)/, '$1127.0.0.1:1,'));
}

const adapters: Readonly<Record<string, (url: string) => Promise<StorageAdapter>>> = {
  'postgres by its URL': openSchema,
  'postgres by a URL of two hosts': overHosts,
  'postgres behind a pool of the application': overHostPool,
  'postgres behind Kysely of the application': overHostKysely,
};

if (await hasPostgres()) {
  const server = administer();
  afterAll(() => server.end());
  for (const [name, open] of waysToTry(adapters, 1)) {
    const borrow = async (): Promise<StorageAdapter> => {
      const url = await server.borrowSchema();
      return closingAlso(await open(url), () => server.takeBack(url));
    };
    describe(name, () => {
      const claims = claimsToTry(storageContract(borrow), 5, 'PostgreSQL', 1);
      for (const claim of claims) test.concurrent(claim.name, claim.run);
    });
  }
}
