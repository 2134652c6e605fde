import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { IdentityError } from '../../../src/index.ts';
import type { SqlDialect } from './dialect.ts';
import type { SqlRow, SqlTables } from './rows.ts';
import { metaTable } from './tables.ts';

/** One connection to a database, as Kysely or a driver hands it out. */
export interface Asked {
  executeQuery(query: CompiledQuery): Promise<{ readonly rows: readonly unknown[] }>;
}

/** Tells the database that was opened from one that has lost its content, or has taken its place. */
export interface Marker {
  /** Rejects unless the connection leads to the database that was opened. */
  verify(connection: Asked): Promise<void>;
  /** Throws unless the marker found together with an answer is that of the database that was opened. */
  assertOpened(found: unknown): void;
  /** Begins a transaction there; rejects as `verify` does, and then the transaction has yet to be rolled back. */
  begin(connection: Asked): Promise<void>;
  /** The same for reading alone: all that is read is of the moment in which the marker was. */
  beginReading(connection: Asked): Promise<void>;
}

/** What is known of the driver. */
export interface MarkerOptions {
  /** Whether it takes several statements in one text and answers the last, which saves a round trip. */
  readonly takesSeveral?: boolean;
}

/** The name of the marker in the table that holds it. */
export const MARKER_NAME = 'marker';

/**
 * The marker of a database that is migrated, as it is now. Throws `invalid_configuration` when there is none:
 * whoever removed it has removed more.
 */
export async function readMarker(
  kysely: Kysely<SqlTables>,
  dialect: SqlDialect,
  { takesSeveral = false }: MarkerOptions = {},
): Promise<Marker> {
  const question = kysely.selectFrom(metaTable).select('value').where('name', '=', MARKER_NAME).compile();
  const read = async (connection: Asked, query: CompiledQuery): Promise<unknown> => {
    const [row] = (await connection.executeQuery(query)).rows as readonly SqlRow[];
    return row?.['value'];
  };

  const opened = await read(kysely, question);
  if (typeof opened !== 'string') {
    throw new IdentityError(
      'invalid_configuration',
      'The database has lost its content: its marker is gone.',
    );
  }

  function assertOpened(found: unknown): void {
    if (found !== opened) throw new Error('The database is not the one that was opened: its marker differs.');
  }

  function beginBy(text: string): Marker['begin'] {
    const begin = sql.raw(text).compile(kysely);
    const both = `${text}; select value from ${metaTable} where name = '${MARKER_NAME}'`;
    const beginAndRead = sql.raw(both).compile(kysely);
    return async (connection) => {
      if (takesSeveral) return assertOpened(await read(connection, beginAndRead));
      await connection.executeQuery(begin);
      assertOpened(await read(connection, question));
    };
  }

  return {
    async verify(connection) {
      assertOpened(await read(connection, question));
    },
    assertOpened,
    begin: beginBy(dialect.begin),
    beginReading: beginBy(dialect.beginReading),
  };
}
