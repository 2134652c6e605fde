import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';

/** Version 7: the journal as blocks of records. */
export async function journalBlocks(kysely: Kysely<SqlTables>, dialect: SqlDialect): Promise<void> {
  for (const statement of statements(dialect)) await sql.raw(statement).execute(kysely);
}

function statements(dialect: SqlDialect): readonly string[] {
  const { text, integer, bytes, tableOptions, keyOrderedTableOptions } = dialect;
  return [
    // The filter stands before the data: SQLite reaches it without the pages of the rest.
    `create table ais_journal_blocks (
      writer ${text} not null,
      seq ${integer} not null,
      account_id ${text} not null,
      from_ms ${integer} not null,
      to_ms ${integer} not null,
      records ${integer} not null,
      denied ${integer} not null,
      flags ${integer} not null,
      filter ${bytes} not null,
      data ${bytes} not null,
      primary key (writer, seq, account_id)
    ) ${tableOptions}`,
    ...dialect.keepBytes('ais_journal_blocks', 'filter', 'small'),
    ...dialect.keepBytes('ais_journal_blocks', 'data', 'large'),
    // The order of a list. With from_ms it passes over the hour of blocks behind which a page may begin.
    'create index ais_journal_blocks_by_account on ais_journal_blocks (account_id, to_ms, writer, seq, from_ms)',
    'create index ais_journal_blocks_by_age on ais_journal_blocks (to_ms)',
    `create table ais_journal_writers (
      id ${text} not null primary key,
      flushed ${integer} not null,
      merged ${integer} not null,
      seen_at ${text} not null
    ) ${keyOrderedTableOptions}`,
    `create table ais_journal_deltas (
      id ${text} not null primary key,
      from_key ${text} not null,
      to_key ${text} not null,
      deltas ${text} not null
    ) ${tableOptions}`,
  ];
}
