import { type CompiledQuery, type Kysely, sql } from 'kysely';
import { IdentityError } from '../../../src/ports/index.ts';
import type { SqlDialect } from './dialect.ts';
import type { SqlRow, SqlTables } from './rows.ts';
import { metaTable } from './tables.ts';
import type { Begin } from './transaction.ts';

export interface SqlConnection {
  executeQuery(query: CompiledQuery): Promise<{ readonly rows: readonly unknown[] }>;
}

/**
 * Recognizes the opened database. Detects a database that has lost content, or that has replaced the opened database.
 */
export interface StoreIdentity {
  verify(connection: SqlConnection): Promise<unknown>;
  /** Throws unless `value` is the identity of the opened database. `value` was read together with an answer. */
  assertOpened(value: unknown): void;
  /** Begins a transaction and verifies the database. If it rejects, the caller must roll the transaction back. */
  readonly begin: Begin;
  /** Begins a read transaction over one snapshot that includes the identity. It also verifies the database. */
  readonly beginReading: Begin;
  /** SQL that identifies the answering server, if a connection can move to another server. */
  readonly server?: string | undefined;
  assertServer?(value: unknown): void;
  /** Calls an SQL function that writes. Absent if a transaction needs its own settings. */
  readonly callAtOnce?: CallAtOnce;
}

/**
 * Calls an SQL function that writes, with a JSON text, in one round trip and its own transaction. Returns `undefined`
 * without writing if transactions of the session are not `read committed`. Rejects as `begin` does. The caller
 * acknowledges the write with `accept`, which may still throw.
 */
export type CallAtOnce = (
  connection: SqlConnection,
  name: string,
  json: string,
) => Promise<{ readonly answer: string; readonly accept: () => void } | undefined>;

export interface IdentityOptions {
  /** True if the driver runs several statements in one text and returns the last result, which saves a round trip. */
  readonly takesSeveral?: boolean;
}

export interface IdentityRow {
  ask(columns?: string): (connection: SqlConnection) => Promise<SqlRow>;
  begin(text: string, columns?: string): (connection: SqlConnection) => Promise<SqlRow>;
  call(
    name: string,
    condition: string,
    columns: string,
  ): (connection: SqlConnection, values: readonly [json: string, given: string]) => Promise<SqlRow>;
  assertOpened(value: unknown): void;
}

export const IDENTITY_NAME = 'marker';

export async function readIdentity(kysely: Kysely<SqlTables>, dialect: SqlDialect): Promise<StoreIdentity> {
  const { ask, begin, assertOpened } = await readIdentityRow(kysely);
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
 * Reads the identity of a migrated database, and creates the functions that compare later reads with it.
 *
 * @throws {IdentityError} `invalid_configuration` if there is no identity, because other content must then be missing
 * as well.
 */
export async function readIdentityRow(
  kysely: Kysely<SqlTables>,
  { takesSeveral = false }: IdentityOptions = {},
): Promise<IdentityRow> {
  const textOf = (columns: string): string =>
    `select ${columns} from ${metaTable} where name = '${IDENTITY_NAME}'`;
  const compile = (text: string): CompiledQuery => sql.raw(text).compile(kysely);
  const [foundRow] = (await kysely.executeQuery<SqlRow>(compile(textOf('value')))).rows;
  const openedValue = foundRow?.['value'];
  if (typeof openedValue !== 'string') {
    throw new IdentityError(
      'invalid_configuration',
      'The database has lost its content: it has no identity. Restore it from a backup.',
    );
  }

  function assertOpened(value: unknown): void {
    if (value !== openedValue)
      throw new Error(
        'The database is not the one that was opened: its identity differs. Restart the process.',
      );
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
      const bothQuery = compile(`${text}; ${textOf(`value${columns}`)}`);
      return async (connection) => {
        if (takesSeveral) return read(connection, bothQuery);
        await connection.executeQuery(start);
        return read(connection, question);
      };
    },
    call(name, condition, columns) {
      const answer = `case when value = $1 and ${condition} then ${name}($2::jsonb)::text end as answer`;
      const query = compile(textOf(`value${columns}, ${answer}`));
      return (connection, values) => read(connection, { ...query, parameters: [openedValue, ...values] });
    },
  };
}
