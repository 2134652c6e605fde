/** That the cost of a question depends on its answer, by the plan of PostgreSQL: each is a walk through one index. */
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { sqlStorage } from '../../adapters/storage/sql/index.ts';
import type { BlocksQuery, Purgeable, StorageAdapter } from '../../src/ports/index.ts';
import { block, flush } from '../../src/testing/storage-contract/journal/fixtures.ts';
import { sumsOf } from '../../src/testing/storage-contract/journal/sums-fixtures.ts';
import { administer, hasPostgres } from './postgres-database.ts';

const FROM = '2026-11-20T12:00:00.000Z';
const TO = '2026-11-21T12:00:00.000Z';
const AFTER = { created_at: TO, id: 'a' };

/** A step of a plan, with those below it. */
interface Step {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Step[];
}

function stepsOf(step: Step): readonly Step[] {
  return [step, ...(step.Plans ?? []).flatMap(stepsOf)];
}

if (await hasPostgres()) {
  const server = administer();
  const pool = new pg.Pool({ connectionString: await server.newSchema() });
  const asked: CompiledQuery[] = [];
  const kysely = new Kysely<Record<string, never>>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      if (!/ais_meta|^(?:begin|commit|rollback)/.test(query.sql)) asked.push(query);
    },
  });
  const storage = await sqlStorage({ kysely, dialect: 'postgres' });
  afterAll(async () => {
    await storage.close();
    await kysely.destroy();
    await server.end();
  });

  /** The steps of the last statement of a call about a table, where an empty one is no reason to read it whole. */
  const planOf = async (
    ask: (storage: StorageAdapter) => Promise<unknown>,
    about = /./,
  ): Promise<readonly Step[]> => {
    asked.length = 0;
    await ask(storage);
    const last = asked.findLast((query) => about.test(query.sql));
    if (last === undefined) throw new Error('Nothing was asked.');
    return kysely.connection().execute(async (connection) => {
      await sql`set enable_seqscan = off`.execute(connection);
      await sql`set enable_bitmapscan = off`.execute(connection);
      await sql`set enable_sort = off`.execute(connection);
      const explain = {
        ...last,
        sql: `explain (format json) ${last.sql}`,
        query: sql``.compile(kysely).query,
      };
      const { rows } = await connection.executeQuery<{ 'QUERY PLAN': [{ Plan: Step }] }>(explain);
      await sql`reset all`.execute(connection);
      return rows.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan }) => stepsOf(Plan));
    });
  };

  const walks: readonly (readonly [string, string, (storage: StorageAdapter) => Promise<unknown>])[] = [
    ['a get', 'ais_passports_pkey', (store) => store.get('passports', 'a')],
    [
      'a list by account',
      'ais_passports_by_account_id',
      (store) => store.list('passports', { where: { account_id: 'a' }, limit: 50, after: AFTER }),
    ],
    [
      'a list by account and domain',
      'ais_passports_by_account_id_domain',
      (store) => store.list('passports', { where: { account_id: 'a', domain: 'd' }, limit: 50 }),
    ],
    [
      'a list by parent',
      'ais_passports_by_account_id_parent_agent_id',
      (store) => store.list('passports', { where: { account_id: 'a', parent_agent_id: 'd' }, limit: 50 }),
    ],
    [
      'a list of versions',
      'ais_passport_versions_by_agent_id',
      (store) => store.list('passport_versions', { where: { agent_id: 'a' }, limit: 50, after: AFTER }),
    ],
    ['a count of passports', 'ais_passports_count', async (store) => store.countPassports?.('a', FROM, 'b')],
    [
      'a list by status',
      'ais_passports_by_account_id_status',
      (store) => store.list('passports', { where: { account_id: 'a', status: 'revoked' }, limit: 50 }),
    ],
    [
      'a list of what has expired',
      'ais_passports_by_account_id_expires_at',
      (store) =>
        store.list('passports', { where: { account_id: 'a' }, order: 'expires_at', until: TO, limit: 50 }),
    ],
    [
      'a list of keys that have expired',
      'ais_keys_by_account_id_status_expires_at',
      (store) =>
        store.list('keys', {
          where: { account_id: 'a', status: 'active' },
          order: 'expires_at',
          until: TO,
          limit: 50,
        }),
    ],
  ];

  const place = { to_ms: 5, writer: 'w', seq: 1 };
  const pages: readonly Partial<BlocksQuery>[] = [{}, { from_ms: 1 }, { from_ms: 1, after: place }];
  const BY_ACCOUNT = 'ais_journal_blocks_by_account';
  const BY_NAME = 'ais_journal_blocks_pkey';

  test.each(walks)('%s is a walk through %s', async (_what, index, ask) => {
    const steps = await planOf(ask);
    const scans = steps.filter((step) => step['Node Type'].includes('Scan'));
    expect(scans.map((step) => step['Index Name'])).toEqual([index]);
    expect(scans[0]?.['Index Cond']).toBeDefined();
  });

  test.each(pages)(
    'a page of blocks is a walk through those of an account, already in order: %j',
    async (query) => {
      const steps = await planOf(({ journal }) =>
        journal.blocks({ account_id: 'acc_a', limit: 16, ...query }),
      );
      expect(steps.map((step) => step['Index Name'] ?? step['Node Type'])).toEqual(['Limit', BY_ACCOUNT]);
    },
  );

  test.each<Partial<BlocksQuery>>([
    { verdict: 'DENY', names: [[1, 2]], from_ms: 1, after: place },
    { flags: 2, upto_ms: 9 },
  ])('a filter walks the blocks of an account to where a statement has to stop: %j', async (query) => {
    const steps = await planOf(({ journal }) => journal.blocks({ account_id: 'acc_a', limit: 16, ...query }));
    const walked = steps.filter((step) => step['Index Name'] !== undefined);
    expect(walked.map((step) => step['Index Name'])).toEqual([BY_ACCOUNT, BY_ACCOUNT]);
    const conditions = walked.map((step) => step['Index Cond']);
    for (const condition of conditions) expect(condition).toContain('account_id =');
    // One of them from where the other has ended.
    expect(conditions.filter((condition) => condition?.includes('to_ms >= COALESCE'))).toHaveLength(1);
    expect(steps.filter((step) => step['Node Type'] === 'Seq Scan')).toEqual([]);
  });

  test('blocks are loaded, listed and removed by their names', async () => {
    const indexes = async (
      ask: (store: StorageAdapter) => Promise<unknown>,
      about = /ais_journal_blocks/,
    ): Promise<readonly unknown[]> => (await planOf(ask, about)).flatMap((step) => step['Index Name'] ?? []);
    const name = block(1);
    // Where there are next to no blocks another plan is as good.
    await sql`
      insert into ais_journal_blocks
      select 'writer ' || n % 7, n, 'acc_' || n % 50, n, n, 1, 0, 1, 0, '\\x00', '' from generate_series(1, 5000) n`.execute(
      kysely,
    );
    await sql`analyze ais_journal_blocks`.execute(kysely);
    expect(await indexes(({ journal }) => journal.load([name]))).toEqual([BY_NAME]);
    const filed = { writer: 'w', from: 1, to: 9, limit: 16, after: { seq: 2, account_id: 'a' } };
    const steps = await planOf(({ journal }) => journal.filed(filed));
    expect(steps.map((step) => step['Index Name'] ?? step['Node Type'])).toEqual(['Limit', BY_NAME]);
    await storage.journal.open(name.writer, FROM);
    await storage.journal.file(flush(1, []));
    expect(await indexes((store) => sumsOf(store))).toEqual([BY_NAME]);
    const remove = async ({ journal }: StorageAdapter): Promise<void> => {
      await journal.file(flush(2, [{ ...name, seq: 2 }]));
      await journal.merge({ writer: name.writer, from: 0, to: 2, at: FROM, rollups: [] });
      const filed = { ...name, seq: 2 };
      expect(await journal.compact([filed], filed)).toBe(true);
    };
    expect(await indexes(remove, /^\s*delete/)).toEqual([BY_NAME]);
    expect(await indexes((store) => store.purge('verdicts', FROM), /^\s*select/)).toContain(
      'ais_journal_blocks_by_age',
    );
  });

  test('sums look into the primary key of the rollups once for each start and kind', async () => {
    // Where there are next to no rollups another plan is as good.
    await sql`
      insert into ais_rollups
      select 'hour', 'start ' || n / 100, 'acc_a', 'live', 'agent ' || n % 100, 'verdict', 'ALLOW', 1
      from generate_series(1, 20000) n`.execute(kysely);
    await sql`analyze ais_rollups`.execute(kysely);
    const kinds = ['verdict', 'action'] as const;
    const part = { resolution: 'hour', kinds, from: FROM, to: TO, byStart: false } as const;
    const steps = await planOf((store) => sumsOf(store, { parts: [part] }), /ais_rollups/);
    const scans = steps.filter((step) => step['Index Name'] !== undefined);
    expect(scans.map((step) => step['Index Name'])).toEqual(['ais_rollups_pkey']);
    for (const column of [
      'resolution =',
      'start = ANY',
      'account_id =',
      'environment =',
      'agent_id =',
      'kind = ANY',
    ]) {
      expect(scans[0]?.['Index Cond']).toContain(column);
    }
  });

  test.each<Exclude<Purgeable, 'verdicts'>>(['sessions', 'counters', 'idempotency', 'events', 'rollups'])(
    'a purge of %s looks at nothing but what it removes',
    async (what) => {
      const steps = await planOf((store) => store.purge(what, TO));
      expect(steps.filter((step) => step['Node Type'] === 'Seq Scan')).toEqual([]);
    },
  );
}
