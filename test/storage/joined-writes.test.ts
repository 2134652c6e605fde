import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JoinableWrite, joinWrites, type Outcome } from '../../adapters/storage/sql/joined-writes.ts';
import { createDeadlines, type StorageEvent } from '../../src/ports/index.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { cases } from '../support/runs.ts';

interface Write extends JoinableWrite {
  readonly number: number;
}

/** A transaction under way. */
interface Transaction {
  readonly writes: readonly Write[];
  /** Commits, or fails with the error. */
  end(error?: Error): void;
}

/** Transactions that end when the test says so. The result of a write is its number. */
function openDatabase(limitMs = PATIENT_MS) {
  const underWay: Transaction[] = [];
  const sent: Transaction[] = [];
  const events: StorageEvent[] = [];
  let number = 0;
  const join = joinWrites<Write, number>({
    run: (writes) =>
      new Promise((resolve, reject) => {
        const transaction: Transaction = {
          writes,
          end(error) {
            underWay.splice(underWay.indexOf(transaction), 1);
            const outcomes = writes.map(
              (write): Outcome<number> =>
                () =>
                  write.number,
            );
            if (error === undefined) resolve(outcomes);
            else reject(error);
          },
        };
        underWay.push(transaction);
        sent.push(transaction);
      }),
    deadlines: createDeadlines(limitMs, () => new Error('late')),
    emit: (event) => events.push(event),
  });
  const write = (counters: readonly string[], size = 10): Promise<number> => {
    number += 1;
    return join({ counters, size, number });
  };
  return { underWay, sent, events, write };
}

const numbersOf = ({ writes }: Transaction): readonly number[] => writes.map(({ number }) => number);

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

const COUNTERS = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 });
const STEP = fc.oneof(
  fc.record({
    op: fc.constant('write' as const),
    counters: COUNTERS,
    times: fc.integer({ min: 1, max: 90 }),
  }),
  fc.record({ op: fc.constant('end' as const), which: fc.nat(), isFailure: fc.boolean() }),
);

describe('writes that are joined', () => {
  test('are each sent once, in the order of their arrival, and share only a counter', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { maxLength: 30 }), async (steps) => {
        const { underWay, sent, write } = openDatabase();
        const failed = new Set<number>();
        const ends: Promise<void>[] = [];
        let count = 0;
        for (const step of steps) {
          if (step.op === 'write') {
            for (let time = 0; time < step.times; time += 1) {
              count += 1;
              const own = count;
              const end = write(step.counters).then(
                (result) => expect([result, failed.has(own)]).toEqual([own, false]),
                () => expect(failed.has(own)).toBe(true),
              );
              ends.push(end);
            }
          } else if (underWay.length > 0) {
            const transaction = underWay[step.which % underWay.length];
            if (step.isFailure) for (const { number } of transaction?.writes ?? []) failed.add(number);
            transaction?.end(step.isFailure ? new Error('failed') : undefined);
          }
          await settle();
          const busy = underWay.flatMap(({ writes }) => [
            ...new Set(writes.flatMap(({ counters }) => counters)),
          ]);
          for (const counter of new Set(busy)) {
            expect(busy.filter((name) => name === counter)).toHaveLength(1);
          }
        }
        while (underWay.length > 0) {
          underWay[0]?.end();
          await settle();
        }
        await Promise.all(ends);
        expect(sent.flatMap(numbersOf).sort((a, b) => a - b)).toEqual(
          Array.from({ length: count }, (_, i) => i + 1),
        );
        for (const transaction of sent) {
          const { writes } = transaction;
          expect(writes.length).toBeLessThanOrEqual(64);
          const shared = writes[0]?.counters.filter((name) =>
            writes.every(({ counters }) => counters.includes(name)),
          );
          expect(shared?.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: cases() },
    );
  });

  test('go at once while the counter is free, and else together when a transaction has ended', async () => {
    const { underWay, events, write } = openDatabase();
    const answers = Array.from({ length: 100 }, () => write(['a']));
    const other = write(['b']);
    expect(underWay.map(numbersOf)).toEqual([[1], [101]]);
    underWay[0]?.end();
    await settle();
    expect(underWay.map((transaction) => transaction.writes.length)).toEqual([1, 64]);
    while (underWay.length > 0) {
      underWay[0]?.end();
      await settle();
    }
    expect(await Promise.all([...answers, other])).toEqual(Array.from({ length: 101 }, (_, i) => i + 1));
    // Those that were sent at once are not reported.
    expect(events).toEqual([64, 35].map((count) => ({ type: 'joined', kind: 'write', count })));
  });

  test('take no more than 256 KB together, and one of any size alone', async () => {
    const { underWay, sent, write } = openDatabase();
    const sizes = [1, 100_000, 100_000, 100_000, 900_000, 5];
    const answers = sizes.map((size) => write(['a'], size));
    while (underWay.length > 0) {
      underWay[0]?.end();
      await settle();
    }
    await Promise.all(answers);
    expect(sent.map(numbersOf)).toEqual([[1], [2, 3], [4], [5], [6]]);
  });

  test('are not sent once they are late', async () => {
    const { underWay, write } = openDatabase(1_000);
    const late = [write(['a']), write(['a'])];
    await pause(500);
    const younger = write(['a']);
    await Promise.all(late.map((answer) => expect(answer).rejects.toThrow('late')));
    underWay[0]?.end();
    await settle();
    expect(underWay.map(numbersOf)).toEqual([[3]]);
    underWay[0]?.end();
    expect(await younger).toBe(3);
  });
});
