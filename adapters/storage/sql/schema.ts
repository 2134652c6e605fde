/**
 * Builds the SQL statements that create the tables, columns and indexes. The statements of a collection follow from its
 * declaration.
 */
import { type AnyCollection, collections, type FieldKind } from '../../../src/ports/index.ts';
import type { SqlDialect } from './dialect.ts';
import { JOINED_WRITE_FUNCTION, STEPS_FUNCTION, WRITE_FUNCTION } from './postgres/write-function.ts';
import {
  blocksTable,
  countersTable,
  deltasTable,
  metaTable,
  rollupsTable,
  type Table,
  tableOf,
  writersTable,
} from './tables.ts';

/** The declarations of collections, by name. */
export type Collections = Readonly<Record<string, AnyCollection>>;

interface Part {
  readonly since: number;
  readonly statements: readonly string[];
}

/** Returns the newest schema version in the declarations. */
export function newestVersion(declaredCollections: Collections): number {
  return Math.max(
    1,
    ...Object.values(declaredCollections).flatMap(({ since = {} }) => Object.values(since).map(Number)),
  );
}

/** Returns the statements that migrate a database from the previous version to this version. */
export function statementsOf(
  dialect: SqlDialect,
  version: number,
  declaredCollections: Collections = collections,
): readonly string[] {
  const parts = Object.entries(declaredCollections)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, collection]) => partsOf(dialect, tableOf(name, collection), collection));
  const ownStatements = parts
    .filter(({ since }) => since === version)
    .flatMap(({ statements }) => statements);
  return version === 1
    ? [...ownStatements, ...fixedTables(dialect), ...FIXED_INDEXES, ...functionsOf(dialect)]
    : ownStatements;
}

function partsOf(dialect: SqlDialect, table: Table, collection: AnyCollection): readonly Part[] {
  const { since = {} } = collection;
  const first = since['id'] ?? 1;
  const sinceOf = (part: string): number => since[part] ?? first;
  const indexes = indexesOf(table, collection);
  const knownNames = [...Object.keys(table.columns), ...indexes.map(({ name }) => name)];
  const unknown = Object.keys(since).find((part) => !knownNames.includes(part));
  if (unknown !== undefined) throw new TypeError(`${table.name}.${unknown} is no part of the schema.`);
  const columns = Object.entries(table.columns);
  const isFirst = ([column]: readonly [string, FieldKind]): boolean => sinceOf(column) <= first;
  const lines = [...columns.filter(isFirst).map((column) => columnOf(dialect, column)), 'primary key (id)'];
  return [
    { since: first, statements: [createTable(table.name, lines, dialect.tableOptions)] },
    ...columns
      .filter((column) => !isFirst(column))
      .map(([column, kind]) => {
        if (!mayBeAbsent(kind))
          throw new TypeError(`${table.name}.${column} is added, and must be optional.`);
        const addedColumn = columnOf(dialect, [column, kind]);
        return {
          since: sinceOf(column),
          statements: [`alter table ${table.name} add column ${addedColumn}`],
        };
      }),
    ...indexes.map(({ name, columns: indexedNames, statement }) => ({
      since: Math.max(sinceOf(name), ...indexedNames.map(sinceOf)),
      statements: [statement],
    })),
  ];
}

interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  readonly statement: string;
}

/**
 * Returns the indexes of a collection. Each list is a scan of one index, whose first columns are the fields of the
 * filter.
 */
function indexesOf({ name: table, columns: kinds }: Table, collection: AnyCollection): readonly Index[] {
  const { lists, due, expired, expires } = collection;
  const indexOn = (keyColumns: readonly string[], columns: readonly string[]): Index => {
    const name = `by_${keyColumns.join('_')}`;
    const optional = columns.filter((column) => mayBeAbsent(kinds[column] ?? 'text'));
    const condition = optional.map((column) => `"${column}" is not null`).join(' and ');
    const columnsText = `${table} (${columns.map((column) => `"${column}"`).join(', ')})`;
    const statement = `create index ${table}_${name} on ${columnsText}${condition && ` where ${condition}`}`;
    return { name, columns, statement };
  };
  return [
    ...lists.map((columns) =>
      indexOn(columns.length === 0 ? ['created_at'] : columns, [...columns, 'created_at', 'id']),
    ),
    ...(due === undefined ? [] : [[], ...due.map((field) => [field])]).map((columns) =>
      indexOn([...columns, 'due_at'], [...columns, 'due_at', 'id']),
    ),
    ...(expired === undefined ? [] : [indexOn([...expired, 'expires_at'], [...expired, 'expires_at', 'id'])]),
    ...(expires ? [indexOn(['expires_at'], ['expires_at'])] : []),
  ];
}

function mayBeAbsent(kind: FieldKind): boolean {
  return /\?|\|null/.test(kind);
}

function createTable(name: string, lines: readonly string[], options: string): string {
  return `create table ${name} (\n${lines.join(',\n')}\n) ${options}`;
}

function columnOf({ text, integer }: SqlDialect, [column, kind]: readonly [string, FieldKind]): string {
  const type = /^(?:integer|boolean)/.test(kind) ? integer : text;
  return `"${column}" ${type}${mayBeAbsent(kind) ? '' : ' not null'}`;
}

const FIXED_INDEXES: readonly string[] = [
  // Covers the count of passports, which continues from an id.
  'create index ais_passports_count on ais_passports (account_id, id, status, suspended_until, expires_at)',
  `create index ais_counters_by_expires_at on ${countersTable} (expires_at)`,
  // The order of a list. from_ms lets the scan skip blocks that begin after the page.
  `create index ais_journal_blocks_by_account on ${blocksTable.name} (account_id, to_ms, writer, seq, from_ms)`,
  `create index ais_journal_blocks_by_age on ${blocksTable.name} (to_ms)`,
  `create index ais_journal_writers_unmerged on ${writersTable.name} (id) where merged < flushed`,
];

function fixedTables(dialect: SqlDialect): readonly string[] {
  const { text, integer, bytes, tableOptions, keyOrderedTableOptions } = dialect;
  const requiredColumns = ({ columns }: Table): readonly string[] =>
    Object.entries(columns).map((column) => columnOf(dialect, column));
  const rollupKey = Object.keys(rollupsTable.columns).slice(0, -1);
  const isText = (column: string): boolean => column === 'writer' || column === 'account_id';
  const name = `name ${text} not null primary key`;
  const id = `id ${text} not null primary key`;
  return [
    createTable(metaTable, [name, `value ${text} not null`], tableOptions),
    createTable(countersTable, [id, `value ${integer} not null`, `expires_at ${text}`], tableOptions),
    // Rows that are counted together are stored together. With the start at the end of the key, each row of a batch was
    // on another page, and starts needed an index (64 ms for 250 verdicts in SQLite instead of 22).
    createTable(
      rollupsTable.name,
      [
        ...requiredColumns(rollupsTable),
        'check (count between -9007199254740991 and 9007199254740991)',
        `primary key (${rollupKey.join(', ')})`,
      ],
      keyOrderedTableOptions,
    ),
    // The filter is before the data, so that SQLite reads it without the pages of the data.
    createTable(
      blocksTable.name,
      [
        ...blocksTable.header.map((column) => `${column} ${isText(column) ? text : integer} not null`),
        ...blocksTable.bytes.map((column) => `${column} ${bytes}${column === 'erasable' ? '' : ' not null'}`),
        'primary key (writer, seq, account_id)',
      ],
      tableOptions,
    ),
    ...dialect.keepBytes(blocksTable.name, 'filter', 'small'),
    ...dialect.keepBytes(blocksTable.name, 'data', 'large'),
    createTable(
      writersTable.name,
      [...requiredColumns(writersTable), 'primary key (id)'],
      keyOrderedTableOptions,
    ),
    createTable(
      deltasTable,
      [id, ...['from_key', 'to_key', 'deltas'].map((column) => `${column} ${text} not null`)],
      tableOptions,
    ),
  ];
}

/**
 * The statement that makes PostgreSQL vacuum blocks early and without pauses. By default, PostgreSQL waits
 * until a fifth of the table is dead, and the table may have hundreds of gigabytes. Blocks are rarely
 * changed, so inserted blocks also start a vacuum.
 */
const OFTEN_VACUUMED = `alter table ${blocksTable.name} set (${[
  ...['', 'toast.'].flatMap((part) => [
    `${part}autovacuum_vacuum_scale_factor = 0.01`,
    `${part}autovacuum_vacuum_cost_delay = 0`,
  ]),
  'autovacuum_vacuum_insert_scale_factor = 0.05',
].join(', ')})`;

function functionsOf({ name }: SqlDialect): readonly string[] {
  return name === 'postgres' ? [STEPS_FUNCTION, WRITE_FUNCTION, JOINED_WRITE_FUNCTION, OFTEN_VACUUMED] : [];
}
