import type { Kysely } from 'kysely';
import type { Change, StorageAdapter, StoredRecord, WriteResult } from '../../../src/ports/index.ts';
import { type Calls, createCalls, PRESENT_MS } from './calls.ts';
import { type ChangeChannel, createChangeFeed } from './changes.ts';
import { countPassports } from './count-passports.ts';
import type { SqlDialect } from './dialect.ts';
import type { StoreIdentity } from './identity.ts';
import { createSqlJournal } from './journal/journal.ts';
import { listDueRecords, listExpiredRecords, listRecords } from './lists.ts';
import { assertUsable, readSchema } from './migrations.ts';
import { forgetCounters } from './purge.ts';
import { compileReadable } from './readable.ts';
import { createRetention } from './retention.ts';
import { isSqlText, type SqlRow, type SqlTables } from './rows.ts';
import { changeSharedText, readSharedText } from './shared-texts.ts';
import {
  bind,
  compileStatements,
  IDENTITY_COLUMN,
  RECORD_COLUMN,
  SERVER_COLUMN,
  type TableStatements,
} from './statements.ts';
import { untilKept } from './transaction.ts';
import { writeOfFunction } from './write-at-once.ts';
import { prepareStep, readCounter, runSteps, type WriteStep } from './write-steps.ts';

/** A migrated database, and the hooks of its owner. */
export interface SqlStorageParts {
  readonly kysely: Kysely<SqlTables>;
  /** A separate connection for reads, if writes may occupy those of `kysely`. Default: `kysely`. */
  readonly reader?: Kysely<SqlTables> | undefined;
  readonly dialect: SqlDialect;
  readonly identity: StoreIdentity;
  /** True if a connection can move to another server between two calls. */
  readonly mayChangeServer?: boolean;
  /** Carries notices to and from other processes. Without it, the storage reports only its own writes. */
  readonly channel?: ChangeChannel | undefined;
  /** Throws if the path no longer leads to the opened database; a check at most `withinMs` old is enough. */
  readonly assertPresent?: (withinMs?: number) => void;
  /** Closes the database. It is called once. */
  readonly release?: () => Promise<void>;
}

/** Creates the storage over a migrated database. */
export function createSqlStorage(parts: SqlStorageParts): StorageAdapter {
  const { kysely, reader = kysely, dialect, identity, mayChangeServer = false, assertPresent } = parts;
  const calls = createCalls({ kysely, reader, dialect, identity, mayChangeServer, assertPresent });
  const { assertOpen, ask, follow, whilePresent } = calls;
  const server = mayChangeServer ? identity.server : undefined;
  const statements = compileStatements(kysely, dialect, server);
  const { journal, settle } = createSqlJournal({ kysely, dialect, calls });
  const readable = compileReadable(kysely);
  const retention = createRetention({ kysely, reader, dialect, identity });
  const feed = createChangeFeed(parts.channel);
  let closing: Promise<void> | undefined;

  async function writeSteps(steps: readonly WriteStep[], changes: readonly Change[]): Promise<WriteResult> {
    const atOnce = identity.callAtOnce && writeOfFunction(identity.callAtOnce, steps, changes);
    const known = atOnce && (await whilePresent(() => untilKept(dialect, () => runOn(kysely, atOnce))));
    const body = (connection: Kysely<SqlTables>): Promise<WriteResult> =>
      runSteps(connection, steps, changes);
    const result = known ?? (await calls.store(body, ({ written }) => written));
    if (result.written) feed.publish(changes);
    return result;
  }

  return {
    name: dialect.name,
    journal,
    async get(collection, id) {
      assertOpen();
      if (!isSqlText(id)) return undefined;
      return follow(getRecord(parts, statements[collection], id));
    },
    ...readsOf(calls, dialect, statements),
    async write(changes): Promise<WriteResult> {
      assertOpen();
      const steps = changes.map((change) => prepareStep(statements, change));
      if (steps.length === 0) return { written: true, sums: [] };
      return writeSteps(steps, changes);
    },
    async forget(names) {
      assertOpen();
      await calls.store((connection) => forgetCounters(connection, dialect, names));
    },
    async purge(what, before, present = before) {
      assertOpen();
      if (what === 'rollups') await settle();
      return whilePresent(() => retention.purge(what, before, present));
    },
    async time(present, isTrusted) {
      assertOpen();
      return whilePresent(() => retention.time(present, isTrusted));
    },
    async completeSince() {
      assertOpen();
      return whilePresent(retention.removedUntil);
    },
    async remember(name, change) {
      assertOpen();
      if (change === undefined) return ask((connection) => readSharedText(connection, name), isAbsent);
      return calls.store((connection) => changeSharedText(connection, name, change));
    },
    subscribe(listener) {
      assertOpen();
      return feed.subscribe(listener);
    },
    async check() {
      assertOpen();
      await assertWorking(parts);
      await reader.executeQuery(readable);
      return dialect.health(kysely);
    },
    async close() {
      closing ??= calls
        .close()
        .then(() => feed.close())
        .then(() => parts.release?.());
      await closing;
    },
  };
}

function runOn<Result>(
  kysely: Kysely<SqlTables>,
  body: (connection: Kysely<SqlTables>) => Promise<Result>,
): Promise<Result> {
  return kysely.connection().execute(body);
}

function isAbsent(answer: unknown): boolean {
  return answer === undefined;
}

function hasNone(answer: readonly unknown[]): boolean {
  return answer.length === 0;
}

/** Creates the calls that read several rows or run several statements. */
function readsOf(
  { assertOpen, ask }: Calls,
  dialect: SqlDialect,
  statements: ReturnType<typeof compileStatements>,
): Pick<StorageAdapter, 'list' | 'listExpired' | 'due' | 'count' | 'countPassports'> {
  return {
    async list(collection, query) {
      assertOpen();
      return ask((connection) => listRecords(connection, statements[collection], query), hasNone);
    },
    async listExpired(collection, query) {
      assertOpen();
      return ask((connection) => listExpiredRecords(connection, statements[collection], query), hasNone);
    },
    async due(collection, before, limit, part) {
      assertOpen();
      const query = { ...part, before, limit };
      return ask((connection) => listDueRecords(connection, statements[collection], query), hasNone);
    },
    async count(counter, at) {
      assertOpen();
      return ask(
        (connection) => readCounter(connection, counter, at),
        (value) => value === 0,
      );
    },
    async countPassports(account_id, at, from) {
      assertOpen();
      return ask(
        (connection) => countPassports(connection, dialect, account_id, at, from),
        (piece) => Object.values(piece).every((count) => count === 0 || count === null),
      );
    },
  };
}

/** Reads a record like `ask`, with less work, because this is the most frequent call. */
function getRecord(
  { kysely, reader = kysely, identity, mayChangeServer = false, assertPresent }: SqlStorageParts,
  { get, getMarked, read }: TableStatements,
  id: string,
): Promise<StoredRecord | undefined> {
  return reader.getExecutor().provideConnection(async (connection) => {
    const [found] = (await connection.executeQuery<SqlRow>(bind(get, [id]))).rows;
    assertPresent?.(PRESENT_MS);
    if (found !== undefined) {
      if (mayChangeServer) identity.assertServer?.(found[SERVER_COLUMN]);
      return read(found[RECORD_COLUMN]);
    }
    const [row] = (await connection.executeQuery<SqlRow>(bind(getMarked, [id]))).rows;
    identity.assertOpened(row?.[IDENTITY_COLUMN]);
    if (mayChangeServer) identity.assertServer?.(row?.[SERVER_COLUMN]);
    assertPresent?.();
    const column = row?.[RECORD_COLUMN] ?? null;
    return column === null ? undefined : read(column);
  });
}

/** Rejects unless the database has its tables, of a version that this release can use, and its identity. */
async function assertWorking({ kysely, dialect, identity, assertPresent }: SqlStorageParts): Promise<void> {
  assertPresent?.();
  const schema = await readSchema(kysely, dialect);
  if (schema.version === 0) throw new Error('The database has lost its tables.');
  assertUsable(schema);
  await kysely.connection().execute((connection) => identity.verify(connection));
}
