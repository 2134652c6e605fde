import type { TimedCall } from '../../../src/ports/index.ts';
import type { Joins } from './joined-writes.ts';

export interface JoinedReads<Found> extends Joins {
  readonly one: (id: string) => Promise<Found | undefined>;
  readonly several: (ids: readonly string[]) => Promise<ReadonlyMap<string, Found>>;
}

interface Waiting<Found> {
  readonly id: string;
  readonly call: TimedCall;
  resolve(finding: Found | undefined): void;
  reject(error: unknown): void;
}

/** The number of running statements at which further reads wait and are joined. */
const MAX_STATEMENTS = 2;
const MAX_IDS = 64;

/**
 * Joins reads of one table. A read is sent at once while few statements are running. Otherwise it waits until
 * a statement has ended, and is sent in one statement with all other waiting reads. No timer delays a read.
 *
 * A read joins only a statement that is sent after its call, so it never returns an older state. If one read
 * is late, only this read rejects.
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
    const joinedWaitings = waiting.splice(0, MAX_IDS);
    emit?.({ type: 'joined', kind: 'get', count: joinedWaitings.length });
    run(several([...new Set(joinedWaitings.map(({ id }) => id))])).then(
      (foundRecords) => {
        for (const { id, resolve } of joinedWaitings) resolve(foundRecords.get(id));
      },
      (error) => {
        for (const { reject } of joinedWaitings) reject(error);
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
