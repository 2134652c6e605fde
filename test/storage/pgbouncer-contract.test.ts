import pg from 'pg';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { postgresStorage } from '../../adapters/storage/sql/index.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { storageContract } from '../../src/testing/index.ts';
import { sayMissing } from '../support/missing.ts';
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.mjs';
import { hasPostgresProgram, type PrivateServer, startPostgres } from '../support/private-servers.mjs';
import { claimsToTry, waysToTry } from '../support/runs.ts';
import { emptying } from './postgres-database.ts';

if (!hasPgBouncer() || !hasPostgresProgram()) {
  sayMissing(
    'There is no pgbouncer, or no initdb: the contract was not proved through PgBouncer. Install both.',
  );
} else {
  let server: PrivateServer;
  let bouncer: PrivateServer;
  let cleaner: pg.Client;

  const open = (): Promise<StorageAdapter> => postgresStorage({ url: bouncer.url, timeoutMs: 30_000 });

  beforeAll(async () => {
    server = await startPostgres({ options: { fsync: 'off' } });
    bouncer = await startPgBouncer({ target: server.port, mode: 'transaction' });
    cleaner = new pg.Client({ connectionString: server.url });
    await cleaner.connect();
    await (await open()).close();
  });

  afterAll(async () => {
    await cleaner?.end();
    await bouncer?.remove();
    await server?.remove();
  });

  const openEmpty = async (): Promise<StorageAdapter> => {
    await cleaner.query(emptying('public'));
    return open();
  };
  for (const [name, open] of waysToTry({ 'postgres through PgBouncer': openEmpty }, 0, undefined, 1)) {
    describe(name, () => {
      const claims = claimsToTry(storageContract(open), 5, 'PgBouncer');
      for (const claim of claims) test(claim.name, claim.run);
    });
  }
}
