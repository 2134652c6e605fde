import type { Kysely } from 'kysely';
import type { SqlDialect } from './dialect.ts';
import type { StoreIdentity } from './identity.ts';
import type { SqlTables } from './rows.ts';
import { transact, transactOn } from './transaction.ts';

export type Question<Answer> = (connection: Kysely<SqlTables>) => Promise<Answer>;

export interface Calls {
  assertOpen(): void;
  isClosing(): boolean;
  follow<Result>(call: Promise<Result>): Promise<Result>;
  /** Reads from the opened database. `isEmpty` says whether an answer means that something does not exist. */
  ask<Answer>(question: Question<Answer>, isEmpty: (answer: Answer) => boolean): Promise<Answer>;
  askAtOnce<Answer>(question: Question<Answer>): Promise<Answer>;
  store<Result>(body: Question<Result>, keep?: (result: Result) => boolean): Promise<Result>;
  /** Runs a call that acknowledges a write, or whose result depends on the file being in place. */
  whilePresent<Result>(call: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface CallsParts {
  readonly kysely: Kysely<SqlTables>;
  readonly reader: Kysely<SqlTables>;
  readonly dialect: SqlDialect;
  readonly identity: StoreIdentity;
  readonly mayChangeServer: boolean;
  readonly assertPresent: ((withinMs?: number) => void) | undefined;
}

/** The milliseconds for which a check of the file is valid for reads. Caches may be older than this anyway. */
export const PRESENT_MS = 100;

export function createCalls({
  kysely,
  reader,
  dialect,
  identity,
  mayChangeServer,
  assertPresent,
}: CallsParts): Calls {
  const running = new Set<Promise<unknown>>();
  let isClosing = false;

  /** Registers a running call. `close` waits for all of them, because a closed pool drops waiting calls. */
  function follow<Result>(call: Promise<Result>): Promise<Result> {
    running.add(call);
    const forget = (): boolean => running.delete(call);
    call.then(forget, forget);
    return call;
  }

  const inTransaction = <Answer>(
    connection: Kysely<SqlTables>,
    question: Question<Answer>,
  ): Promise<Answer> => transactOn(connection, dialect, question, { begin: identity.beginReading });

  /**
   * Checks the file before and after a call.
   *
   * INVARIANT: an acknowledged write is in the database at the path or URL.
   */
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
     * Reads an answer.
     *
     * INVARIANT: an answer "does not exist" needs the identity in the same snapshot. A check before or after the answer
     * is not enough, because an emptied database may be filled again in between. If a connection can move to another
     * server, which may have older records, it always reads in a transaction.
     */
    ask(question, isEmpty) {
      const asking = reader.connection().execute(async (connection) => {
        if (mayChangeServer) return inTransaction(connection, question);
        const foundAnswer = await question(connection);
        assertPresent?.(PRESENT_MS);
        if (!isEmpty(foundAnswer)) return foundAnswer;
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
      const options = { begin: identity.begin, ...(keep && { keep }) };
      return follow(whilePresent(() => transact(kysely, dialect, body, options)));
    },
    whilePresent: (call) => follow(whilePresent(call)),
    async close() {
      isClosing = true;
      await Promise.allSettled(running);
    },
  };
}
