import type { Kysely } from 'kysely';
import type { SqlDialect } from './dialect.ts';
import type { Marker } from './marker.ts';
import type { SqlTables } from './rows.ts';
import { transact, transactOn } from './transaction.ts';

/** The statements of a call on one connection. */
export type Question<Answer> = (connection: Kysely<SqlTables>) => Promise<Answer>;

/** Runs calls on a database. */
export interface Calls {
  /** Throws once `close` was called. */
  assertOpen(): void;
  /** Whether `close` was called. */
  isClosing(): boolean;
  /** The same promise; `close` waits for it. */
  follow<Result>(call: Promise<Result>): Promise<Result>;
  /** An answer of the database that was opened; `isEmpty`: whether the answer means that something does not exist. */
  ask<Answer>(question: Question<Answer>, isEmpty: (answer: Answer) => boolean): Promise<Answer>;
  /** An answer of several statements over one snapshot. */
  askAtOnce<Answer>(question: Question<Answer>): Promise<Answer>;
  /** The result of a transaction, committed where `keep` says so, by default always. */
  store<Result>(body: Question<Result>, keep?: (result: Result) => boolean): Promise<Result>;
  /** The result of a call that is acknowledged. */
  whilePresent<Result>(call: () => Promise<Result>): Promise<Result>;
  /** Settles when all calls have; later ones are refused. */
  close(): Promise<void>;
}

/** A database, with its marker and its checks. */
export interface CallsParts {
  readonly kysely: Kysely<SqlTables>;
  readonly reader: Kysely<SqlTables>;
  readonly dialect: SqlDialect;
  readonly marker: Marker;
  readonly mayChangeServer: boolean;
  readonly assertPresent: ((withinMs?: number) => void) | undefined;
}

/** Answers from memory may be older than this anyway, so the file is not checked for each answer. */
export const PRESENT_MS = 100;

/** The calls to a database that is open. */
export function createCalls({
  kysely,
  reader,
  dialect,
  marker,
  mayChangeServer,
  assertPresent,
}: CallsParts): Calls {
  const running = new Set<Promise<unknown>>();
  let isClosing = false;

  /** A closed pool drops the calls that wait for a connection, so `close` waits for all calls first. */
  function follow<Result>(call: Promise<Result>): Promise<Result> {
    running.add(call);
    const forget = (): boolean => running.delete(call);
    call.then(forget, forget);
    return call;
  }

  const inTransaction = <Answer>(
    connection: Kysely<SqlTables>,
    question: Question<Answer>,
  ): Promise<Answer> => transactOn(connection, dialect, question, { begin: marker.beginReading });

  /** INVARIANT: an acknowledged write is in the database that the path or URL names at that moment. */
  async function whilePresent<Result>(call: () => Promise<Result>): Promise<Result> {
    assertPresent?.();
    const result = await call();
    assertPresent?.();
    return result;
  }

  return {
    assertOpen() {
      if (isClosing) throw new Error('The storage is closed.');
    },
    isClosing: () => isClosing,
    follow,
    /**
     * INVARIANT: an answer "does not exist" needs the marker in the same snapshot. A check right before or
     * after is not enough: an emptied database may be filled again in between. A connection that may lead to another
     * server, which could answer with older records, always asks in a transaction.
     */
    ask(question, isEmpty) {
      const asking = reader.connection().execute(async (connection) => {
        if (mayChangeServer) return inTransaction(connection, question);
        const found = await question(connection);
        assertPresent?.(PRESENT_MS);
        if (!isEmpty(found)) return found;
        const answer = await inTransaction(connection, question);
        assertPresent?.();
        return answer;
      });
      return follow(asking);
    },
    askAtOnce(question) {
      const asking = reader.connection().execute(async (connection) => {
        const answer = await inTransaction(connection, question);
        assertPresent?.();
        return answer;
      });
      return follow(asking);
    },
    store(body, keep) {
      const options = { begin: marker.begin, ...(keep && { keep }) };
      return follow(whilePresent(() => transact(kysely, dialect, body, options)));
    },
    whilePresent: (call) => follow(whilePresent(call)),
    async close() {
      isClosing = true;
      await Promise.allSettled(running);
    },
  };
}
