import { setImmediate } from 'node:timers/promises';
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { Block } from '../../../../src/ports/index.ts';
import type { SqlDialect } from '../dialect.ts';
import type { SqlTables } from '../rows.ts';
import { bind } from '../statements.ts';
import { blocksTable } from '../tables.ts';
import { type PackedBlocks, packBlocks } from './blocks.ts';

export interface InsertBlocks {
  pack(blocks: readonly Block[]): readonly PackedBlocks[];
  run(connection: Kysely<SqlTables>, packedBlocks: readonly PackedBlocks[]): Promise<void>;
}

export function compileInsertBlocks(kysely: Kysely<SqlTables>, dialect: SqlDialect): InsertBlocks {
  const statement = compile(kysely, dialect);
  return {
    pack: (blocks) => packBlocks(blocks, dialect.bulkRows),
    async run(connection, packedBlocks) {
      for (const [index, { bytes, json }] of packedBlocks.entries()) {
        // A driver may run statements synchronously, so other work gets a turn.
        if (index > 0) await setImmediate();
        await connection.executeQuery(bind(statement, [bytes, json]));
      }
    },
  };
}

function compile(kysely: Kysely<SqlTables>, dialect: SqlDialect): CompiledQuery {
  const { header, bytes } = blocksTable;
  const text = (position: number) => sql`element.value ->> ${sql.lit(position)}`;
  const integer = (position: number, type: string) => sql`cast(${text(position)} as ${sql.raw(type)})`;
  const values = header.map((column, position) =>
    column === 'writer' || column === 'account_id' ? text(position) : integer(position, dialect.integer),
  );
  const cuts = bytes.map((name, column) => {
    const position = header.length + 2 * column;
    const [start, length] = [integer(position, 'integer'), integer(position + 1, 'integer')];
    const cut = sql`substr(packed.bytes, ${start}, ${length})`;
    return name === 'erasable' ? sql`case when ${length} > 0 then ${cut} end` : cut;
  });
  return sql`
    insert into ${sql.table(blocksTable.name)} (${sql.raw([...header, ...bytes].join(', '))})
    select ${sql.join([...values, ...cuts])}
    from (select cast(${''} as ${sql.raw(dialect.bytes)}) as bytes) as packed, ${dialect.jsonElements('[]')}`.compile(
    kysely,
  );
}
