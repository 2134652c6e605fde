import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { IdentityError } from '../../../src/ports/index.ts';
import type { SqlDialect } from './dialect.ts';
import type { SqlRow, SqlTables } from './rows.ts';
import { metaTable } from './tables.ts';
import type { Begin } from './transaction.ts';

/** One connection to a database, as Kysely or a driver hands it out. */
export interface SqlConnection {
  executeQuery(query: CompiledQuery): Promise<{ readonly rows: readonly unknown[] }>;
}

/** Tells the database that was opened from one that has lost content, or has taken its place. */
export interface Marker {
  /** Rejects unless the connection leads to the database that was opened. */
  verify(connection: SqlConnection): Promise<unknown>;
  /** Throws unless the marker found together with an answer is that of the database that was opened. */
  assertOpened(found: unknown): void;
  /** Begins a transaction there; rejects as `verify` does, and then the transaction has yet to be rolled back. */
  readonly begin: Begin;
  /** The same for reading alone: all that is read is of the moment in which the marker was. */
  readonly beginReading: Begin;
  /** SQL for the server behind an answer, where a connection can be handed on to another one. */
  readonly server?: string | undefined;
  /** Throws unless that SQL has found the server that calls go to. */
  assertServer?(found: unknown): void;
}

/** What is known of the driver. */
export interface MarkerOptions {
  /** Whether it takes several statements in one text and answers the last, which saves a round trip. */
  readonly takesSeveral?: boolean;
}

/** Reads the row of the marker with further columns, and compares it with the one that was there at first. */
export interface MarkerRow {
  /** The row, by its own statement. */
  ask(columns?: string): (connection: SqlConnection) => Promise<SqlRow>;
  /** The row as the first thing in a transaction that `text` begins. */
  begin(text: string, columns?: string): (connection: SqlConnection) => Promise<SqlRow>;
  assertOpened(found: unknown): void;
}

/** The name of the marker in the table that holds it. */
export const MARKER_NAME = 'marker';

/** The marker of a database that is migrated, as it is now. Throws as `readMarkerRow` does. */
export async function readMarker(kysely: Kysely<SqlTables>, dialect: SqlDialect): Promise<Marker> {
  const { ask, begin, assertOpened } = await readMarkerRow(kysely);
  const beginWriting = begin(dialect.begin);
  const beginReading = begin(dialect.beginReading);
  return {
    verify: ask(),
    assertOpened,
    begin: async (connection) => void (await beginWriting(connection)),
    beginReading: async (connection) => void (await beginReading(connection)),
  };
}

/**
 * Ways to the marker of a database that is migrated, as it is now. Throws `invalid_configuration` when there is
 * no marker: what removed it has removed more.
 */
export async function readMarkerRow(
  kysely: Kysely<SqlTables>,
  { takesSeveral = false }: MarkerOptions = {},
): Promise<MarkerRow> {
  const textOf = (columns: string): string =>
    `select ${columns} from ${metaTable} where name = '${MARKER_NAME}'`;
  const compile = (text: string): CompiledQuery => sql.raw(text).compile(kysely);
  const [found] = (await kysely.executeQuery<SqlRow>(compile(textOf('value')))).rows;
  const opened = found?.['value'];
  if (typeof opened !== 'string') {
    throw new IdentityError(
      'invalid_configuration',
      'The database has lost its content: its marker is gone.',
    );
  }

  function assertOpened(value: unknown): void {
    if (value !== opened) throw new Error('The database is not the one that was opened: its marker differs.');
  }

  async function read(connection: SqlConnection, query: CompiledQuery): Promise<SqlRow> {
    const [row] = (await connection.executeQuery(query)).rows as readonly SqlRow[];
    assertOpened(row?.['value']);
    return row as SqlRow;
  }

  return {
    assertOpened,
    ask(columns = '') {
      const question = compile(textOf(`value${columns}`));
      return (connection) => read(connection, question);
    },
    begin(text, columns = '') {
      const start = compile(text);
      const question = compile(textOf(`value${columns}`));
      const both = compile(`${text}; ${textOf(`value${columns}`)}`);
      return async (connection) => {
        if (takesSeveral) return read(connection, both);
        await connection.executeQuery(start);
        return read(connection, question);
      };
    },
  };
}
