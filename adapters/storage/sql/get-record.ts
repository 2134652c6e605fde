/** Implements the `get` of a storage, which is its most frequent call. */
import type { CompiledQuery } from 'kysely';
import type { CollectionName, StoredRecord, TimedCall } from '../../../src/ports/index.ts';
import { type CallsParts, PRESENT_MS } from './calls.ts';
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

export interface JoinedReads<Found> extends Joins {
  readonly one: (id: string) => Promise<Found | undefined>;
  readonly several: (ids: readonly string[]) => Promise<ReadonlyMap<string, Found>>;
}

interface Waiting<Found> {
  readonly id: string;
  readonly call: TimedCall;
  resolve(finding: Found | undefined): void;
  reject(error: unknown): void;
}

/** The number of running statements at which further reads wait and are joined. */
const MAX_STATEMENTS = 2;
const MAX_IDS = 64;

/**
 * Joins reads of one table. A read is sent at once while few statements are running. Otherwise it waits until
 * a statement has ended, and is sent in one statement with all other waiting reads. No timer delays a read.
 *
 * A read joins only a statement that is sent after its call, so it never returns an older state. If one read
 * is late, only this read rejects.
 */
export function joinReads<Found>({
  one,
  several,
  deadlines,
  emit,
}: JoinedReads<Found>): (id: string) => Promise<Found | undefined> {
  let waiting: Waiting<Found>[] = [];
  let statements = 0;

  async function run<Answer>(statement: Promise<Answer>): Promise<Answer> {
    statements += 1;
    try {
      return await statement;
    } finally {
      statements -= 1;
      sendNext();
    }
  }

  function sendNext(): void {
    waiting = waiting.filter(({ call }) => !call.isLate);
    if (waiting.length === 0 || statements >= MAX_STATEMENTS) return;
    const joinedWaitings = waiting.splice(0, MAX_IDS);
    emit?.({ type: 'joined', kind: 'get', count: joinedWaitings.length });
    run(several([...new Set(joinedWaitings.map(({ id }) => id))])).then(
      (foundRecords) => {
        for (const { id, resolve } of joinedWaitings) resolve(foundRecords.get(id));
      },
      (error) => {
        for (const { reject } of joinedWaitings) reject(error);
      },
    );
  }

  return (id) => {
    if (statements < MAX_STATEMENTS) return run(one(id));
    return deadlines.limit(
      (call) => new Promise((resolve, reject) => waiting.push({ id, call, resolve, reject })),
    );
  };
}
