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
import { createDeadlines, type Deadlines, type TimedCall } from '../../../../src/ports/index.ts';
import { breaksConnection, isWrongSetUp, wasCancelled } from './errors.ts';
import type { Hosts } from './hosts.ts';
import {
  connectWithin,
  type PostgresClient,
  type PostgresPool,
  type PostgresQuery,
  type PostgresResult,
} from './pool.ts';

export interface PostgresDriverOptions {
  readonly connects: Deadlines;
  /** Returns the deadlines of a call. The last reply must arrive before the deadline. */
  readonly calls: () => Deadlines;
  /**
   * Sets up a new connection. Resolves to `true` if the connection supports prepared statements. Behind a pooler, a
   * connection does not support them.
   */
  readonly begin: (connection: DatabaseConnection, client: PostgresClient) => Promise<boolean>;
  readonly greet: (connection: DatabaseConnection, client: PostgresClient) => Promise<string | undefined>;
  readonly isCurrent: (incarnation: string) => boolean;
  readonly hosts?: Hosts | undefined;
  /** Returns the time for which failed attempts to connect are repeated, if there are several hosts. */
  readonly patienceMs: () => number;
}

/** The pause after attempts at all hosts have failed. */
const PAUSE_MS = 100;

/**
 * Creates a Kysely dialect over a pool of `pg`. It replaces the driver of Kysely, which has no deadlines.
 * That driver also returns connections with an unanswered statement to the pool. If a connection fails
 * between two statements, that driver does not handle the error, and the Node process ends.
 */
export function postgresKyselyDialect(pool: PostgresPool, options: PostgresDriverOptions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(pool, options),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

interface Lent extends DatabaseConnection {
  giveBack(destroy?: boolean): void;
}

interface Call {
  readonly calls: Deadlines;
  readonly call: TimedCall;
}

function createDriver(pool: PostgresPool, options: PostgresDriverOptions): Driver {
  const connect = createConnect(pool, options);
  const loans = new WeakMap<DatabaseConnection, { connection: Lent; finish: () => void }>();
  const run = async (connection: DatabaseConnection, text: string): Promise<void> => {
    await connection.executeQuery({ sql: text, parameters: [] } as unknown as CompiledQuery);
  };
  return {
    async init() {},
    async acquireConnection() {
      const calls = options.calls();
      const call = calls.begin();
      try {
        const connection = await connect({ calls, call });
        loans.set(connection, { connection, finish: () => calls.finish(call) });
        return connection;
      } catch (error) {
        calls.finish(call);
        throw error;
      }
    },
    async releaseConnection(connection) {
      const loan = loans.get(connection);
      loan?.finish();
      loan?.connection.giveBack();
    },
    beginTransaction: (connection) => run(connection, 'begin'),
    commitTransaction: (connection) => run(connection, 'commit'),
    rollbackTransaction: (connection) => run(connection, 'rollback'),
    async destroy() {},
  };
}

function createConnect(pool: PostgresPool, options: PostgresDriverOptions): (call: Call) => Promise<Lent> {
  const { hosts } = options;
  const attempts =
    hosts === undefined || hosts.count === 1
      ? undefined
      : createDeadlines(hosts.attemptMs, () => new Error('A host of PostgreSQL did not answer in time.'));
  const begunMap = new WeakMap<PostgresClient, boolean>();
  const greetedMap = new WeakMap<PostgresClient, string>();

  async function take(): Promise<PostgresClient> {
    for (;;) {
      const client = await connectWithin(pool, options.connects);
      const incarnation = greetedMap.get(client);
      if (incarnation === undefined || options.isCurrent(incarnation)) return client;
      client.release(true);
    }
  }

  async function attempt(call: Call): Promise<Lent> {
    const client = await take();
    const connection = lend(client, {
      calls: call.calls,
      call: call.call,
      keepsPlans: () => begunMap.get(client) === true,
    });
    if (greetedMap.has(client)) return connection;
    const prepare = async (): Promise<void> => {
      if (!begunMap.has(client)) begunMap.set(client, await options.begin(connection, client));
      const incarnation = await options.greet(connection, client);
      if (incarnation !== undefined) greetedMap.set(client, incarnation);
    };
    try {
      await (attempts === undefined ? prepare() : attempts.limit(prepare));
      hosts?.use(client);
      return connection;
    } catch (error) {
      hosts?.leave(client);
      connection.giveBack(true);
      throw error;
    }
  }

  return async (call) => {
    const endMs = performance.now() + options.patienceMs();
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt(call);
      } catch (error) {
        const mayRepeat =
          attempts !== undefined && !call.call.isLate && performance.now() < endMs && !isWrongSetUp(error);
        if (!mayRepeat) throw error;
        if (hosts !== undefined && tries % hosts.count === 0)
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  };
}

interface Loan extends Call {
  readonly keepsPlans: () => boolean;
}

function toPostgresQuery({ sql: text, parameters }: CompiledQuery, keepsPlans: () => boolean): PostgresQuery {
  if (parameters.length === 0) return { text };
  return { text, values: [...parameters], ...(keepsPlans() && { name: nameOf(text) }) };
}

function lend(client: PostgresClient, { calls, call, keepsPlans }: Loan): Lent {
  let failure: unknown;
  const onError = (error: Error): void => {
    failure ??= error;
  };
  client.on('error', onError);
  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      if (call.isLate) failure ??= new Error('PostgreSQL did not answer in time.');
      if (failure !== undefined) throw failure;
      try {
        const answer = await calls.settle(call, client.query(toPostgresQuery(query, keepsPlans)));
        const { command, rowCount, rows } = lastOf(answer);
        return {
          rows: rows as Row[],
          ...(WRITES.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
        };
      } catch (error) {
        if (breaksConnection(error)) failure ??= error;
        throw wasCancelled(error) ? outOfTime(error) : error;
      }
    },
    streamQuery() {
      throw new Error('Streaming is not supported.');
    },
    giveBack(destroy = false) {
      client.off('error', onError);
      client.release(destroy || failure !== undefined);
    },
  };
}

function outOfTime(cause: unknown): Error {
  const error = new Error('PostgreSQL has cancelled a statement for its time.', { cause });
  error.name = 'TimeoutError';
  return error;
}

/** Returns the last result, because a text with several statements has several results. */
function lastOf(answer: PostgresResult | readonly PostgresResult[]): PostgresResult {
  const last = Array.isArray(answer) ? answer[answer.length - 1] : answer;
  if (last === undefined) throw new Error('PostgreSQL gave no answer.');
  return last;
}

const WRITES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);

const names = new Map<string, string>();

/**
 * The maximum number of prepared statements, as a safeguard. Statements differ only by tables and fields, so there are
 * few.
 */
const MAX_NAMES = 500;

/**
 * Returns the name of a prepared statement, which is a digest of its text. An undetected pooler may give the session of
 * one process to another. In all processes, a name must therefore mean the same text.
 */
function nameOf(text: string): string | undefined {
  const knownName = names.get(text);
  if (knownName !== undefined || names.size >= MAX_NAMES) return knownName;
  const name = `ais_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}
