import type { Kysely, RawBuilder } from 'kysely';
import type { StorageHealth } from '../../../src/ports/index.ts';
import type { SqlTables } from './rows.ts';

/** The differences between the databases. */
export interface SqlDialect {
  readonly name: SqlDialectName;
  /** The statement that starts a transaction for writing. */
  readonly begin: string;
  /** The statement that starts a transaction for reading from one snapshot. */
  readonly beginReading: string;
  /** The column type of text that is compared by bytes. */
  readonly text: string;
  /** The column type of integers up to 2^53 - 1. */
  readonly integer: string;
  /** The column type of bytes. */
  readonly bytes: string;
  /**
   * Returns statements to run after CREATE TABLE. They keep `large` bytes uncompressed, and `small` bytes in their row.
   */
  keepBytes(table: string, column: string, size: 'small' | 'large'): readonly string[];
  /** The options at the end of a CREATE TABLE. */
  readonly tableOptions: string;
  /** The options at the end of a CREATE TABLE whose rows are stored in the order of the primary key. */
  readonly keyOrderedTableOptions: string;
  /** The SQL function that creates a JSON array from its arguments. */
  readonly jsonArray: string;
  /** Returns the elements of a JSON array as a table `element` with a column `value`. */
  jsonElements(json: string): RawBuilder<unknown>;
  /**
   * Returns the texts of a JSON array as a table `element` with a column `value`. Absent if the adapter does not join
   * reads.
   */
  readonly textElements?: (json: string) => RawBuilder<unknown>;
  /** Returns the condition that a column is one of the texts. The texts are bound as one value. */
  isOneOf(column: string, texts: readonly string[]): RawBuilder<boolean>;
  /**
   * Returns the condition that bit `hash % (8 * length)` of a column is set. Bit 0 is the lowest bit of the first byte.
   */
  hasBit(column: string, hash: number): RawBuilder<boolean>;
  /** The expression for the time in milliseconds. Absent if the database uses the clock of this machine. */
  readonly clockMs?: string;
  /** The number of rows in one bulk insert. It is small if the driver blocks the event loop. */
  readonly bulkRows: number;
  /**
   * The number of deltas that one transaction adds to the rollups. If there are more, they are stored first and added
   * in parts.
   */
  readonly addedDeltas: number;
  /** The maximum number of rows that a filtering statement scans. */
  readonly walkRows: number;
  /** The number of rows that one purge removes, at most `MAX_PURGE_SIZE`. */
  readonly purgeRows: number;
  /** The clause at the end of a SELECT that locks its row until the transaction ends. */
  readonly lockRow: string;
  /** The clause that locks many rows. The lock skips rows that other transactions have locked. */
  readonly lockFreeRows: string;
  /** Throws `invalid_configuration` unless the database can store all of Unicode. */
  assertUnicode(kysely: Kysely<SqlTables>): Promise<void>;
  /** Takes the lock of migrations until the transaction ends. */
  takeMigrationTurn(connection: Kysely<SqlTables>): Promise<void>;
  /** Says whether the error means that the transaction was rolled back and a retry may succeed. */
  mayRunAgain(error: unknown): boolean;
  /**
   * Says whether the error means that the database has refused a statement, and therefore rolled the transaction back.
   */
  wasRolledBack(error: unknown): boolean;
  hasTable(kysely: Kysely<SqlTables>, table: string): Promise<boolean>;
  /** Reads from the settings how durable an acknowledged write is. Rejects if the database does not answer. */
  health(kysely: Kysely<SqlTables>): Promise<StorageHealth>;
}

/** The databases that this adapter supports. */
export type SqlDialectName = 'sqlite' | 'postgres';
