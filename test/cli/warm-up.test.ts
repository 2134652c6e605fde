import { afterAll, expect, test } from 'vitest';
import { warmUp } from '../../adapters/cli/serve/serve.ts';
import { postgresStorage } from '../../adapters/storage/sql/index.ts';
import { administer, hasPostgres, schemaOf } from '../storage/postgres-database.ts';
import { probe } from '../support/storage-probe.ts';

test('a node is not ready while calls of its storage fail', async () => {
  const storage = probe();
  let failing = 25;
  storage.fail = () => {
    if (failing === 0) return undefined;
    failing -= 1;
    return Promise.reject(new Error('No connection.'));
  };
  await warmUp(storage);
  expect(failing).toBe(0);
});

if (await hasPostgres()) {
  const server = administer();
  afterAll(() => server.end());

  test('a node that is ready has its connections to PostgreSQL', async () => {
    const url = await server.newSchema();
    const name = schemaOf(url);
    const storage = await postgresStorage({ url: `${url}&application_name=${name}`, timeoutMs: 30_000 });
    await warmUp(storage);
    const { rowCount } = await server.query('select 1 from pg_stat_activity where application_name = $1', [
      name,
    ]);
    expect(rowCount).toBe(10);
    await storage.close();
  });
}
