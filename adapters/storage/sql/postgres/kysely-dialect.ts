import { createHash } from 'node:crypto';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Deadlines, TimedCall } from '../../../../src/ports/index.ts';
import { breaksConnection, wasCancelled } from './errors.ts';
import { connectWithin, type PostgresClient, type PostgresPool, type PostgresResult } from './pool.ts';

/** The deadlines, and the callbacks of the owner of the connections. */
export interface PostgresDriverOptions {
  /** For getting a connection. */
  readonly connects: Deadlines;
  /** For a call, until its last answer. */
  readonly calls: () => Deadlines;
  /** Sets a new connection up; resolves with whether the server can keep the plans of its statements: behind a pooler it cannot. */
  readonly begin: (connection: DatabaseConnection, client: PostgresClient) => Promise<boolean>;
  /** The server behind a new connection; rejects when it must not be used. */
  readonly greet: (connection: DatabaseConnection) => Promise<string | undefined>;
  /** Whether a connection to that server may still be used. */
  readonly isCurrent: (run: string) => boolean;
}

/**
 * Kysely over a pool of `pg`. Kysely's own driver knows no deadlines, gives a connection with an unanswered
 * statement back to the pool, and lets an error of a connection that is between two statements end the process.
 */
export function postgresKyselyDialect(pool: PostgresPool, options: PostgresDriverOptions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(pool, options),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** A connection while it is out of the pool. */
interface Lent extends DatabaseConnection {
  giveBack(destroy?: boolean): void;
}

function createDriver(pool: PostgresPool, options: PostgresDriverOptions): Driver {
  const lent = new WeakMap<DatabaseConnection, Lent>();
  const begun = new WeakMap<PostgresClient, boolean>();
  const greeted = new WeakMap<PostgresClient, string>();
  const run = async (connection: DatabaseConnection, text: string): Promise<void> => {
    await connection.executeQuery({ sql: text, parameters: [] } as unknown as CompiledQuery);
  };

  /** A connection to the current server, or a new one. */
  async function take(): Promise<PostgresClient> {
    for (;;) {
      const client = await connectWithin(pool, options.connects);
      const run = greeted.get(client);
      if (run === undefined || options.isCurrent(run)) return client;
      client.release(true);
    }
  }

  return {
    async init() {},
    async acquireConnection() {
      const calls = options.calls();
      const call = calls.begin();
      const client = await take().catch((error: unknown) => {
        calls.finish(call);
        throw error;
      });
      const connection = lend(client, { calls, call, keepsPlans: () => begun.get(client) === true });
      try {
        if (!begun.has(client)) begun.set(client, await options.begin(connection, client));
        if (!greeted.has(client)) {
          const run = await options.greet(connection);
          if (run !== undefined) greeted.set(client, run);
        }
      } catch (error) {
        connection.giveBack(true);
        throw error;
      }
      lent.set(connection, connection);
      return connection;
    },
    async releaseConnection(connection) {
      lent.get(connection)?.giveBack();
    },
    beginTransaction: (connection) => run(connection, 'begin'),
    commitTransaction: (connection) => run(connection, 'commit'),
    rollbackTransaction: (connection) => run(connection, 'rollback'),
    async destroy() {},
  };
}

/** The call that a connection is acquired for. */
interface Loan {
  readonly calls: Deadlines;
  readonly call: TimedCall;
  readonly keepsPlans: () => boolean;
}

function lend(client: PostgresClient, { calls, call, keepsPlans }: Loan): Lent {
  let broken: unknown;
  const onError = (error: Error): void => {
    broken ??= error;
  };
  client.on('error', onError);
  return {
    async executeQuery<Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      if (call.isLate) broken ??= new Error('PostgreSQL did not answer in time.');
      if (broken !== undefined) throw broken;
      try {
        const answer = await calls.settle(
          call,
          client.query({
            text,
            ...(parameters.length > 0 && { values: [...parameters] }),
            ...(parameters.length > 0 && keepsPlans() && { name: nameOf(text) }),
          }),
        );
        const { command, rowCount, rows } = lastOf(answer);
        return {
          rows: rows as Row[],
          ...(WRITES.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
        };
      } catch (error) {
        if (breaksConnection(error)) broken ??= error;
        throw wasCancelled(error) ? outOfTime(error) : error;
      }
    },
    streamQuery() {
      throw new Error('Streaming is not supported.');
    },
    giveBack(destroy = false) {
      calls.finish(call);
      client.off('error', onError);
      client.release(destroy || broken !== undefined);
    },
  };
}

/** The server still answers: only one statement took too long. */
function outOfTime(cause: unknown): Error {
  const error = new Error('PostgreSQL has cancelled a statement for its time.', { cause });
  error.name = 'TimeoutError';
  return error;
}

/** A text of several statements has several answers. */
function lastOf(answer: PostgresResult | readonly PostgresResult[]): PostgresResult {
  const last = Array.isArray(answer) ? answer[answer.length - 1] : answer;
  if (last === undefined) throw new Error('PostgreSQL gave no answer.');
  return last;
}

const WRITES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);

const names = new Map<string, string>();

/** The texts differ by tables and fields only, so there are few; the limit is a safeguard. */
const MAX_NAMES = 500;

/**
 * By the text alone: a pooler that is not recognised may hand the session of one process to another, where the
 * same name must stand for the same text.
 */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMES) return known;
  const name = `ais_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}
