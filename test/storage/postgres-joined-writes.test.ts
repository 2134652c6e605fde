/** Joined writes on PostgreSQL against the same writes one after another in memory. */
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { postgresStorage } from '../../adapters/storage/sql/index.ts';
import type { Change, StorageAdapter, WriteResult } from '../../src/ports/index.ts';
import { fixtures, forget, insert } from '../../src/testing/storage-contract/fixtures.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { cases, nightly, sized } from '../support/runs.ts';
import { connectBetween } from '../support/tcp-filter.ts';
import { insertDomain } from './calls.ts';
import { ADDITION, AT, add, FORGETTING, LATER, RECORD } from './counter-writes.ts';
import { type Administration, administer, hasPostgres, openSchema, schemaOf } from './postgres-database.ts';

/** In each write, so that its sum tells when the write was evaluated. */
const ORDER = 'order';

/** The nodes and their callers that spend on chains of budgets. */
const NODES = sized(10, 3);
const CALLERS = 64;

const WRITE = fc
  .uniqueArray(fc.oneof(ADDITION, ADDITION, FORGETTING, RECORD), {
    maxLength: 4,
    selector: (change) => ('counter' in change ? change.counter : 'record'),
  })
  .map((changes): readonly Change[] => [add(ORDER, 1), ...changes]);

/** How many writes were kept before this one was evaluated. */
function placeOf(result: WriteResult): number {
  return result.written ? Number(result.sums[0]) - 1 : Number(result.found[0]);
}

if (await hasPostgres()) {
  let administration: Administration;
  let url: string;
  beforeAll(async () => {
    administration = administer();
    url = await administration.borrowSchema();
  });
  afterAll(() => administration?.end());

  const open = async (timeoutMs?: number): Promise<StorageAdapter> => {
    const storage =
      timeoutMs === undefined ? await openSchema(url) : await postgresStorage({ url, timeoutMs });
    onTestFinished(async () => {
      await storage.close();
      await administration.takeBack(url);
      url = await administration.borrowSchema();
    });
    return storage;
  };

  const empty = async () => {
    const tables = ['ais_counters', 'ais_domains'];
    for (const table of tables) await administration.query(`delete from ${schemaOf(url)}.${table}`);
  };

  /** Locks the row of a counter until the returned function is called. */
  const hold = async (counter: string): Promise<() => Promise<void>> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('begin');
    await client.query('select 1 from ais_counters where id = $1 for update', [counter]);
    return async () => {
      await client.query('rollback');
      await client.end();
    };
  };

  test('have the answers and leave the store of the same writes one after another', async () => {
    const storage = await open();
    await fc.assert(
      fc.asyncProperty(fc.array(WRITE, { minLength: 3, maxLength: 40 }), async (writes) => {
        await empty();
        const results = await Promise.all(writes.map((changes) => storage.write(changes)));
        const order = [...results.entries()].sort(
          ([, a], [, b]) => placeOf(a) - placeOf(b) || Number(a.written) - Number(b.written),
        );
        const model = memoryStorage();
        for (const [index, result] of order) expect(await model.write(writes[index] ?? [])).toEqual(result);
        for (const counter of [ORDER, 'one', 'two', 'zwölf', '\ud83d\ude00', '\uffee']) {
          for (const at of [AT, LATER]) {
            expect(await storage.count(counter, at)).toBe(await model.count(counter, at));
          }
        }
        for (const id of ['a.example', 'b.example', 'c.example']) {
          expect(await storage.get('domains', id)).toEqual(await model.get('domains', id));
        }
      }),
      { numRuns: cases(1_000) },
    );
  });

  test('have the answers of their order where most writes only add to one counter', async () => {
    const storage = await open();
    const onOne = ADDITION.map(
      (change): Change => ({ ...change, ...(change.op === 'add' && { counter: 'one' }) }),
    );
    const write = fc.oneof(
      fc.tuple(onOne),
      fc.tuple(onOne),
      fc.tuple(onOne, RECORD),
      fc.constant([forget('one')]),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 3, maxLength: 40 }), async (writes) => {
        await empty();
        const results = await Promise.all(writes.map((changes) => storage.write(changes)));
        const model = memoryStorage();
        for (const [index, result] of results.entries())
          expect(result).toEqual(await model.write(writes[index] ?? []));
        for (const at of [AT, LATER, '2027-01-02T00:00:00.000Z'])
          expect(await storage.count('one', at)).toBe(await model.count('one', at));
      }),
      { numRuns: cases(1_000) },
    );
  });

  test('spend one budget exactly, and leave no counter that was only looked at', async () => {
    const storage = await open();
    const results = await Promise.all(
      Array.from({ length: 300 }, () =>
        storage.write([add('budget', 1, { max: 200 }), add('not', 5, { max: 4 })]),
      ),
    );
    expect(results.every(({ written }) => !written)).toBe(true);
    const { rows } = await administration.query(`select id from ${schemaOf(url)}.ais_counters`);
    expect(rows).toEqual([]);
    const spends = await Promise.all(
      Array.from({ length: 300 }, () => storage.write([add('budget', 1, { max: 200 })])),
    );
    expect(spends.filter(({ written }) => written)).toHaveLength(200);
    expect(await storage.count('budget', AT)).toBe(200);
  });

  test('a write that the database refuses fails alone', async () => {
    const storage = await open();
    await storage.write([add('n', 1)]);
    // Random, since the index compresses what repeats.
    const tooLong = Array.from({ length: 4_000 }, (_, i) => ((i * 7_919 * 31) % 65_000).toString(36)).join(
      '',
    );
    const writes = Array.from({ length: 60 }, (_, index) =>
      storage.write([
        add('n', 1),
        insert('passports', fixtures.passports(index === 40 ? tooLong : `p${index}`)),
      ]),
    );
    const settled = await Promise.allSettled(writes);
    expect(settled.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1);
    expect(settled[40]?.status).toBe('rejected');
    expect(await storage.count('n', AT)).toBe(60);
  });

  test('a write whose signal is aborted while it waits for others is not sent, and rejects alone', async () => {
    const storage = await open();
    await storage.write([add('n', 1)]);
    const release = await hold('n');
    const first = storage.write([add('n', 1)]);
    const moved = new AbortController();
    const writes = Array.from({ length: 10 }, (_, index) =>
      storage.write([add('n', 1)], index === 4 ? moved.signal : undefined),
    );
    const all = Promise.allSettled(writes);
    moved.abort(new Error('another server'));
    await release();
    expect(await first).toMatchObject({ written: true });
    const settled = await all;
    expect(settled[4]).toMatchObject({ status: 'rejected', reason: { message: 'another server' } });
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(9);
    expect(await storage.count('n', AT)).toBe(11);
    // A write without a counter, which waits for none.
    const alone = storage.write([insertDomain('moved.example')], moved.signal);
    await expect(alone).rejects.toThrow('another server');
    expect(await storage.get('domains', 'moved.example')).toBeUndefined();
  });

  test('a transaction that is killed rejects its own writes, and leaves none of them', async () => {
    const storage = await open();
    await storage.write([add('n', 1)]);
    const release = await hold('n');
    const writes = Array.from({ length: 40 }, (_, index) =>
      storage.write([add('n', 1), insertDomain(`${index}.example`)]),
    );
    const all = Promise.allSettled(writes);
    // The first write alone, and the transaction of all others.
    for (let time = 0; time < 2; time += 1) await expect.poll(kill).toBe(true);
    expect((await all).filter(({ status }) => status === 'fulfilled')).toEqual([]);
    await release();
    expect(await storage.count('n', AT)).toBe(1);
    expect(await storage.list('domains', { where: { account_id: 'a' }, limit: 100 })).toEqual([]);
    expect((await storage.write([add('n', 1)])).written).toBe(true);

    /** Ends the transaction that waits for the counter. */
    async function kill(): Promise<boolean> {
      const { rows } = await administration.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and query like '%ais_write%' and application_name = 'agent-identity-service'`,
      );
      return rows.length > 0;
    }
  });

  test('a transaction whose answer is lost after its commit rejects its writes, and all of them stand', async () => {
    const storage = await open();
    let isLost = false;
    const through = await connectBetween(Number(new URL(url).port || 5432), (text) => (isLost ? '' : text));
    const far = new URL(url);
    far.host = `127.0.0.1:${through.port}`;
    const node = await postgresStorage({ url: far.href, timeoutMs: 2_000 });
    onTestFinished(async () => {
      await node.close();
      through.close();
    });
    await storage.write([add('n', 0), insertDomain('0.example')]);
    const write = (index: number) => node.write([add('n', 1), insertDomain(`${index}.example`)]);
    const first = write(1).then((result) => {
      // All others wait for this answer, and are sent now.
      isLost = true;
      return result;
    });
    const others = Promise.allSettled(Array.from({ length: 64 }, (_, index) => write(index + 2)));
    expect(await first).toMatchObject({ written: true });
    expect((await others).filter(({ status }) => status === 'fulfilled')).toEqual([]);
    expect(await storage.count('n', AT)).toBe(65);
    const where = { account_id: 'a' };
    expect(await storage.list('domains', { where, limit: 100 })).toHaveLength(66);
  });

  test('a late write rejects alone, while a younger one of the same counter is written', async () => {
    const storage = await open(1_000);
    await storage.write([add('n', 1)]);
    const release = await hold('n');
    const early = [
      storage.write([add('n', 1)]),
      storage.write([add('n', 1)]),
      storage.write([add('n', 100)]),
    ];
    const settled = Promise.allSettled(early);
    await pause(700);
    const younger = storage.write([add('n', 1_000)]);
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await release();
    expect((await younger).written).toBe(true);
    // The others may have been written late, as any write whose answer did not come in time.
    expect(await storage.count('n', AT)).toBeGreaterThanOrEqual(1_001);
  });

  test('chains of counters that overlap, from several nodes, never wait for each other in a circle', async () => {
    const first = await open();
    const others = Array.from({ length: NODES - 1 }, () =>
      postgresStorage({ url, timeoutMs: PATIENT_MS, maxConnections: 3 }),
    );
    const nodes = [first, ...(await Promise.all(others))];
    onTestFinished(async () => {
      for (const node of nodes.slice(1)) await node.close();
    });
    const deadlocks = async () => {
      const { rows } = await administration.query(
        'select deadlocks::int as count from pg_stat_database where datname = current_database()',
      );
      return rows;
    };
    const before = await deadlocks();
    const names = ['one', 'two', 'three', 'four', 'five'];
    const end = Date.now() + nightly(60_000, sized(10_000, 1_000));
    const sums = new Map<string, number>();
    await Promise.all(
      nodes.flatMap((node, place) =>
        Array.from({ length: CALLERS }, async (_, caller) => {
          for (let turn = 0; Date.now() < end; turn += 1) {
            // Each turn has new counters, in another order for each caller.
            const window = Math.floor(turn / 20);
            const first = (caller + turn + place) % names.length;
            const chain = [0, 2, 1].map((step) => `${names[(first + step) % names.length]} ${window}`);
            const { written } = await node.write(chain.map((counter) => add(counter, 1)));
            expect(written).toBe(true);
            for (const counter of chain) sums.set(counter, (sums.get(counter) ?? 0) + 1);
          }
        }),
      ),
    );
    for (const [counter, sum] of sums) expect(await nodes[0]?.count(counter, AT)).toBe(sum);
    expect(await deadlocks()).toEqual(before);
  });
}
