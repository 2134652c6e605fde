import type { Kysely } from 'kysely';
import type { Change, StorageAdapter, StoredRecord, WriteResult } from '../../../src/ports/index.ts';
import { compileAppend } from './append.ts';
import { type ChangeChannel, createChangeFeed } from './changes.ts';
import { countPassports } from './count-passports.ts';
import type { SqlDialect } from './dialect.ts';
import { createHorizon } from './horizon.ts';
import { readEntries, sumRollups } from './journal-queries.ts';
import { listExpiredRecords, listRecords } from './lists.ts';
import type { Marker } from './marker.ts';
import { assertUsable, readSchema } from './migrations.ts';
import { compileReadable } from './readable.ts';
import { isSqlText, type SqlRow, type SqlTables } from './rows.ts';
import { changeSharedText, readSharedText } from './shared-texts.ts';
import {
  bind,
  compileStatements,
  MARKER_COLUMN,
  RECORD_COLUMN,
  SERVER_COLUMN,
  type TableStatements,
} from './statements.ts';
import { transact, transactOn } from './transaction.ts';
import { prepareStep, readCounter, runSteps, type WriteStep } from './write-steps.ts';

/** What is found can be older than that where it is answered from memory: no need to look for each answer. */
const PRESENT_MS = 100;

/** A database that is migrated, and what else its owner wants done. */
export interface SqlStorageParts {
  readonly kysely: Kysely<SqlTables>;
  /** Reads here, where the connections of `kysely` may be taken by what is written. Default: `kysely`. */
  readonly reader?: Kysely<SqlTables> | undefined;
  readonly dialect: SqlDialect;
  readonly marker: Marker;
  /** Whether a connection may lead to another server from one call to the next. */
  readonly isHandedOn?: boolean;
  /** Carries notices to other processes and from them; without it only this storage hears of its own writes. */
  readonly channel?: ChangeChannel | undefined;
  /** Throws when the database is not where it was opened; `withinMs`: a look so long ago is enough. */
  readonly assertPresent?: (withinMs?: number) => void;
  /** Lets go of the database, once. */
  readonly release?: () => Promise<void>;
}

/** The storage over a database that is ready. */
export function createSqlStorage(parts: SqlStorageParts): StorageAdapter {
  const { kysely, reader = kysely, dialect, marker } = parts;
  const server = parts.isHandedOn ? marker.server : undefined;
  const statements = compileStatements(kysely, dialect, server);
  const append = compileAppend(kysely, dialect, marker);
  const readable = compileReadable(kysely);
  const horizon = createHorizon({ kysely, reader, dialect, marker });
  const feed = createChangeFeed(parts.channel);
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing !== undefined) throw new Error('The storage is closed.');
  }

  /** A pool that is closed forgets who still waits for a connection: what was asked is answered before. */
  function follow<Result>(call: Promise<Result>): Promise<Result> {
    running.add(call);
    const forget = (): boolean => running.delete(call);
    call.then(forget, forget);
    return call;
  }

  /**
   * INVARIANT: nothing is said not to be there unless the marker was there in the same moment. Right before or
   * after would not do: a database that was emptied may just be filled again. A connection that may lead to another
   * server, whose older records would be answered, is asked in a transaction from the first.
   */
  function ask<Answer>(
    question: (connection: Kysely<SqlTables>) => Promise<Answer>,
    isEmpty: (answer: Answer) => boolean,
  ): Promise<Answer> {
    const inTransaction = (connection: Kysely<SqlTables>): Promise<Answer> =>
      transactOn(connection, dialect, question, { begin: marker.beginReading });
    const asking = reader.connection().execute(async (connection) => {
      if (parts.isHandedOn) return inTransaction(connection);
      const found = await question(connection);
      parts.assertPresent?.(PRESENT_MS);
      if (!isEmpty(found)) return found;
      const answer = await inTransaction(connection);
      parts.assertPresent?.();
      return answer;
    });
    return follow(asking);
  }

  /** As `ask` does, by one statement and without the Kysely that it makes: this is what is called most. */
  function getRecord(prepared: TableStatements, id: string): Promise<StoredRecord | undefined> {
    const { get, getMarked, read } = prepared;
    return reader.getExecutor().provideConnection(async (connection) => {
      const [found] = (await connection.executeQuery<SqlRow>(bind(get, [id]))).rows;
      parts.assertPresent?.(PRESENT_MS);
      if (found !== undefined) {
        if (server !== undefined) marker.assertServer?.(found[SERVER_COLUMN]);
        return read(found[RECORD_COLUMN]);
      }
      const [row] = (await connection.executeQuery<SqlRow>(bind(getMarked, [id]))).rows;
      marker.assertOpened(row?.[MARKER_COLUMN]);
      if (server !== undefined) marker.assertServer?.(row?.[SERVER_COLUMN]);
      parts.assertPresent?.();
      const column = row?.[RECORD_COLUMN] ?? null;
      return column === null ? undefined : read(column);
    });
  }

  /** INVARIANT: what is acknowledged is in the database that is there at that moment. */
  async function whilePresent<Result>(call: () => Promise<Result>): Promise<Result> {
    parts.assertPresent?.();
    const result = await call();
    parts.assertPresent?.();
    return result;
  }

  async function writeSteps(steps: readonly WriteStep[], changes: readonly Change[]): Promise<WriteResult> {
    const body = (connection: Kysely<SqlTables>): Promise<WriteResult> => runSteps(connection, steps);
    const result = await transact(kysely, dialect, body, {
      begin: marker.begin,
      keep: ({ written }) => written,
    });
    if (result.written) feed.publish(changes);
    return result;
  }

  return {
    name: dialect.name,
    async get(collection, id) {
      assertOpen();
      if (!isSqlText(id)) return undefined;
      return follow(getRecord(statements[collection], id));
    },
    async list(collection, query) {
      assertOpen();
      return ask((connection) => listRecords(connection, collection, query), hasNone);
    },
    async listExpired(collection, query) {
      assertOpen();
      return ask((connection) => listExpiredRecords(connection, collection, query), hasNone);
    },
    async write(changes): Promise<WriteResult> {
      assertOpen();
      const steps = changes.map((change) => prepareStep(statements, change));
      if (steps.length === 0) return { written: true };
      return follow(whilePresent(() => writeSteps(steps, changes)));
    },
    async count(counter, at) {
      assertOpen();
      return ask(
        (connection) => readCounter(connection, counter, at),
        (value) => value === 0,
      );
    },
    async append(batch) {
      assertOpen();
      return follow(whilePresent(() => append(batch)));
    },
    async read(query) {
      assertOpen();
      return ask(
        (connection) => readEntries(connection, dialect, query),
        ({ entries, next }) => hasNone(entries) && next === null,
      );
    },
    async sumRollups(query) {
      assertOpen();
      return ask((connection) => sumRollups(connection, dialect, query), hasNone);
    },
    async countPassports(account_id, at, from) {
      assertOpen();
      return ask(
        (connection) => countPassports(connection, dialect, account_id, at, from),
        (piece) => Object.values(piece).every((count) => count === 0 || count === null),
      );
    },
    async purge(what, before, present = before) {
      assertOpen();
      return follow(whilePresent(() => horizon.purge(what, before, present)));
    },
    async time(present, isTrusted) {
      assertOpen();
      return follow(whilePresent(() => horizon.time(present, isTrusted)));
    },
    async completeSince() {
      assertOpen();
      return follow(whilePresent(horizon.removedUntil));
    },
    async remember(name, change) {
      assertOpen();
      if (change === undefined) return ask((connection) => readSharedText(connection, name), isAbsent);
      const body = (connection: Kysely<SqlTables>) => changeSharedText(connection, name, change);
      return follow(whilePresent(() => transact(kysely, dialect, body, { begin: marker.begin })));
    },
    subscribe(listener) {
      assertOpen();
      return feed.subscribe(listener);
    },
    async check() {
      assertOpen();
      parts.assertPresent?.();
      const schema = await readSchema(kysely, dialect);
      if (schema.version === 0) throw new Error('The database has lost its tables.');
      assertUsable(schema);
      await kysely.connection().execute((connection) => marker.verify(connection));
      await reader.executeQuery(readable);
      return dialect.health(kysely);
    },
    async close() {
      closing ??= Promise.allSettled(running)
        .then(() => feed.close())
        .then(() => parts.release?.());
      await closing;
    },
  };
}

function isAbsent(answer: unknown): boolean {
  return answer === undefined;
}

function hasNone(answer: readonly unknown[]): boolean {
  return answer.length === 0;
}
