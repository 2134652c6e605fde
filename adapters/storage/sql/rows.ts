import type { FieldKind, StoredRecord, StoredValue } from '../../../src/ports/index.ts';
import type { Table } from './tables.ts';

/** A parameter for a driver. Integers are bigints, because SQLite drivers bind a number as a float. */
export type SqlValue = string | bigint | Uint8Array | null;

/** A row of a result in the form of the driver. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** The fields of a record. */
export type RowFields = Readonly<Record<string, StoredValue>>;

/** The type of the database for Kysely. It contains no names, because the table definitions check them at run time. */
export type SqlTables = Record<string, Record<string, SqlValue>>;

/**
 * Creates a function that returns the values of a record in column order. It throws a TypeError for a record that does
 * not fit the table, so that no value is dropped or changed silently.
 */
export function recordWriter(table: Table): (record: RowFields) => readonly SqlValue[] {
  // Looked up once: a look-up for each value took a third of the time to prepare a batch.
  const columns = Object.entries(table.columns).map(([field, kind]) => ({
    field,
    toSql: toSqlOf(table, field, kind),
  }));
  return (record) => {
    for (const field of Object.keys(record)) {
      if (!Object.hasOwn(table.columns, field)) throw misfit(table, field, 'is not a column');
    }
    return columns.map(({ field, toSql }) => toSql(Object.hasOwn(record, field) ? record[field] : undefined));
  };
}

/** Converts a row to a record. The columns of a table are the fields of its records. */
export function toRecord<Kept extends RowFields = StoredRecord>(table: Table, row: SqlRow): Kept {
  const record: Record<string, StoredValue> = {};
  for (const { field, none, convert } of readersOf(table)) {
    const foundRow = row[field] ?? null;
    const value = foundRow === null ? none : convert(foundRow);
    if (value !== undefined) record[field] = value;
  }
  return record as RowFields as Kept;
}

/** Creates a function that reads a record from a JSON array of its values in column order. */
export function recordReader(table: Table): (json: unknown) => StoredRecord {
  const columns = readersOf(table);
  return (json) => {
    const values: readonly unknown[] = JSON.parse(String(json));
    const record: Record<string, StoredValue> = {};
    let index = 0;
    for (const { field, none, convert } of columns) {
      const foundValue = values[index] ?? null;
      const value = foundValue === null ? none : convert(foundValue);
      if (value !== undefined) record[field] = value;
      index += 1;
    }
    return record as StoredRecord;
  };
}

/** Says whether SQL can store the text, which must not contain U+0000 or lone surrogates. Every stored text passes. */
export function isSqlText(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

function toSqlOf(table: Table, field: string, kind: FieldKind): (value: StoredValue | undefined) => SqlValue {
  const isOptional = kind.endsWith('?');
  const isNullable = kind.endsWith('|null');
  const convert = toSqlBy(kind);
  const misfitOf: Misfit = (problem) => misfit(table, field, problem);
  return (value) => {
    if (value === undefined && isOptional) return null;
    if (value === undefined) throw misfitOf('is missing');
    if (value === null && isNullable) return null;
    return convert(value, misfitOf);
  };
}

type Misfit = (problem: string) => TypeError;

function toSqlBy(kind: FieldKind): (value: StoredValue, misfitOf: Misfit) => SqlValue {
  if (kind.startsWith('json')) return (value) => JSON.stringify(value);
  if (kind.startsWith('boolean')) return booleanToSql;
  return kind.startsWith('integer') ? integerToSql : textToSql;
}

function booleanToSql(value: StoredValue, misfitOf: Misfit): SqlValue {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  throw misfitOf('is neither true nor false');
}

function integerToSql(value: StoredValue, misfitOf: Misfit): SqlValue {
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  throw misfitOf('is not a safe integer');
}

function textToSql(value: StoredValue, misfitOf: Misfit): SqlValue {
  if (typeof value !== 'string') throw misfitOf('is not text');
  if (!isSqlText(value)) throw misfitOf('holds U+0000 or a lone surrogate');
  return value;
}

interface ColumnReader {
  readonly field: string;
  readonly none: null | undefined;
  readonly convert: (value: unknown) => StoredValue;
}

const readers = new WeakMap<Table, readonly ColumnReader[]>();

/**
 * Returns the readers of a table's columns, created once. A look-up for each value would take as long as parsing the
 * JSON.
 */
function readersOf(table: Table): readonly ColumnReader[] {
  const knownReaders = readers.get(table);
  if (knownReaders !== undefined) return knownReaders;
  const madeReaders = Object.entries(table.columns).map(([field, kind]) => ({
    field,
    none: noneOf(kind),
    convert: converterOf(kind),
  }));
  readers.set(table, madeReaders);
  return madeReaders;
}

function noneOf(kind: FieldKind): null | undefined {
  return kind.endsWith('|null') ? null : undefined;
}

function converterOf(kind: FieldKind): (value: unknown) => StoredValue {
  if (kind.startsWith('json')) return (value) => JSON.parse(String(value));
  if (kind.startsWith('boolean')) return (value) => Number(value) === 1;
  return kind.startsWith('integer') ? toInteger : String;
}

/**
 * Converts an integer of a driver, because PostgreSQL returns a bigint as text. Throws a RangeError if the integer is
 * not safe.
 */
export function toInteger(value: unknown): number {
  const integer = Number(value);
  if (Number.isSafeInteger(integer)) return integer;
  throw new RangeError(`The database holds ${String(value)}, which is not a safe integer.`);
}

function misfit(table: Table, field: string, problem: string): TypeError {
  return new TypeError(`${table.name} cannot hold this record: ${JSON.stringify(field)} ${problem}.`);
}
