import { createHistogram, monitorEventLoopDelay, type RecordableHistogram } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { IdentityError } from '../../../src/index.ts';
import type { Subject } from './subject.ts';

/** How long, how many at a time, and who wants to know meanwhile. */
export interface Load {
  readonly connections: number;
  readonly seconds: number;
  /** Ends it before its time. */
  readonly stop: Promise<unknown>;
  /** Called about once a second. */
  readonly onSecond: (so: {
    readonly second: number;
    readonly perSecond: number;
    readonly errors: number;
  }) => void;
}

/** What was found. Latencies are in nanoseconds, from the question to its answer. */
export interface Measured {
  readonly latency: RecordableHistogram;
  /** Milliseconds that the event loop of this process was late. */
  readonly eventLoopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Verdicts in each whole second. */
  readonly perSecond: readonly number[];
  readonly verdicts: number;
  readonly seconds: number;
  /** By their code; `wrong_verdict` is one that is not what the passport says. */
  readonly errors: ReadonlyMap<string, number>;
  /** Verdicts that were answered and not recorded; `null` where that cannot be known. */
  readonly recordsDropped: number | null;
  readonly memory: { readonly rss_bytes: number; readonly heap_used_bytes: number };
}

const WARM_UP_MS = 500;
/** So long a turn of the event loop may take before the workers step aside. */
const TURN_MS = 1;
const RESOLUTION_MS = 5;

/** Asks over and over, each connection again as soon as it has its answer. The first half second is not counted. */
export async function measureSubject(subject: Subject, load: Load): Promise<Measured> {
  await work(subject, load.connections, performance.now() + WARM_UP_MS, load.stop);
  const droppedBefore = await subject.countDropped?.();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const startedAt = performance.now();
  const found = await work(
    subject,
    load.connections,
    startedAt + load.seconds * 1_000,
    load.stop,
    load.onSecond,
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  delay.disable();
  const { rss, heapUsed } = process.memoryUsage();
  // It first files what waits.
  const droppedNow = (await subject.countDropped?.()) ?? 0;
  // The monitor counts its own interval as well.
  const late = (ns: number): number => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  return {
    ...found,
    seconds,
    eventLoopDelayMs: {
      p50: late(delay.percentile(50)),
      p99: late(delay.percentile(99)),
      max: late(delay.max),
    },
    recordsDropped: droppedBefore === undefined ? null : droppedNow - droppedBefore,
    memory: { rss_bytes: rss, heap_used_bytes: heapUsed },
  };
}

type Found = Pick<Measured, 'latency' | 'perSecond' | 'verdicts' | 'errors'>;

async function work(
  { ask, questions, isInProcess }: Subject,
  connections: number,
  endAt: number,
  stop: Promise<unknown>,
  onSecond: Load['onSecond'] = () => {},
): Promise<Found> {
  const latency = createHistogram();
  const errors = new Map<string, number>();
  const perSecond: number[] = [];
  const beganAt = performance.now();
  let next = 0;
  let verdicts = 0;
  let failures = 0;
  let counted = 0;
  let turnAt = beganAt;
  let turn: Promise<void> | undefined;
  let secondAt = beganAt + 1_000;
  let isStopped = false;
  void stop.then(() => {
    isStopped = true;
  });

  const fail = (code: string): void => {
    failures += 1;
    errors.set(code, (errors.get(code) ?? 0) + 1);
  };

  async function worker(): Promise<void> {
    for (;;) {
      const startedAt = performance.now();
      if (startedAt >= secondAt) tellSecond();
      if (startedAt >= endAt || isStopped) return;
      const question = questions[next++ % questions.length];
      if (question === undefined) return;
      try {
        const { verdict } = await ask(question.intent);
        latency.record(Math.max(1, Math.round((performance.now() - startedAt) * 1e6)));
        if (question.expected !== undefined && verdict !== question.expected) fail('wrong_verdict');
        else verdicts += 1;
      } catch (error) {
        fail(error instanceof IdentityError ? error.code : 'failed');
        // A service that refuses at once would be asked as fast as this machine can.
        await nextTurn();
      }
      if (isInProcess && performance.now() - turnAt > TURN_MS) await sharedTurn();
    }
  }

  /** One for all: where each stepped aside by itself, the others would go on, and the loop never come around. */
  function sharedTurn(): Promise<void> {
    turn ??= nextTurn().then(() => {
      turnAt = performance.now();
      turn = undefined;
    });
    return turn;
  }

  function tellSecond(): void {
    perSecond.push(verdicts - counted);
    counted = verdicts;
    secondAt += 1_000;
    onSecond({ second: perSecond.length, perSecond: perSecond.at(-1) ?? 0, errors: failures });
  }

  await Promise.all(Array.from({ length: connections }, worker));
  return { latency, errors, perSecond, verdicts };
}
