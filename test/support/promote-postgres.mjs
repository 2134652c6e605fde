import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const PROMOTION_MS = 60_000;

/** Makes a standby the primary. No query waits for it, since the end of a recovery may cancel queries. */
export async function promotePostgres(url) {
  await rowsOf(url, 'select pg_promote(false)');
  const isDone = async () => {
    const [row] = await rowsOf(url, 'select pg_is_in_recovery() as recovers').catch(() => []);
    return row?.recovers === false;
  };
  for (const end = Date.now() + PROMOTION_MS; !(await isDone()); await pause(50)) {
    if (Date.now() > end) throw new Error('The standby is not the primary in time.');
  }
}

/** The rows of a question to the PostgreSQL at a URL. */
export async function rowsOf(url, text) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
