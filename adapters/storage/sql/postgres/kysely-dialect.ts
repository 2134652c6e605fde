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
import { breaksConnection } from './errors.ts';
import { connectWithin, type PostgresClient, type PostgresPool, type PostgresResult } from './pool.ts';

/** How long things may take, and who owns the connections. */
export interface PostgresDriverOptions {
  /** Until there is a connection. */
  readonly connectMs: number;
  /** From the call until its last answer. */
  readonly callMs: () => number;
  /** Whether the server is to keep the plans of statements: not behind a proxy that swaps connections. */
  readonly keepPlans: boolean;
  /** Rejects when a connection, asked for the first time, is not to be used. */
  readonly greet: (connection: DatabaseConnection) => Promise<void>;
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
  const greeted = new WeakSet<PostgresClient>();
  const run = async (connection: DatabaseConnection, text: string): Promise<void> => {
    await connection.executeQuery({ sql: text, parameters: [] } as unknown as CompiledQuery);
  };
  return {
    async init() {},
    async acquireConnection() {
      const deadline = performance.now() + options.callMs();
      const client = await connectWithin(pool, options.connectMs);
      const connection = lend(client, deadline, options.keepPlans);
      if (!greeted.has(client)) {
        try {
          await options.greet(connection);
        } catch (error) {
          connection.giveBack(true);
          throw error;
        }
        greeted.add(client);
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

function lend(client: PostgresClient, deadline: number, keepPlans: boolean): Lent {
  let broken: unknown;
  const onError = (error: Error): void => {
    broken ??= error;
  };
  client.on('error', onError);
  return {
    async executeQuery<Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) broken ??= new Error('PostgreSQL did not answer in time.');
      if (broken !== undefined) throw broken;
      try {
        const answer = await client.query({
          text,
          query_timeout: Math.ceil(leftMs),
          ...(parameters.length > 0 && { values: [...parameters] }),
          ...(parameters.length > 0 && keepPlans && { name: nameOf(text) }),
        });
        const { command, rowCount, rows } = lastOf(answer);
        return {
          rows: rows as Row[],
          ...(WRITES.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
        };
      } catch (error) {
        if (breaksConnection(error)) broken ??= error;
        throw error;
      }
    },
    streamQuery() {
      throw new Error('Streaming is not supported.');
    },
    giveBack(destroy = false) {
      client.off('error', onError);
      client.release(destroy || broken !== undefined);
    },
  };
}

/** A text of several statements has several answers. */
function lastOf(answer: PostgresResult | readonly PostgresResult[]): PostgresResult {
  const last = Array.isArray(answer) ? answer[answer.length - 1] : answer;
  if (last === undefined) throw new Error('PostgreSQL gave no answer.');
  return last;
}

const WRITES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);

const names = new Map<string, string>();

/** The texts differ by tables and fields only, so there are few; the limit is for what nobody foresaw. */
const MOST_NAMES = 500;

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_NAMES) return known;
  const name = `ais_${names.size + 1}`;
  names.set(text, name);
  return name;
}
