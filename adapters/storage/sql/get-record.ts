/** Implements the `get` of a storage, which is its most frequent call. */
import type { CompiledQuery } from 'kysely';
import type { CollectionName, StoredRecord } from '../../../src/ports/index.ts';
import { type CallsParts, PRESENT_MS } from './calls.ts';
import { joinReads } from './joined-reads.ts';
import type { Joins } from './joined-writes.ts';
import type { SqlRow } from './rows.ts';
import {
  bind,
  ID_COLUMN,
  IDENTITY_COLUMN,
  RECORD_COLUMN,
  SERVER_COLUMN,
  type TableStatements,
} from './statements.ts';

type Get = (id: string) => Promise<StoredRecord | undefined>;

export function createGets(
  database: CallsParts,
  statements: Readonly<Record<CollectionName, TableStatements>>,
  joins: Joins | undefined,
): Readonly<Record<CollectionName, Get>> {
  const entries = Object.entries(statements).map(([name, ofTable]) => [
    name,
    createGet(database, ofTable, joins),
  ]);
  return Object.fromEntries(entries);
}

function createGet(database: CallsParts, statements: TableStatements, joins: Joins | undefined): Get {
  const { getSeveral: query, read } = statements;
  const getOneById = (id: string): Promise<unknown> => getOne(database, statements, id);
  const find =
    joins === undefined || query === undefined
      ? getOneById
      : joinReads({ one: getOneById, several: (ids) => getSeveral(database, query, ids), ...joins });
  return async (id) => {
    const column = await find(id);
    return column === undefined ? undefined : read(column);
  };
}

/** Reads the column of a record like `ask`, but with less work. */
function getOne(
  { reader, identity, mayChangeServer, assertPresent }: CallsParts,
  { get, getMarked }: TableStatements,
  id: string,
): Promise<unknown> {
  return reader.getExecutor().provideConnection(async (connection) => {
    const [foundRow] = (await connection.executeQuery<SqlRow>(bind(get, [id]))).rows;
    assertPresent?.(PRESENT_MS);
    if (foundRow !== undefined) {
      if (mayChangeServer) identity.assertServer?.(foundRow[SERVER_COLUMN]);
      return foundRow[RECORD_COLUMN];
    }
    const [row] = (await connection.executeQuery<SqlRow>(bind(getMarked, [id]))).rows;
    identity.assertOpened(row?.[IDENTITY_COLUMN]);
    if (mayChangeServer) identity.assertServer?.(row?.[SERVER_COLUMN]);
    assertPresent?.();
    return row?.[RECORD_COLUMN] ?? undefined;
  });
}

function getSeveral(
  { reader, identity, mayChangeServer, assertPresent }: CallsParts,
  query: CompiledQuery,
  ids: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  return reader.getExecutor().provideConnection(async (connection) => {
    const { rows } = await connection.executeQuery<SqlRow>(bind(query, [JSON.stringify(ids)]));
    const [first] = rows;
    identity.assertOpened(first?.[IDENTITY_COLUMN]);
    if (mayChangeServer) identity.assertServer?.(first?.[SERVER_COLUMN]);
    assertPresent?.();
    const foundRows = rows.filter((row) => row[RECORD_COLUMN] !== null);
    return new Map(foundRows.map((row) => [String(row[ID_COLUMN]), row[RECORD_COLUMN]]));
  });
}
