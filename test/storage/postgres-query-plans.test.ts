/** That the cost of a question depends on its answer, by the plan of PostgreSQL: each is a walk through one index. */
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { sqlStorage } from '../../adapters/storage/sql/index.ts';
import type { JournalQuery, Purgeable, StorageAdapter } from '../../src/ports/index.ts';
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
      if (!/ais_meta|^(?:begin|commit)/.test(query.sql)) asked.push(query);
    },
  });
  const storage = await sqlStorage({ kysely, dialect: 'postgres' });
  afterAll(async () => {
    await storage.close();
    await kysely.destroy();
    await server.end();
  });

  /** The steps of the last statement of a call, where an empty table is no reason to read it whole. */
  const planOf = async (ask: (storage: StorageAdapter) => Promise<unknown>): Promise<readonly Step[]> => {
    await ask(storage);
    const last = asked[asked.length - 1];
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
      'ais_passports_by_account_id_created_at_id',
      (store) => store.list('passports', { where: { account_id: 'a' }, limit: 50, after: AFTER }),
    ],
    [
      'a list by account and domain',
      'ais_passports_by_account_id_domain_created_at_id',
      (store) => store.list('passports', { where: { account_id: 'a', domain: 'd' }, limit: 50 }),
    ],
    [
      'a list of versions',
      'ais_passport_versions_by_agent_id_created_at_id',
      (store) => store.list('passport_versions', { where: { agent_id: 'a' }, limit: 50, after: AFTER }),
    ],
    ['a count of passports', 'ais_passports_census', (store) => store.countPassports('a', FROM, 'b')],
    [
      'a list by status',
      'ais_passports_by_status',
      (store) => store.list('passports', { where: { account_id: 'a', status: 'revoked' }, limit: 50 }),
    ],
    [
      'a list of what has expired',
      'ais_passports_by_expiry',
      (store) => store.listExpired('passports', { where: { account_id: 'a' }, by: TO, limit: 50 }),
    ],
    [
      'a list of keys that have expired',
      'ais_api_keys_by_expiry',
      (store) =>
        store.listExpired('keys', { where: { account_id: 'a', status: 'active' }, by: TO, limit: 50 }),
    ],
  ];

  const reads: readonly (readonly [string, Partial<JournalQuery>])[] = [
    ['ais_verdicts_by_account', {}],
    ['ais_verdicts_by_account', { from: FROM, to: TO, after: AFTER }],
    ['ais_verdicts_by_agent', { agent_id: 'a' }],
    ['ais_verdicts_by_agent', { agent_id: 'a', from: FROM, to: TO }],
    ['ais_verdicts_denied', { verdict: 'DENY' }],
  ];

  test.each(walks)('%s is a walk through %s', async (_what, index, ask) => {
    const steps = await planOf(ask);
    const scans = steps.filter((step) => step['Node Type'].includes('Scan'));
    expect(scans.map((step) => step['Index Name'])).toEqual([index]);
    expect(scans[0]?.['Index Cond']).toBeDefined();
  });

  test.each(reads)('a page of verdicts is a walk through %s, already in order: %j', async (index, query) => {
    const steps = await planOf((store) => store.read({ account_id: 'acc_a', limit: 50, ...query }));
    expect(steps.map((step) => step['Index Name'] ?? step['Node Type'])).toEqual(['Limit', index]);
  });

  test.each<Partial<JournalQuery>>([
    { reason: 'action_denied', after: AFTER },
    { environment: 'test', from: FROM },
  ])('a filter walks its index from where a statement has to stop: %j', async (query) => {
    const steps = await planOf((store) => store.read({ account_id: 'acc_a', limit: 50, ...query }));
    const walked = steps.filter((step) => step['Index Name']?.startsWith('ais_verdicts'));
    expect(walked).toHaveLength(2);
    for (const { 'Index Cond': condition } of walked) expect(condition).toContain('created_at >=');
    expect(steps.filter((step) => step['Node Type'] === 'Seq Scan')).toEqual([]);
  });

  test('a sum of rollups looks into the primary key of the rollups once for each start and kind', async () => {
    // Where there are next to no rollups another plan is as good.
    await sql`
      insert into ais_rollups
      select 'hour', 'start ' || n / 100, 'acc_a', 'live', 'agent ' || n % 100, 'verdict', 'ALLOW', 1
      from generate_series(1, 20000) n`.execute(kysely);
    await sql`analyze ais_rollups`.execute(kysely);
    const of = { account_id: 'acc_a', environment: 'live', agent_id: '', resolution: 'hour' } as const;
    const kinds = ['verdict', 'action'] as const;
    const steps = await planOf((store) =>
      store.sumRollups({ ...of, kinds, from: FROM, to: TO, byStart: false }),
    );
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

  test.each<Purgeable>(['sessions', 'counters', 'idempotency', 'verdicts', 'rollups'])(
    'a purge of %s looks at nothing but what it removes',
    async (what) => {
      const steps = await planOf((store) => store.purge(what, TO));
      expect(steps.filter((step) => step['Node Type'] === 'Seq Scan')).toEqual([]);
    },
  );
}
