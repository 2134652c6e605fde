import { resolve } from 'node:path';
import { Kysely, sql } from 'kysely';
import {
  IdentityError,
  knownOptions,
  type OptionNames,
  type StorageAdapter,
  wholeNumber,
} from '../../../../src/ports/index.ts';
import type { ChangeChannel } from '../changes.ts';
import { dialects } from '../dialects.ts';
import { readIdentity, type StoreIdentity } from '../identity.ts';
import { allMigrations, assertUsable, type Migration, migrate, readSchema } from '../migrations.ts';
import type { SqlTables } from '../rows.ts';
import { createSqlStorage } from '../sql-storage.ts';
import { metaTable } from '../tables.ts';
import { transact } from '../transaction.ts';
import { startCheckpointThread } from './checkpoint-thread.ts';
import {
  createPrivately,
  type FileIdentity,
  identifyFile,
  isBusy,
  isInPlace,
  isNewFile,
  loadSqlite,
  type OpenSqlite,
  readUntouched,
  removeEmptyFile,
  type SqliteConnection,
  type SqliteLibrary,
  startError,
  usualLibrary,
  watchPresence,
} from './connection.ts';
import { syncedSqlite } from './dialect.ts';
import { sqliteKyselyDialect } from './kysely-dialect.ts';
import { createLogSync, type LogSync } from './log-sync.ts';
import { keepLogShort, LONG_LOG, type ShortLog } from './short-log.ts';

/** The options of `sqliteStorage`. */
export interface SqliteStorageOptions {
  /** The path of the database, or `:memory:`. The folder must exist; a missing file is created. */
  readonly file: string;
  /** The milliseconds for which a call waits while another process writes, 0 to 60,000; default 250. */
  readonly busyTimeoutMs?: number;
  /** The library. Default: `node:sqlite` if the runtime has it, else the package `libsql`. */
  readonly library?: SqliteLibrary;
}

const OPTIONS: OptionNames<SqliteStorageOptions> = {
  file: true,
  busyTimeoutMs: true,
  library: true,
};
const MEMORY = ':memory:';
const DEFAULT_BUSY_TIMEOUT_MS = 250;
const MAX_BUSY_TIMEOUT_MS = 60_000;
/** The time for which processes that start together wait for the process that migrates. */
const START_BUSY_TIMEOUT_MS = 5_000;

/** Opens and migrates the storage. Tests of failing migrations set `migrations`. */
export async function openSqliteStorage(
  options: SqliteStorageOptions,
  migrations: readonly Migration[] = allMigrations,
): Promise<StorageAdapter> {
  const givenFile = checkedFile(knownOptions('sqliteStorage', options, OPTIONS).file);
  const busyTimeoutMs = wholeNumber('busyTimeoutMs', options.busyTimeoutMs ?? DEFAULT_BUSY_TIMEOUT_MS, {
    from: 0,
    to: MAX_BUSY_TIMEOUT_MS,
  });
  const library = options.library ?? usualLibrary();
  const open = await loadSqlite(library);
  if (givenFile === MEMORY) return start(open, { busyTimeoutMs, migrations });
  const file = resolve(givenFile);
  let isNew = false;
  try {
    isNew = await isNewFile(file);
    if (isNew) await createPrivately(file);
    else await assertNotTooNew(open, file, migrations.length);
    return await start(open, { busyTimeoutMs, migrations, onDisk: { file, library } });
  } catch (error) {
    // If the new file is locked, another process is filling it.
    if (isNew && !isBusy(error)) await removeEmptyFile(file);
    throw startError(file, error);
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for.
const HAS_CONTROLS = /[\0-\x1f\x7f]/;

/** Returns the checked path of a database; throws `invalid_configuration` for an invalid path. */
export function checkedFile(file: unknown): string {
  if (typeof file === 'string' && file !== '' && !HAS_CONTROLS.test(file)) return file;
  throw new IdentityError(
    'invalid_configuration',
    'file must be the path of a SQLite database, without control characters such as a line feed.',
  );
}

interface Start {
  readonly busyTimeoutMs: number;
  readonly migrations: readonly Migration[];
  readonly onDisk?: OnDisk;
}

interface OnDisk {
  readonly file: string;
  readonly library: SqliteLibrary;
}

interface Connected {
  readonly connection: SqliteConnection;
  readonly kysely: Kysely<SqlTables>;
}

async function start(
  open: OpenSqlite,
  { busyTimeoutMs, migrations, onDisk }: Start,
): Promise<StorageAdapter> {
  let waitMs = START_BUSY_TIMEOUT_MS;
  const connections: SqliteConnection[] = [];
  let logSync: LogSync | undefined;
  let assertPresent: ((withinMs?: number) => void) | undefined;
  const connect = (sync?: () => LogSync | undefined): Connected => {
    const connection = open(onDisk?.file ?? MEMORY);
    connections.push(connection);
    connection.all('pragma busy_timeout = 0');
    connection.all('pragma trusted_schema = off');
    return {
      connection,
      kysely: kyselyOver(connection, () => waitMs, sync),
    };
  };
  try {
    const { connection, kysely } = connect(() => logSync);
    await sql`pragma synchronous = full`.execute(kysely);
    await migrate(kysely, dialects.sqlite, migrations);
    const identity = await readIdentity(kysely, dialects.sqlite);
    if (onDisk !== undefined) {
      await switchToLog(kysely);
      await sql`pragma synchronous = normal`.execute(kysely);
      const identity = identifyFile(onDisk.file);
      assertPresent = watchPresence(onDisk.file, identity);
      logSync = createLogSync(onDisk.file, shortLogOf(connection, onDisk, identity));
    }
    const reader = onDisk === undefined ? undefined : await makeReader(connect(), identity);
    waitMs = busyTimeoutMs;
    return createSqlStorage({
      kysely,
      reader,
      dialect: logSync === undefined ? dialects.sqlite : syncedSqlite,
      identity,
      async release() {
        try {
          await reader?.destroy();
        } finally {
          await kysely.destroy();
        }
      },
      ...(assertPresent !== undefined && {
        assertPresent,
        channel: watchOtherConnections(connection),
      }),
    });
  } catch (error) {
    for (const connection of connections) connection.close();
    throw error;
  }
}

/**
 * Keeps the log of the connection short. The connection runs checkpoints in this thread only if the other thread has
 * failed.
 */
function shortLogOf(
  connection: SqliteConnection,
  { file, library }: OnDisk,
  identity: FileIdentity,
): ShortLog {
  const checkpointFrom = (pages: number) => connection.all(`pragma wal_autocheckpoint = ${pages}`);
  checkpointFrom(0);
  const startThread = () =>
    isInPlace(file, identity) ? startCheckpointThread(file, library, identity) : undefined;
  return keepLogShort(startThread, () => checkpointFrom(LONG_LOG));
}

async function makeReader(
  { connection, kysely }: Connected,
  identity: StoreIdentity,
): Promise<Kysely<SqlTables>> {
  connection.all('pragma query_only = on');
  await identity.verify(kysely);
  return kysely;
}

/**
 * Switches to a write-ahead log. This happens after the migrations, so that a failed first migration leaves an empty
 * file. Throws if the file cannot be written.
 */
async function switchToLog(kysely: Kysely<SqlTables>): Promise<void> {
  const touch = (connection: Kysely<SqlTables>) =>
    connection.updateTable(metaTable).set({ value: sql`value` }).execute();
  await transact(kysely, dialects.sqlite, touch, { keep: () => false });
  const [row] = (await sql<{ journal_mode: string }>`pragma journal_mode = wal`.execute(kysely)).rows;
  // A commit with `synchronous = full` syncs the folder, and with it the name of the log.
  if (row?.journal_mode === 'wal') return transact(kysely, dialects.sqlite, touch).then(() => {});
  throw new IdentityError(
    'invalid_configuration',
    'Its folder does not allow a write-ahead log. Move it to a local disk.',
  );
}

async function assertNotTooNew(open: OpenSqlite, file: string, newest: number): Promise<void> {
  const schema = await readUntouched(open, file, (connection) =>
    readSchema(
      kyselyOver(connection, () => 0),
      dialects.sqlite,
    ),
  );
  if (schema !== undefined) assertUsable(schema, newest);
}

function kyselyOver(
  connection: SqliteConnection,
  waitMs: () => number,
  logSync?: () => LogSync | undefined,
): Kysely<SqlTables> {
  return new Kysely<SqlTables>({ dialect: sqliteKyselyDialect(connection, waitMs, logSync) });
}

/** The interval of the checks. It is below 250 ms, the time within which changes by other processes must be noticed. */
const POLL_MS = 200;

/**
 * Creates the channel of a database file. It notices commits of other connections, but not which records they
 * change. `data_version` is a number that changes with every commit of another connection. It must be read on
 * the connection of the storage, so that the storage's commits do not change it.
 */
function watchOtherConnections(connection: SqliteConnection): ChangeChannel {
  return {
    listen(listener) {
      let seenVersion = readDataVersion(connection);
      const timer = setInterval(() => {
        const dataVersion = readDataVersion(connection);
        // A file that cannot be read counts as changed.
        if (dataVersion !== undefined && dataVersion === seenVersion) return;
        seenVersion = dataVersion;
        listener(undefined);
      }, POLL_MS);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

function readDataVersion(connection: SqliteConnection): unknown {
  try {
    return connection.all('pragma data_version')[0]?.['data_version'];
  } catch {
    return undefined;
  }
}
