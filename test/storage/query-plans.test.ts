/** That the cost of a question depends on its answer is told by the plan of the database, not by a clock. */
import { type CompiledQuery, Kysely, SqliteDialect, sql } from 'kysely';
import Libsql from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { sqlStorage } from '../../adapters/storage/sql/index.ts';
import type {
  ExpiryPosition,
  JournalQuery,
  Purgeable,
  RollupQuery,
  StorageAdapter,
} from '../../src/ports/index.ts';

const FROM = '2026-11-20T12:00:00.000Z';
const TO = '2026-11-21T12:00:00.000Z';

/** What SQLite does for the last statement of a call, step by step, but for the look at the marker. */
async function planOf(ask: (storage: StorageAdapter) => Promise<unknown>): Promise<readonly string[]> {
  const asked: CompiledQuery[] = [];
  const kysely = new Kysely<Record<string, never>>({
    dialect: new SqliteDialect({ database: new Libsql(':memory:') }),
    log: ({ query }) => {
      if (!/ais_meta|^(?:begin|commit)/.test(query.sql)) asked.push(query);
    },
  });
  onTestFinished(() => kysely.destroy());
  await ask(await sqlStorage({ kysely, dialect: 'sqlite' }));
  const last = asked[asked.length - 1];
  if (last === undefined) throw new Error('Nothing was asked.');
  const explain = { ...last, sql: `explain query plan ${last.sql}`, query: sql``.compile(kysely).query };
  const { rows } = await kysely.executeQuery<{ detail: string }>(explain);
  return rows.map(({ detail }) => detail);
}

const rollupQuery: RollupQuery = {
  account_id: 'acc_a',
  environment: 'live',
  agent_id: '',
  resolution: 'hour',
  kinds: ['verdict', 'action'],
  from: FROM,
  to: TO,
  byStart: false,
};

test.each([true, false])(
  'a sum of rollups walks the primary key of the rollups alone, byStart %s',
  async (byStart) => {
    const plan = await planOf((storage) => storage.sumRollups({ ...rollupQuery, byStart }));
    const steps = plan.filter((step) => !step.startsWith('USE TEMP B-TREE FOR GROUP BY'));
    expect(steps).toEqual([
      'SEARCH ais_rollups USING PRIMARY KEY (resolution=? AND start=? AND account_id=? AND environment=? AND agent_id=? AND kind=?)',
      'LIST SUBQUERY 1',
      'SCAN json_each VIRTUAL TABLE INDEX 1:',
    ]);
  },
);

const AFTER = { created_at: FROM, id: 'a' };

const pages: readonly (readonly [string, Partial<JournalQuery>])[] = [
  ['ais_verdicts_by_account (account_id=? AND created_at>?)', {}],
  ['ais_verdicts_by_account (account_id=? AND created_at>? AND created_at<?)', { from: FROM, to: TO }],
  [
    'ais_verdicts_by_account (account_id=? AND created_at>? AND (created_at,id)<(?,?))',
    { after: AFTER, to: TO },
  ],
  ['ais_verdicts_by_agent (account_id=? AND agent_id=? AND created_at>?)', { agent_id: 'a' }],
  ['ais_verdicts_denied (account_id=? AND created_at>?)', { verdict: 'DENY' }],
];

test.each(pages)('a page of verdicts is one walk through %s', async (walk, query) => {
  const plan = await planOf((storage) => storage.read({ account_id: 'acc_a', limit: 50, ...query }));
  expect(plan).toEqual([`SEARCH ais_verdicts USING INDEX ${walk}`]);
});

const filtered: readonly (readonly [string, Partial<JournalQuery>])[] = [
  ['ais_verdicts_by_account (account_id=? AND created_at>?)', { environment: 'test' }],
  ['ais_verdicts_by_account (account_id=? AND created_at>?)', { verdict: 'ALLOW' }],
  ['ais_verdicts_denied (account_id=? AND created_at>?)', { reason: 'action_denied' }],
  [
    'ais_verdicts_denied (account_id=? AND created_at>? AND (created_at,id)<(?,?))',
    { reason: 'a', verdict: 'DENY', after: AFTER, to: TO },
  ],
  [
    'ais_verdicts_by_agent (account_id=? AND agent_id=? AND created_at>? AND created_at<?)',
    { agent_id: 'a', verdict: 'DENY', from: FROM, to: TO },
  ],
];

test.each(filtered)('a filter looks at no more rows of %s than one statement may', async (walk, query) => {
  const plan = await planOf((storage) => storage.read({ account_id: 'acc_a', limit: 50, ...query }));
  // Once for the end of the walk, in the index alone, and once from there.
  expect(plan.filter((step) => step.includes('ais_verdicts'))).toEqual([
    `SEARCH ais_verdicts USING COVERING INDEX ${walk}`,
    `SEARCH ais_verdicts USING INDEX ${walk}`,
  ]);
});

test.each([
  ['ais_passports_by_status (account_id=? AND status=?)', { status: 'revoked' }],
  ['ais_passports_by_account_id_created_at_id (account_id=?)', {}],
])('a page of passports is one walk through %s', async (walk, where) => {
  const plan = await planOf((storage) =>
    storage.list('passports', { where: { account_id: 'a', ...where }, limit: 50 }),
  );
  expect(plan).toEqual([`SEARCH ais_passports USING INDEX ${walk}`]);
});

test('what has expired is found by its expiry alone', async () => {
  const find = (after?: ExpiryPosition) => (storage: StorageAdapter) =>
    storage.listExpired('passports', {
      where: { account_id: 'a' },
      by: TO,
      limit: 50,
      ...(after && { after }),
    });
  const index = 'SEARCH ais_passports USING INDEX ais_passports_by_expiry';
  expect(await planOf(find())).toEqual([`${index} (account_id=? AND expires_at>? AND expires_at<?)`]);
  expect(await planOf(find({ expires_at: FROM, id: 'a' }))).toEqual([
    `${index} (account_id=? AND expires_at>? AND (expires_at,id)<(?,?))`,
  ]);
  const where = { account_id: 'a', status: 'active' };
  expect(await planOf((storage) => storage.listExpired('keys', { where, by: TO, limit: 50 }))).toEqual([
    'SEARCH ais_api_keys USING INDEX ais_api_keys_by_expiry (account_id=? AND status=? AND expires_at>? AND expires_at<?)',
  ]);
});

test('a piece of a count of passports walks an index that covers it', async () => {
  const plan = await planOf((storage) => storage.countPassports('a', TO, 'b'));
  expect(plan.filter((step) => step.includes('ais_passports'))).toEqual([
    'SEARCH ais_passports USING COVERING INDEX ais_passports_census (account_id=? AND id>?)',
  ]);
});

test.each<Purgeable>(['sessions', 'counters', 'idempotency', 'verdicts', 'rollups'])(
  'a purge of %s looks at nothing but what it removes',
  async (what) => {
    const plan = await planOf((storage) => storage.purge(what, TO));
    // What was found to be old, and no table.
    expect(plan.filter((step) => step.startsWith('SCAN'))).toEqual(['SCAN old']);
  },
);
