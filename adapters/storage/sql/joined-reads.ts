import type { TimedCall } from '../../../src/ports/index.ts';
import type { Joins } from './joins.ts';

/** The reads that are joined. */
export interface JoinedReads<Found> extends Joins {
  /** Reads one row; resolves to `undefined` if it does not exist. */
  readonly one: (id: string) => Promise<Found | undefined>;
  /** Reads the rows that exist of the ids, in one statement. */
  readonly several: (ids: readonly string[]) => Promise<ReadonlyMap<string, Found>>;
}

/** A read that waits for a statement. */
interface Waiting<Found> {
  readonly id: string;
  readonly call: TimedCall;
  resolve(found: Found | undefined): void;
  reject(error: unknown): void;
}

/** The number of statements under way, beyond which reads wait and are joined. */
const MAX_STATEMENTS = 2;
const MAX_IDS = 64;

/**
 * Joins reads of one table. A read is sent at once while few statements are under way. Otherwise it waits until one of
 * them has ended, and goes as one statement with all others that wait: there is no timer. So a read never returns a
 * state from before it was called. One that is late rejects alone.
 */
export function joinReads<Found>({
  one,
  several,
  deadlines,
  emit,
}: JoinedReads<Found>): (id: string) => Promise<Found | undefined> {
  let waiting: Waiting<Found>[] = [];
  let statements = 0;

  async function run<Answer>(statement: Promise<Answer>): Promise<Answer> {
    statements += 1;
    try {
      return await statement;
    } finally {
      statements -= 1;
      sendNext();
    }
  }

  function sendNext(): void {
    waiting = waiting.filter(({ call }) => !call.isLate);
    if (waiting.length === 0 || statements >= MAX_STATEMENTS) return;
    const joined = waiting.splice(0, MAX_IDS);
    emit?.({ type: 'joined', kind: 'get', count: joined.length });
    run(several([...new Set(joined.map(({ id }) => id))])).then(
      (found) => {
        for (const { id, resolve } of joined) resolve(found.get(id));
      },
      (error) => {
        for (const { reject } of joined) reject(error);
      },
    );
  }

  return (id) => {
    if (statements < MAX_STATEMENTS) return run(one(id));
    return deadlines.limit(
      (call) => new Promise((resolve, reject) => waiting.push({ id, call, resolve, reject })),
    );
  };
}
