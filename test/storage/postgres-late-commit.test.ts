/** A commit that was given up and comes late: what it stored is there once, and is never stored beside itself. */
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { type PostgresClient, type PostgresPool, postgresStorage } from '../../adapters/storage/sql/index.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { NOW } from '../../src/testing/storage-contract/fixtures.ts';
import { block, flush, opened } from '../../src/testing/storage-contract/journal/fixtures.ts';
import { isUnmerged } from '../../src/testing/storage-contract/journal/sums-fixtures.ts';
import { administer, hasPostgres } from './postgres-database.ts';

/** A pool whose next COMMIT stays on its way until it is let through. */
interface SlowPool {
  readonly pool: PostgresPool;
  holdNext(): void;
  /** The process that waits for the COMMIT. */
  readonly processId: () => number;
  /** What became of the COMMIT when it came. */
  letThrough(): Promise<string>;
  end(): Promise<void>;
}

function slowPool(url: string): SlowPool {
  const inner = new pg.Pool({ connectionString: url });
  inner.on('error', () => undefined);
  let isHolding = false;
  let processId = 0;
  let arrive: (() => Promise<string>) | undefined;

  function wrap(client: pg.PoolClient): PostgresClient {
    let isHeld = false;
    const wrapped: PostgresClient = {
      processID: (client as unknown as { processID: number }).processID,
      query(query) {
        if (!isHolding || query.text !== 'commit') return client.query(query) as never;
        isHolding = false;
        isHeld = true;
        processId = wrapped.processID ?? 0;
        arrive = async () => {
          const outcome = await client.query('commit').then(
            ({ command }) => command,
            (error: Error) => error.message,
          );
          client.release(true);
          return outcome;
        };
        return new Promise(() => undefined);
      },
      release(destroy) {
        if (!isHeld) client.release(destroy);
      },
      on: (event: string, listener: (...args: never[]) => void) =>
        client.on(event as 'error', listener as never),
      off: (event: string, listener: (...args: never[]) => void) =>
        client.off(event as 'error', listener as never),
    };
    client.on('error', () => undefined);
    return wrapped;
  }

  const pool: PostgresPool = {
    options: { max: 10 },
    connect: async () => wrap(await inner.connect()),
    end: () => inner.end(),
    on: () => pool,
    off: () => pool,
  };
  return {
    pool,
    holdNext: () => {
      isHolding = true;
    },
    processId: () => processId,
    letThrough: () => arrive?.() ?? Promise.reject(new Error('No COMMIT is on its way.')),
    end: () => inner.end(),
  };
}

if (await hasPostgres()) {
  const server = administer();
  afterAll(() => server.end());

  const start = async (): Promise<{ slow: SlowPool; storage: StorageAdapter; patient: StorageAdapter }> => {
    const url = await server.newSchema();
    const slow = slowPool(url);
    const patient = await postgresStorage({ url, timeoutMs: 30_000 });
    const storage = await postgresStorage({ pool: slow.pool, timeoutMs: 1_000 });
    await opened(patient);
    return { slow, storage, patient };
  };

  test('a flush that is sent again waits for the commit that is still on its way, and is known', async () => {
    const { slow, storage, patient } = await start();
    slow.holdNext();
    await expect(storage.journal.file(flush(1, [block(1)]))).rejects.toThrow('did not answer');
    const again = patient.journal.file(flush(1, [block(1)]));
    // It does not come past the fence.
    const early = await Promise.race([again, patient.journal.writers()]);
    expect(early).toMatchObject([{ flushed: 0 }]);
    expect(await slow.letThrough()).toBe('COMMIT');
    expect(await again).toBe('known');
    await isUnmerged(patient, [block(1)]);
    await Promise.all([storage.close(), patient.close(), slow.end()]);
  });

  test('a commit that comes when the server has given its transaction up changes nothing', async () => {
    const { slow, storage, patient } = await start();
    slow.holdNext();
    await expect(storage.journal.file(flush(1, [block(1)]))).rejects.toThrow('did not answer');
    await server.query('select pg_terminate_backend($1, 5000)', [slow.processId()]);
    expect(await patient.journal.file(flush(1, [block(1)]))).toBe('filed');
    expect(
      await patient.journal.merge({ writer: block(1).writer, from: 0, to: 1, at: NOW, rollups: [] }),
    ).toBe(true);
    expect(await slow.letThrough()).not.toBe('COMMIT');
    await isUnmerged(patient, []);
    expect(await patient.journal.load([block(1)])).toEqual([block(1)]);
    await Promise.all([storage.close(), patient.close(), slow.end()]);
  });
}
