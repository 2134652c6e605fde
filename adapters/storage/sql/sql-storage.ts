import { type CompiledQuery, type Kysely, sql } from 'kysely';
import {
  assertListed,
  type Change,
  type Deadlines,
  type StorageAdapter,
  type StorageEvents,
  type WriteResult,
} from '../../../src/ports/index.ts';
import { type Calls, type CallsParts, createCalls } from './calls.ts';
import { type ChangeChannel, createChangeFeed } from './changes.ts';
import { countPassports } from './count-passports.ts';
import type { SqlDialect } from './dialect.ts';
import { createGets } from './get-record.ts';
import type { CallAtOnce, StoreIdentity } from './identity.ts';
import { type Joins, joinWrites, type Outcome } from './joined-writes.ts';
import { createSqlJournal } from './journal/journal.ts';
import { assertUsable, readSchema } from './migrations.ts';
import { createRetention } from './retention.ts';
import { isSqlText, type SqlTables } from './rows.ts';
import { compileStatements, listRecords } from './statements.ts';
import { columnsByTable } from './tables.ts';
import { untilKept } from './transaction.ts';
import { prepareAtOnce, type WriteAtOnce, writeAtOnce } from './write-at-once.ts';
import { prepareStep, readCounter, runSteps, type WriteStep } from './write-steps.ts';

export interface SqlStorageParts {
  readonly kysely: Kysely<SqlTables>;
  /**
   * A separate connection for reads. It is necessary if writes can occupy all connections of `kysely`. Default:
   * `kysely`.
   */
  readonly reader?: Kysely<SqlTables> | undefined;
  readonly dialect: SqlDialect;
  readonly identity: StoreIdentity;
  /**
   * The deadlines of reads and writes that wait to be joined. If they are absent, each call is sent
   * separately. If they are set, reads of one collection that wait are joined into one statement.
   */
  readonly deadlines?: Deadlines;
  /** True if a connection can lead to another server at the next call, as behind a pooler. */
  readonly mayChangeServer?: boolean;
  /** Exchanges change notices with other processes. Without it, the storage reports only its own writes. */
  readonly channel?: ChangeChannel | undefined;
  /** Throws if the path no longer leads to the opened database. A check that is at most `withinMs` old is enough. */
  readonly assertPresent?: (withinMs?: number) => void;
  readonly events?: StorageEvents;
  /** Closes the database. It is called exactly once. */
  readonly release?: () => Promise<void>;
}

export function createSqlStorage(parts: SqlStorageParts): StorageAdapter {
  const { kysely, reader = kysely, dialect, identity, mayChangeServer = false, assertPresent } = parts;
  const database = { kysely, reader, dialect, identity, mayChangeServer, assertPresent };
  const calls = createCalls(database);
  const { assertOpen, follow, whilePresent } = calls;
  const server = mayChangeServer ? identity.server : undefined;
  const statements = compileStatements(kysely, dialect, server);
  const joins = parts.deadlines && { deadlines: parts.deadlines, emit: parts.events?.emit };
  const gets = createGets(database, statements, joins);
  const write = createWrites(database, calls, joins);
  const retention = createRetention({ kysely, reader, dialect, identity });
  const { journal, settle } = createSqlJournal({ kysely, dialect, calls, retention });
  const readable = compileReadable(kysely);
  const feed = createChangeFeed(parts.channel);
  let closing: Promise<void> | undefined;

  return {
    name: dialect.name,
    journal,
    async get(collection, id) {
      assertOpen();
      if (!isSqlText(id)) return undefined;
      return follow(gets[collection](id));
    },
    ...readsOf(calls, dialect, statements),
    async write(changes, signal): Promise<WriteResult> {
      assertOpen();
      const steps = changes.map((change) => prepareStep(statements, change));
      if (steps.length === 0) return { written: true, sums: [] };
      const result = await write(steps, changes, signal);
      if (result.written) feed.publish(changes);
      return result;
    },
    async purge(purgeable, cutoff, present = cutoff) {
      assertOpen();
      if (purgeable === 'rollups') await settle();
      return whilePresent(() => retention.purge(purgeable, cutoff, present));
    },
    async time(present, isTrusted) {
      assertOpen();
      return whilePresent(() => retention.time(present, isTrusted));
    },
    subscribe(listener) {
      assertOpen();
      return feed.subscribe(listener);
    },
    ...(parts.events && { observe: parts.events.observe }),
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

function hasNone(answer: readonly unknown[]): boolean {
  return answer.length === 0;
}

function readsOf(
  { assertOpen, ask }: Calls,
  dialect: SqlDialect,
  statements: ReturnType<typeof compileStatements>,
): Pick<StorageAdapter, 'list' | 'count' | 'countPassports'> {
  return {
    async list(collection, query) {
      assertOpen();
      assertListed(collection, query);
      return ask((connection) => listRecords(connection, statements[collection], query), hasNone);
    },
    async count(counter, instant) {
      assertOpen();
      return ask(
        (connection) => readCounter(connection, counter, instant),
        (value) => value === 0,
      );
    },
    async countPassports(account_id, instant, firstId) {
      assertOpen();
      return ask(
        (connection) => countPassports(connection, dialect, account_id, instant, firstId),
        (piece) => Object.values(piece).every((count) => count === 0 || count === null),
      );
    },
  };
}

async function assertWorking({ kysely, dialect, identity, assertPresent }: SqlStorageParts): Promise<void> {
  assertPresent?.();
  const schema = await readSchema(kysely, dialect);
  if (schema.version === 0) throw new Error('The database has lost its tables. Restore it from a backup.');
  assertUsable(schema);
  await kysely.connection().execute((connection) => identity.verify(connection));
}

type Write = (
  steps: readonly WriteStep[],
  changes: readonly Change[],
  signal?: AbortSignal,
) => Promise<WriteResult>;

/**
 * The result of a write in one round trip. `undefined` means that nothing was written, because the write needs a
 * transaction.
 */
type Known = Outcome<WriteResult | undefined>;

/**
 * Creates the writes. A write is one round trip if the database has a function for it, else a transaction.
 * With `joins`, writes that wait for the same counter are sent together in one transaction.
 */
function createWrites(database: CallsParts, calls: Calls, joins: Joins | undefined): Write {
  const inTransaction: Write = (steps, changes, signal) =>
    calls.store(
      async (connection) => {
        signal?.throwIfAborted();
        return runSteps(connection, steps, changes);
      },
      ({ written }) => written,
    );
  const { callAtOnce } = database.identity;
  if (callAtOnce === undefined) return inTransaction;
  const run = createRun(database, calls, callAtOnce);
  const joinedWrites =
    joins && joinWrites({ run: (writes: readonly WriteAtOnce[]) => eachOf(writes, run, database), ...joins });

  async function atOnce(write: WriteAtOnce): Promise<WriteResult | undefined> {
    if (joinedWrites !== undefined && write.counters.length > 0) return calls.follow(joinedWrites(write));
    const [outcome] = await run([write]);
    return outcome?.();
  }

  return async (steps, changes, signal) => {
    const write = prepareAtOnce(steps, changes, signal);
    return (write && (await atOnce(write))) ?? inTransaction(steps, changes, signal);
  };
}

type Run = (writes: readonly WriteAtOnce[]) => Promise<readonly Known[]>;

function createRun({ kysely, dialect }: CallsParts, { whilePresent }: Calls, callAtOnce: CallAtOnce): Run {
  return async (writes) => {
    const outcomes = await whilePresent(() =>
      untilKept(dialect, () =>
        kysely.connection().execute(async (connection) => {
          // The search for a connection may have led to another server.
          for (const { signal } of writes) signal?.throwIfAborted();
          return writeAtOnce(connection, callAtOnce, writes);
        }),
      ),
    );
    return outcomes ?? writes.map(() => () => undefined);
  };
}

/** Runs writes together. If one of them is refused or aborted, none was written, and each then runs separately. */
async function eachOf(
  writes: readonly WriteAtOnce[],
  run: Run,
  { dialect }: CallsParts,
): Promise<readonly Known[]> {
  try {
    return await run(writes);
  } catch (error) {
    const isUnwritten = dialect.wasRolledBack(error) || writes.some(({ signal }) => signal?.reason === error);
    if (writes.length === 1 || !isUnwritten) throw error;
  }
  const outcomes: Known[] = [];
  for (const write of writes) outcomes.push(await runAlone(write, run));
  return outcomes;
}

async function runAlone(write: WriteAtOnce, run: Run): Promise<Known> {
  try {
    const [outcome] = await run([write]);
    return () => outcome?.();
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Compiles a statement that reads no rows. It fails if a table or column is missing or cannot be read. */
function compileReadable(kysely: Kysely<SqlTables>): CompiledQuery {
  const looks = Object.entries(columnsByTable).map(
    ([table, columns]) =>
      sql`exists (select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)} where 1 = 0)`,
  );
  return sql`select 1 where ${sql.join(looks, sql` or `)}`.compile(kysely);
}
