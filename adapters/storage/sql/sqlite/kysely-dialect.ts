import { setTimeout } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { isBusy, type SqliteConnection } from './connection.ts';
import type { LogSync } from './log-sync.ts';

/**
 * Creates a Kysely dialect over one SQLite connection. A statement waits up to `waitMs` for the lock of another
 * connection. If it gives up, its waiting time also counts for the calls in the queue behind it. Calls get the
 * connection in order. The driver of Kysely would wake all waiting calls each time, which takes seconds for thousands
 * of calls.
 */
export function sqliteKyselyDialect(
  connection: SqliteConnection,
  waitMs: () => number,
  logSync?: () => LogSync | undefined,
): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(connection, waitMs, logSync),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function createDriver(
  connection: SqliteConnection,
  waitMs: () => number,
  logSync: () => LogSync | undefined = () => undefined,
): Driver {
  const queue = { arrivedAt: 0, gaveUpAt: Number.NEGATIVE_INFINITY };
  const sharedConnection = synced(share(connection, waitMs, queue), logSync);
  const waiting = new Set<() => void>();
  let isTaken = false;

  async function enter(): Promise<void> {
    if (isTaken) await new Promise<void>((resolve) => waiting.add(resolve));
    isTaken = true;
  }

  function leave(): void {
    for (const enterNext of waiting) {
      waiting.delete(enterNext);
      enterNext();
      return;
    }
    isTaken = false;
  }

  return {
    async init() {},
    async acquireConnection() {
      const arrivedAt = performance.now();
      await enter();
      queue.arrivedAt = arrivedAt;
      return sharedConnection;
    },
    async releaseConnection() {
      leave();
    },
    async beginTransaction() {
      connection.run('begin immediate');
    },
    async commitTransaction() {
      connection.run('commit');
    },
    async rollbackTransaction() {
      connection.run('rollback');
    },
    async destroy() {
      await enter();
      try {
        await logSync()?.close();
        connection.all('pragma wal_checkpoint(truncate)');
      } finally {
        connection.close();
        leave();
      }
    },
  };
}

interface Queue {
  /** The instant at which the current holder entered the queue. */
  arrivedAt: number;
  gaveUpAt: number;
}

function share(connection: SqliteConnection, waitMs: () => number, queue: Queue): DatabaseConnection {
  return {
    executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      return patiently(waitMs(), queue, () => {
        if (READS.test(sql) || sql.endsWith(RETURNING))
          return { rows: connection.all(sql, parameters) as Row[] };
        return { rows: [], numAffectedRows: connection.run(sql, parameters) };
      });
    },
    streamQuery() {
      throw new Error('Streaming is not supported.');
    },
  };
}

const BEGINS = /^begin\b/i;
const ENDS = /^(?:commit|rollback)\b/i;

/** Wraps a connection so that a write is answered only after the log is on disk. */
function synced(
  sharedConnection: DatabaseConnection,
  logSync: () => LogSync | undefined,
): DatabaseConnection {
  let isWithin = false;
  let hasWritten = false;
  return {
    ...sharedConnection,
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { sql } = query;
      const result = await sharedConnection.executeQuery<Row>(query);
      if (BEGINS.test(sql)) isWithin = true;
      else if (ENDS.test(sql)) isWithin = false;
      else if (!READS.test(sql)) hasWritten = true;
      if (!isWithin && hasWritten) {
        hasWritten = false;
        if (sql !== 'rollback') await logSync()?.sync();
      }
      return result;
    },
  };
}

/**
 * Retries while another connection has the lock, up to a time limit. SQLite's own wait would block the event
 * loop. A connection of this process could then never release the lock.
 */
async function patiently<Result>(waitMs: number, queue: Queue, run: () => Result): Promise<Result> {
  const { arrivedAt, gaveUpAt } = queue;
  const end = waitMs + (arrivedAt < gaveUpAt ? arrivedAt : performance.now());
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return run();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const now = performance.now();
      if (now >= end) {
        queue.gaveUpAt = now;
        throw error;
      }
    }
    await setTimeout(pauseMs);
  }
}

const MAX_PAUSE_MS = 16;

const READS = /^\s*(?:select|pragma|with)\b/i;

/** The end of the only statement that changes a row and returns a value. */
const RETURNING = ' returning "value"';
