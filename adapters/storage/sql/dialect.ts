import type { Kysely, RawBuilder } from 'kysely';
import type { StorageHealth } from '../../../src/ports/index.ts';
import type { SqlTables } from './rows.ts';

/** The differences between the databases. */
export interface SqlDialect {
  readonly name: SqlDialectName;
  /** The statement that starts a transaction which writes. */
  readonly begin: string;
  /** The statement that starts a read transaction over one snapshot. */
  readonly beginReading: string;
  /** The column type of text that is compared by bytes. */
  readonly text: string;
  /** The column type of integers up to 2^53 - 1. */
  readonly integer: string;
  /** The column type of bytes. */
  readonly bytes: string;
  /** Returns statements to run after CREATE TABLE: `large` bytes are not compressed, `small` ones stay in their row. */
  keepBytes(table: string, column: string, size: 'small' | 'large'): readonly string[];
  /** The options at the end of a CREATE TABLE. */
  readonly tableOptions: string;
  /** The same for a table that is stored in the order of its primary key. */
  readonly keyOrderedTableOptions: string;
  /** The SQL function that makes a JSON array of its arguments. */
  readonly jsonArray: string;
  /** Returns the elements of a JSON array as a table `element` with a column `value`. */
  jsonElements(json: string): RawBuilder<unknown>;
  /** Returns the texts of a JSON array as a table `element` with a column `value`; absent if reads are not joined. */
  readonly textElements?: (json: string) => RawBuilder<unknown>;
  /** Returns the condition that a column is one of the texts, which are bound as one value. */
  isOneOf(column: string, texts: readonly string[]): RawBuilder<boolean>;
  /** Returns the condition that bit `hash % (8 * length)` of a column is set; bit 0 is the lowest of the first byte. */
  hasBit(column: string, hash: number): RawBuilder<boolean>;
  /** The expression for the time in milliseconds. Absent if the database uses the clock of this machine. */
  readonly clockMs?: string;
  /** The number of rows in one bulk insert: small if the driver blocks the event loop. */
  readonly bulkRows: number;
  /** The number of deltas that one transaction adds to the rollups. More deltas are stored first and added in parts. */
  readonly addedDeltas: number;
  /** The maximum number of rows that a filtering statement scans. */
  readonly walkRows: number;
  /** The number of rows that one purge removes, at most `MAX_PURGE_SIZE`. */
  readonly purgeRows: number;
  /** The clause at the end of a SELECT that locks its row until the transaction ends. */
  readonly lockRow: string;
  /** The same clause for many rows; it skips rows that other transactions have locked. */
  readonly lockFreeRows: string;
  /** Throws `invalid_configuration` unless the database can store all of Unicode. */
  assertUnicode(kysely: Kysely<SqlTables>): Promise<void>;
  /** Takes the lock of migrations, until the transaction ends. */
  takeMigrationTurn(connection: Kysely<SqlTables>): Promise<void>;
  /** Recognizes the error of a transaction that was rolled back and may succeed in a retry. */
  mayRunAgain(error: unknown): boolean;
  /** Recognizes the answer of the database that it has refused a statement, and so rolled its transaction back. */
  wasRolledBack(error: unknown): boolean;
  hasTable(kysely: Kysely<SqlTables>, table: string): Promise<boolean>;
  /** Reads from the settings how durable an acknowledged write is; rejects if the database does not answer. */
  health(kysely: Kysely<SqlTables>): Promise<StorageHealth>;
}

/** The databases that this adapter supports. */
export type SqlDialectName = 'sqlite' | 'postgres';
