import type { Kysely, RawBuilder } from 'kysely';
import type { StorageHealth } from '../../../src/ports/index.ts';
import type { SqlTables } from './rows.ts';

/** The differences between the databases. */
export interface SqlDialect {
  readonly name: SqlDialectName;
  /** Starts a transaction that may write from its first statement on. */
  readonly begin: string;
  /** Starts a transaction that reads, and sees the database as it was at its first statement. */
  readonly beginReading: string;
  /** Column type of text that compares by its bytes. */
  readonly text: string;
  /** Column type of integers up to 2^53 - 1. */
  readonly integer: string;
  /** Column type of bytes. */
  readonly bytes: string;
  /** Statements behind a CREATE TABLE for a column of bytes: `large` ones are not compressed, others stay in their row. */
  keepBytes(table: string, column: string, size: 'small' | 'large'): readonly string[];
  /** What follows the columns of a CREATE TABLE. */
  readonly tableOptions: string;
  /** The same for a table whose rows are kept in the order of its primary key. */
  readonly keyOrderedTableOptions: string;
  /** The function that makes a JSON array of its arguments. */
  readonly jsonArray: string;
  /** The elements of a JSON array as a table `element` with a column `value`. */
  jsonElements(json: string): RawBuilder<unknown>;
  /** The condition that a column is one of the texts. For any number of texts it is one statement with one bound value. */
  isOneOf(column: string, texts: readonly string[]): RawBuilder<boolean>;
  /** The condition that the bit `hash % (8 * length)` is set in a column of bytes; bit 0 is the lowest of the first byte. */
  hasBit(column: string, hash: number): RawBuilder<boolean>;
  /** The expression of the present in whole milliseconds; absent where the database has no clock but that of this machine. */
  readonly clockMs?: string;
  /** How many rows a bulk insert takes in one statement: few where the driver blocks the event loop. */
  readonly bulkRows: number;
  /** How many deltas of rollups a transaction adds; more are stored first, and added piece by piece. */
  readonly addedDeltas: number;
  /** How many rows a statement reads at most where not all of them may match. */
  readonly walkRows: number;
  /** How many rows a purge removes at a time, at most `MAX_PURGE_SIZE`. */
  readonly purgeRows: number;
  /** What follows a SELECT to lock its row until the transaction ends. */
  readonly lockRow: string;
  /** The same for many rows, without those that other transactions have locked. */
  readonly lockFreeRows: string;
  /** Throws `invalid_configuration` unless the database holds every text. */
  assertUnicode(kysely: Kysely<SqlTables>): Promise<void>;
  /** Lets one process migrate at a time, until the transaction ends. */
  takeMigrationTurn(connection: Kysely<SqlTables>): Promise<void>;
  /** Whether the error means that the transaction was rolled back and is worth a retry. */
  mayRunAgain(error: unknown): boolean;
  hasTable(kysely: Kysely<SqlTables>, table: string): Promise<boolean>;
  /** What the database promises as it is set up; rejects when it does not answer. */
  health(kysely: Kysely<SqlTables>): Promise<StorageHealth>;
}

/** The databases that this adapter supports. */
export type SqlDialectName = 'sqlite' | 'postgres';
