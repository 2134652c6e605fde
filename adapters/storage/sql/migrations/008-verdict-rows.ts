import { type Kysely, sql } from 'kysely';
import { packRecords, type TimedRecord, toAmount, type VerdictRecord } from '../../../../src/blocks/index.ts';
import type { Block } from '../../../../src/ports/index.ts';
import type { SqlDialect } from '../dialect.ts';
import { compileInsertBlocks } from '../journal/insert-blocks.ts';
import { type SqlRow, type SqlTables, toRecord } from '../rows.ts';
import type { Table } from '../tables.ts';

/** Version 8: the table of verdicts is dropped; before, `moveVerdicts` has turned its rows into blocks. */
export async function dropVerdictRows(kysely: Kysely<SqlTables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(kysely);
}

const MOVED = 'verdicts_moved';

const statements = ['drop table ais_verdicts', `delete from ais_meta where name = '${MOVED}'`];

/** How far the rows have become blocks: the last row, the last block, the number of rows. */
type Moved = readonly [account_id: string, created_at: string, id: string, seq: number, rows: number];

/** The rows of this table are read in the order of its index by account. */
const ROWS_AT_ONCE = 8_192;

/** The writer of these blocks. It is not registered, so its blocks are already counted in the rollups. */
const WRITER = '0'.repeat(18);

/** The latency of a verdict that is already counted is never read. */
const NO_LATENCY = 0;

const verdicts: Table = {
  name: 'ais_verdicts',
  columns: {
    id: 'text',
    account_id: 'text',
    created_at: 'text',
    verdict: 'text',
    reasons: 'json',
    agent_id: 'text',
    action: 'text',
    target: 'text|null',
    amount: 'text|null',
    currency: 'text|null',
    passport_version: 'integer|null',
    environment: 'text',
    key_id: 'text|null',
    dry_run: 'boolean',
    request_id: 'text|null',
  },
};

/** The fields that records did not have then. */
const LATER_FIELDS = { proof_kid: null, trace_id: null, budgets: [], ancestor_versions: null } as const;

/** A row of the former table. */
type Entry = Omit<VerdictRecord, keyof typeof LATER_FIELDS | 'amount' | 'decision_id' | 'evaluated_at'> & {
  readonly amount: string | null;
  readonly id: string;
  readonly account_id: string;
  readonly created_at: string;
};

/**
 * Turns the next rows into blocks, in a transaction. Gives how many rows have become blocks so far, and whether these
 * are all. The rows stay in their table until then.
 */
export async function moveVerdicts(
  connection: Kysely<SqlTables>,
  dialect: SqlDialect,
): Promise<{ readonly rows: number; readonly isDone: boolean }> {
  const known = await sql<SqlRow>`select value from ais_meta where name = ${MOVED}`.execute(connection);
  const [account_id, created_at, id, seq, rows]: Moved = JSON.parse(
    String(known.rows[0]?.['value'] ?? '["", "", "", 0, 0]'),
  );
  const columns = sql.raw(Object.keys(verdicts.columns).join(', '));
  const next = await sql<SqlRow>`
    select ${columns} from ais_verdicts where (account_id, created_at, id) > (${account_id}, ${created_at}, ${id})
    order by account_id, created_at, id limit ${BigInt(ROWS_AT_ONCE)}`.execute(connection);
  const entries = next.rows.map((row) => toRecord<never>(verdicts, row) as Entry);
  const last = entries.at(-1);
  if (last === undefined) return { rows, isDone: true };
  const blocks = toBlocks(entries, seq);
  const insert = compileInsertBlocks(connection, dialect);
  await insert.run(connection, insert.pack(blocks));
  const moved: Moved = [
    last.account_id,
    last.created_at,
    last.id,
    seq + blocks.length,
    rows + entries.length,
  ];
  await sql`
    insert into ais_meta (name, value) values (${MOVED}, ${JSON.stringify(moved)})
    on conflict (name) do update set value = excluded.value`.execute(connection);
  return { rows: rows + entries.length, isDone: false };
}

function toBlocks(entries: readonly Entry[], seq: number): readonly Block[] {
  const groups = new Map<string, { readonly account_id: string; readonly records: TimedRecord[] }>();
  for (const { id, account_id, created_at, amount, ...fields } of entries) {
    // A block holds the ids of one process.
    const name = JSON.stringify([account_id, id.slice(0, -COUNT_DIGITS)]);
    const group = groups.get(name) ?? { account_id, records: [] };
    groups.set(name, group);
    const exact = amount === null ? null : toAmount(amount);
    const known = { amount: exact, decision_id: id, evaluated_at: created_at };
    const record = { ...fields, ...known, ...LATER_FIELDS };
    group.records.push({ record, bucket: NO_LATENCY });
  }
  const sealed = [...groups.values()].flatMap(({ account_id, records }) =>
    packRecords(records).map((block) => ({ ...block, account_id })),
  );
  return sealed.map((block, index) => ({ ...block, writer: WRITER, seq: seq + index + 1 }));
}

/** The digits behind the part of an id that all ids of a process share. */
const COUNT_DIGITS = 8;
