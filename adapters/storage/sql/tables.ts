import {
  type AnyCollection,
  BASE_FIELDS,
  type CollectionName,
  collections,
  type FieldKind,
} from '../../../src/ports/index.ts';

/** A table with its columns in order. NULL means `null`, or that an optional field is absent. */
export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, FieldKind>>;
}

/** Returns the table of a collection. Its columns are the fields of the records. */
export function tableOf(name: string, { fields }: AnyCollection): Table {
  return { name: `ais_${name}`, columns: { ...BASE_FIELDS, ...fields } };
}

/** The table of each collection. */
export const tables: Readonly<Record<CollectionName, Table>> = Object.fromEntries(
  Object.entries(collections).map(([name, collection]) => [name, tableOf(name, collection)]),
) as Record<CollectionName, Table>;

/** The table of journal blocks. It has first the columns of the header, then the bytes. */
export const blocksTable = {
  name: 'ais_journal_blocks',
  header: ['writer', 'seq', 'account_id', 'from_ms', 'to_ms', 'records', 'denied', 'flags', 'erased'],
  bytes: ['filter', 'data', 'erasable'],
} as const;

/** The table of the writers of journal blocks. */
export const writersTable: Table = {
  name: 'ais_journal_writers',
  columns: { id: 'text', flushed: 'integer', merged: 'integer', seen_at: 'text' },
};

/**
 * The table of deltas that a merge has stored for later. A delta is an increment of a rollup, and these
 * deltas are not in the rollups yet. A row has many deltas: `id`, `from_key`, `to_key`, `deltas`.
 */
export const deltasTable = 'ais_journal_deltas';

/** The table of rollups. All columns except the last one, `count`, form its primary key. */
export const rollupsTable: Table = {
  name: 'ais_rollups',
  columns: {
    resolution: 'text',
    start: 'text',
    account_id: 'text',
    environment: 'text',
    agent_id: 'text',
    kind: 'text',
    key: 'text',
    count: 'integer',
  },
};

/** The table of counters: `id`, `value`, `expires_at` (NULL: never). */
export const countersTable = 'ais_counters';

/** The table of named texts, such as the schema version and the identity: `name`, `value`. */
export const metaTable = 'ais_meta';

/** The column names of every table, by table name. */
export const columnsByTable: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    [...Object.values(tables), writersTable, rollupsTable].map(({ name, columns }) => [
      name,
      Object.keys(columns),
    ]),
  ),
  [blocksTable.name]: [...blocksTable.header, ...blocksTable.bytes],
  [deltasTable]: ['id', 'from_key', 'to_key', 'deltas'],
  [countersTable]: ['id', 'value', 'expires_at'],
  [metaTable]: ['name', 'value'],
};
