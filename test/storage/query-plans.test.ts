/** That the cost of a question depends on its answer is told by the plan of the database, not by a clock. */
import { type CompiledQuery, Kysely, SqliteDialect, sql } from 'kysely';
import Libsql from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { sqlStorage } from '../../adapters/storage/sql/index.ts';
import type { JournalQuery, Purgeable, StorageAdapter, TallyQuery } from '../../src/index.ts';

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

const tally: TallyQuery = {
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
  'a tally walks the primary key of the rollups alone, byStart %s',
  async (byStart) => {
    const plan = await planOf((storage) => storage.tally({ ...tally, byStart }));
    const steps = plan.filter((step) => !step.startsWith('USE TEMP B-TREE FOR GROUP BY'));
    expect(steps).toEqual([
      'SEARCH ais_rollups USING PRIMARY KEY (resolution=? AND start=? AND account_id=? AND environment=? AND agent_id=? AND kind=?)',
      'LIST SUBQUERY 1',
      'SCAN json_each VIRTUAL TABLE INDEX 1:',
    ]);
  },
);

const reads: readonly (readonly [string, Partial<JournalQuery>])[] = [
  ['ais_verdicts_by_account (account_id=?)', {}],
  ['ais_verdicts_by_account (account_id=?)', { environment: 'test' }],
  ['ais_verdicts_by_account (account_id=? AND created_at>? AND created_at<?)', { from: FROM, to: TO }],
  [
    'ais_verdicts_by_account (account_id=? AND (created_at,id)<(?,?))',
    { after: { created_at: TO, id: 'a' } },
  ],
  ['ais_verdicts_by_agent (account_id=? AND agent_id=?)', { agent_id: 'a' }],
  [
    'ais_verdicts_by_agent (account_id=? AND agent_id=? AND created_at>? AND created_at<?)',
    { agent_id: 'a', verdict: 'DENY', from: FROM, to: TO },
  ],
  ['ais_verdicts_denied (account_id=?)', { verdict: 'DENY' }],
  ['ais_verdicts_denied (account_id=?)', { reason: 'action_denied' }],
];

test.each(reads)('a page of verdicts is one walk through %s', async (walk, query) => {
  const plan = await planOf((storage) => storage.read({ account_id: 'acc_a', limit: 50, ...query }));
  expect(plan).toEqual([`SEARCH ais_verdicts USING INDEX ${walk}`]);
});

test.each<Purgeable>(['sessions', 'counters', 'idempotency', 'verdicts', 'rollups'])(
  'a purge of %s looks at nothing but what it removes',
  async (what) => {
    const plan = await planOf((storage) => storage.purge(what, TO));
    // What was found to be old, and no table.
    expect(plan.filter((step) => step.startsWith('SCAN'))).toEqual(['SCAN old']);
  },
);
