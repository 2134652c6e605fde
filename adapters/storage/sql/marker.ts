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

/** Distinguishes the database that was opened from one that has lost content or has taken its place. */
export interface Marker {
  /** Rejects unless the connection leads to the database that was opened. */
  verify(connection: SqlConnection): Promise<unknown>;
  /** Throws unless the marker that was read with an answer is that of the opened database. */
  assertOpened(found: unknown): void;
  /** Begins a transaction there; rejects as `verify` does, and then the transaction has yet to be rolled back. */
  readonly begin: Begin;
  /** The same for reading alone, over one snapshot that includes the marker. */
  readonly beginReading: Begin;
  /** SQL for the server behind an answer, where a connection can be moved to another server. */
  readonly server?: string | undefined;
  /** Throws unless the result of that SQL is the current server. */
  assertServer?(found: unknown): void;
  /** Calls a function that writes; absent where a transaction needs a statement that begins it. */
  readonly callAtOnce?: CallAtOnce;
}

/**
 * Calls the SQL function of that name, which writes, with a JSON text, in one round trip and a transaction of its own.
 * Gives `undefined`, and writes nothing, where transactions of the session are not `read committed`. Rejects as
 * `begin` does; `accept` acknowledges the write, and may still fail it.
 */
export type CallAtOnce = (
  connection: SqlConnection,
  name: string,
  json: string,
) => Promise<{ readonly answer: string; readonly accept: () => void } | undefined>;

/** Capabilities of the driver. */
export interface MarkerOptions {
  /** Whether it takes several statements in one text and answers the last, which saves a round trip. */
  readonly takesSeveral?: boolean;
}

/** Reads the row of the marker with further columns, and compares it with the first one. */
export interface MarkerRow {
  /** The row, by its own statement. */
  ask(columns?: string): (connection: SqlConnection) => Promise<SqlRow>;
  /** The row as the first thing in a transaction that `text` begins. */
  begin(text: string, columns?: string): (connection: SqlConnection) => Promise<SqlRow>;
  /**
   * The row, with the result of the function of that name for the parameter $2 as `answer`. The function is called
   * only where the marker is right and the `condition` holds, which may use $3.
   */
  call(
    name: string,
    condition: string,
    columns: string,
  ): (connection: SqlConnection, values: readonly [json: string, given: string]) => Promise<SqlRow>;
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
 * no marker: more than the marker was removed.
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
    call(name, condition, columns) {
      const answer = `case when value = $1 and ${condition} then ${name}($2::jsonb)::text end as answer`;
      const query = compile(textOf(`value${columns}, ${answer}`));
      return (connection, values) => read(connection, { ...query, parameters: [opened, ...values] });
    },
  };
}
