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
  /** The deadlines for getting a connection. */
  readonly connects: Deadlines;
  /** Returns the deadlines of a call, which include its last answer. */
  readonly calls: () => Deadlines;
  /** Sets up a new connection; resolves to `true` if it supports prepared statements: behind a pooler it does not. */
  readonly begin: (connection: DatabaseConnection, client: PostgresClient) => Promise<boolean>;
  /** Returns the server behind a new connection; rejects if the connection must not be used. */
  readonly greet: (connection: DatabaseConnection) => Promise<string | undefined>;
  /** Returns `true` if a connection to that server may still be used. */
  readonly isCurrent: (incarnation: string) => boolean;
}

/**
 * Creates a Kysely dialect over a pool of `pg`. The driver of Kysely has no deadlines, returns connections with an
 * unanswered statement to the pool, and lets an error of a connection between two statements end the process.
 */
export function postgresKyselyDialect(pool: PostgresPool, options: PostgresDriverOptions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(pool, options),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** A connection that is checked out of the pool. */
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

  /** Returns a connection to the current server, or a new one. */
  async function take(): Promise<PostgresClient> {
    for (;;) {
      const client = await connectWithin(pool, options.connects);
      const incarnation = greeted.get(client);
      if (incarnation === undefined || options.isCurrent(incarnation)) return client;
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
          const incarnation = await options.greet(connection);
          if (incarnation !== undefined) greeted.set(client, incarnation);
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

/** The call for which a connection is checked out. */
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

/** Makes the error of a cancelled statement. The connection can still be used. */
function outOfTime(cause: unknown): Error {
  const error = new Error('PostgreSQL has cancelled a statement for its time.', { cause });
  error.name = 'TimeoutError';
  return error;
}

/** Returns the last answer, because a text of several statements has several. */
function lastOf(answer: PostgresResult | readonly PostgresResult[]): PostgresResult {
  const last = Array.isArray(answer) ? answer[answer.length - 1] : answer;
  if (last === undefined) throw new Error('PostgreSQL gave no answer.');
  return last;
}

const WRITES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);

const names = new Map<string, string>();

/** The maximum number of prepared statements, as a safeguard: texts differ only by tables and fields. */
const MAX_NAMES = 500;

/**
 * Returns the name of a prepared statement, a digest of its text. An undetected pooler may give the session of one
 * process to another, so in all processes a name must mean the same text.
 */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMES) return known;
  const name = `ais_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}
