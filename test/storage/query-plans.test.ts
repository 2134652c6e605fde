/** The plan of the database, not a clock, shows that the cost of a question depends on its answer. */
import { type CompiledQuery, Kysely, SqliteDialect, sql } from 'kysely';
import Libsql from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { sqlStorage } from '../../adapters/storage/sql/index.ts';
import type { BlocksQuery, ListQuery, Purgeable, StorageAdapter } from '../../src/ports/index.ts';
import { block, flush } from '../../src/testing/storage-contract/journal/fixtures.ts';
import { sumsOf } from '../../src/testing/storage-contract/journal/sums-fixtures.ts';

const FROM = '2026-11-20T12:00:00.000Z';
const TO = '2026-11-21T12:00:00.000Z';

/** What SQLite does for the last statement of a call about a table, step by step, but for the look at the identity. */
async function planOf(
  ask: (storage: StorageAdapter) => Promise<unknown>,
  about = /./,
): Promise<readonly string[]> {
  const asked: CompiledQuery[] = [];
  const kysely = new Kysely<Record<string, never>>({
    dialect: new SqliteDialect({ database: new Libsql(':memory:') }),
    log: ({ query }) => {
      if (!/ais_meta|^(?:begin|commit|rollback)/.test(query.sql) && about.test(query.sql)) asked.push(query);
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

test.each([true, false])('sums walk the primary key of the rollups alone, byStart %s', async (byStart) => {
  const part = { resolution: 'hour', kinds: ['verdict', 'action'], from: FROM, to: TO, byStart } as const;
  const plan = await planOf((storage) => sumsOf(storage, { parts: [part] }), /ais_rollups/);
  const steps = plan.filter((step) => !step.startsWith('USE TEMP B-TREE FOR GROUP BY'));
  expect(steps).toEqual([
    'SEARCH ais_rollups USING PRIMARY KEY (resolution=? AND start=? AND account_id=? AND environment=? AND agent_id=? AND kind=?)',
    'LIST SUBQUERY 1',
    'SCAN json_each VIRTUAL TABLE INDEX 1:',
  ]);
});

test('the blocks that are not merged are found in the primary key alone', async () => {
  const plan = await planOf(async (storage) => {
    await storage.journal.open(block(1).writer, FROM);
    await storage.journal.file(flush(1, []));
    await sumsOf(storage);
  }, /ais_journal_blocks/);
  expect(plan).toEqual([
    'SEARCH ais_journal_blocks USING COVERING INDEX sqlite_autoindex_ais_journal_blocks_1 (writer=? AND seq>? AND seq<?)',
  ]);
});

test('the writers with something to merge are found by an index that has no others', async () => {
  const index = 'USING INDEX ais_journal_writers_unmerged';
  expect(await planOf(({ journal }) => journal.unmerged({ limit: 16 }))).toEqual([
    `SEARCH ais_journal_writers ${index} (id>?)`,
  ]);
  const sums = await planOf((storage) => sumsOf(storage), /ais_journal_writers/);
  expect(sums).toEqual([`SCAN ais_journal_writers ${index}`]);
});

const AFTER = { to_ms: 5, writer: 'w', seq: 1 };

const pages: readonly (readonly [string, Partial<BlocksQuery>])[] = [
  ['(account_id=?)', {}],
  ['(account_id=? AND to_ms>?)', { from_ms: 1 }],
  ['(account_id=? AND to_ms>? AND (to_ms,writer,seq)<(?,?,?))', { from_ms: 1, after: AFTER }],
];

test.each(pages)('a page of blocks is one walk through the blocks of an account: %s', async (walk, query) => {
  const plan = await planOf(({ journal }) => journal.blocks({ account_id: 'acc_a', limit: 16, ...query }));
  expect(plan).toEqual([`SEARCH ais_journal_blocks USING INDEX ais_journal_blocks_by_account ${walk}`]);
});

const filtered: readonly (readonly [string, string, Partial<BlocksQuery>])[] = [
  ['(account_id=?)', '(account_id=? AND to_ms>?)', { flags: 2 }],
  ['(account_id=? AND to_ms<?)', '(account_id=? AND to_ms>? AND to_ms<?)', { upto_ms: 9 }],
  [
    '(account_id=? AND to_ms>? AND (to_ms,writer,seq)<(?,?,?))',
    '(account_id=? AND to_ms>? AND (to_ms,writer,seq)<(?,?,?))',
    { verdict: 'DENY', names: [[1, 2]], from_ms: 1, upto_ms: 9, after: AFTER },
  ],
];

test.each(filtered)(
  'a filter looks at no more blocks than one statement may: %s, %s',
  async (search, walk, query) => {
    const plan = await planOf(({ journal }) => journal.blocks({ account_id: 'acc_a', limit: 16, ...query }));
    // Once for the end of the walk, in the index alone, and once from there.
    expect(plan.filter((step) => step.includes('ais_journal_blocks'))).toEqual([
      `SEARCH ais_journal_blocks USING COVERING INDEX ais_journal_blocks_by_account ${search}`,
      `SEARCH ais_journal_blocks USING INDEX ais_journal_blocks_by_account ${walk}`,
    ]);
  },
);

test('blocks are loaded and listed by their names', async () => {
  const primary = 'USING INDEX sqlite_autoindex_ais_journal_blocks_1';
  expect(await planOf(({ journal }) => journal.load([block(1)]))).toEqual([
    'SCAN element VIRTUAL TABLE INDEX 1:',
    `SEARCH b ${primary} (writer=? AND seq=? AND account_id=?)`,
  ]);
  const query = { writer: 'w', from: 1, to: 9, limit: 16 };
  expect(await planOf(({ journal }) => journal.filed(query))).toEqual([
    `SEARCH ais_journal_blocks ${primary} (writer=? AND seq>? AND seq<?)`,
  ]);
  const after = { seq: 2, account_id: 'a' };
  expect(await planOf(({ journal }) => journal.filed({ ...query, after }))).toEqual([
    `SEARCH ais_journal_blocks ${primary} (writer=? AND (seq,account_id)>(?,?) AND seq<?)`,
  ]);
});

test('a purge of verdicts walks the oldest blocks, and removes them by their names', async () => {
  const oldest = await planOf((storage) => storage.purge('verdicts', TO), /^\s*select/);
  expect(oldest.filter((step) => /\bb\b/.test(step))).toEqual([
    'SEARCH b USING INDEX ais_journal_blocks_by_age (to_ms<?)',
  ]);
  const removal = await planOf(async (storage) => {
    await storage.journal.open(block(1).writer, FROM);
    await storage.journal.file(flush(1, [block(1)]));
    await storage.journal.merge({ writer: block(1).writer, from: 0, to: 1, at: FROM, rollups: [] });
    expect(await storage.purge('verdicts', '2099-01-01T00:00:00.000Z')).toBe(1);
  }, /^\s*delete from "ais_journal_blocks"/);
  expect(removal.filter((step) => step.includes('ais_journal_blocks'))).toEqual([
    'SEARCH ais_journal_blocks USING INDEX sqlite_autoindex_ais_journal_blocks_1 (writer=? AND seq=? AND account_id=?)',
  ]);
});

test.each([
  ['ais_passports_by_account_id_status (account_id=? AND status=?)', { status: 'revoked' }],
  [
    'ais_passports_by_account_id_parent_agent_id (account_id=? AND parent_agent_id=?)',
    { parent_agent_id: 'did:web:a' },
  ],
  ['ais_passports_by_account_id (account_id=?)', {}],
])('a page of passports is one walk through %s', async (walk, where) => {
  const plan = await planOf((storage) =>
    storage.list('passports', { where: { account_id: 'a', ...where }, limit: 50 }),
  );
  expect(plan).toEqual([`SEARCH ais_passports USING INDEX ${walk}`]);
});

test('what has expired is found by its expiry alone', async () => {
  const find = (after?: ListQuery['after']) => (storage: StorageAdapter) =>
    storage.list('passports', {
      order: 'expires_at',
      where: { account_id: 'a' },
      until: TO,
      limit: 50,
      ...(after && { after }),
    });
  const index = 'SEARCH ais_passports USING INDEX ais_passports_by_account_id_expires_at';
  expect(await planOf(find())).toEqual([`${index} (account_id=? AND expires_at>? AND expires_at<?)`]);
  expect(await planOf(find({ expires_at: FROM, id: 'a' }))).toEqual([
    `${index} (account_id=? AND expires_at>? AND (expires_at,id)<(?,?))`,
  ]);
  const where = { account_id: 'a', status: 'active' };
  expect(
    await planOf((storage) => storage.list('keys', { where, order: 'expires_at', until: TO, limit: 50 })),
  ).toEqual([
    'SEARCH ais_keys USING INDEX ais_keys_by_account_id_status_expires_at (account_id=? AND status=? AND expires_at>? AND expires_at<?)',
  ]);
});

test('a piece of a count of passports walks an index that covers it', async () => {
  const plan = await planOf(async (storage) => storage.countPassports?.('a', TO, 'b'));
  expect(plan.filter((step) => step.includes('ais_passports'))).toEqual([
    'SEARCH ais_passports USING COVERING INDEX ais_passports_count (account_id=? AND id>?)',
  ]);
});

test.each<Exclude<Purgeable, 'verdicts'>>(['sessions', 'counters', 'idempotency', 'events', 'rollups'])(
  'a purge of %s looks at nothing but what it removes',
  async (what) => {
    const plan = await planOf((storage) => storage.purge(what, TO));
    // What was found to be old, and no table.
    expect(plan.filter((step) => step.startsWith('SCAN'))).toEqual(['SCAN old']);
  },
);
