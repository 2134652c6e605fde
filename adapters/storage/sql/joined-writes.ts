import type { Deadlines, StorageObserver, TimedCall } from '../../../src/ports/index.ts';

export interface JoinableWrite {
  /** The names of the counters that the write changes; at least one. */
  readonly counters: readonly string[];
  /** The size of the write's text, in UTF-16 code units. */
  readonly size: number;
}

/** Returns the result of one write, or throws the error of this write. */
export type Outcome<Result> = () => Result;

export interface JoinedWrites<Write, Result> extends Joins {
  /**
   * Runs writes in one transaction, in their order. Each write is stored completely or not at all. Resolves after the
   * commit to an outcome for each write. Rejects if it is unknown what was written.
   */
  readonly run: (writes: readonly Write[]) => Promise<readonly Outcome<Result>[]>;
}

interface Waiting<Write, Result> {
  readonly write: Write;
  readonly call: TimedCall;
  resolve(outcome: Outcome<Result>): void;
  reject(error: unknown): void;
}

const MAX_WRITES = 64;
const MAX_SIZE = 256 * 1024;

/**
 * Joins writes to the same counter. Without joining, each write would wait for the lock of the counter. The
 * waiting transactions would also keep PostgreSQL from removing old versions of the counter (2,500 writes per
 * second instead of 11,700).
 *
 * A write is sent at once while no transaction of its counters is running. Otherwise it waits for the end of
 * this transaction. It is then sent in one transaction with all other waiting writes to the counter. No timer
 * delays a write. If one write is late, only this write rejects, and it may still be stored.
 */
export function joinWrites<Write extends JoinableWrite, Result>({
  run,
  deadlines,
  emit,
}: JoinedWrites<Write, Result>): (write: Write) => Promise<Result> {
  type Queue = Waiting<Write, Result>[];
  const queues = new Map<string, Queue>();

  function queueOf({ counters }: Write): Queue | undefined {
    return counters.map((counter) => queues.get(counter)).find((queue) => queue !== undefined);
  }

  async function send(joinedQueue: Queue): Promise<void> {
    const counters = [...new Set(joinedQueue.flatMap(({ write }) => write.counters))];
    for (const counter of counters) queues.set(counter, []);
    try {
      const outcomes = await run(joinedQueue.map(({ write }) => write));
      for (const [index, { resolve }] of joinedQueue.entries()) resolve(outcomes[index] as Outcome<Result>);
    } catch (error) {
      for (const { reject } of joinedQueue) reject(error);
    }
    const waiting = counters.map((counter) => queues.get(counter) ?? []);
    for (const counter of counters) queues.delete(counter);
    for (const queue of waiting) sendTogether(queue);
  }

  function sendTogether(queue: Queue): void {
    const joinedQueue: Queue = [];
    const otherQueue: Queue = [];
    let size = 0;
    for (const waiting of queue.filter(({ call }) => !call.isLate)) {
      const isFull =
        joinedQueue.length === MAX_WRITES || (joinedQueue.length > 0 && size + waiting.write.size > MAX_SIZE);
      if (isFull || otherQueue.length > 0) otherQueue.push(waiting);
      else if (!hold(waiting)) {
        joinedQueue.push(waiting);
        size += waiting.write.size;
      }
    }
    if (joinedQueue.length > 0) {
      emit?.({ type: 'joined', kind: 'write', count: joinedQueue.length });
      void send(joinedQueue);
    }
    for (const waiting of otherQueue) hold(waiting);
  }

  function hold(waiting: Waiting<Write, Result>): boolean {
    const queue = queueOf(waiting.write);
    queue?.push(waiting);
    return queue !== undefined;
  }

  return async (write) => {
    const outcome = await deadlines.limit<Outcome<Result>>(
      (call) =>
        new Promise((resolve, reject) => {
          const waiting = { write, call, resolve, reject };
          if (!hold(waiting)) void send([waiting]);
        }),
    );
    return outcome();
  };
}

export interface Joins {
  readonly deadlines: Deadlines;
  readonly emit?: StorageObserver | undefined;
}
