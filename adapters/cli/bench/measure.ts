import { createHistogram, monitorEventLoopDelay, type RecordableHistogram } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { IdentityError } from '../../../src/index.ts';
import { createBuckets, type LatencyBucket } from './histogram.ts';
import type { Subject } from './subject.ts';

export interface Load {
  readonly connections: number;
  /**
   * The number of verify requests per second, each sent when it is due. Without a rate, each connection sends
   * its next request after the answer to its last request.
   */
  readonly rate?: number;
  readonly seconds: number;
  /** Ends the load early when the promise settles. */
  readonly stop: Promise<unknown>;
  readonly onSecond: (so: {
    readonly second: number;
    readonly perSecond: number;
    readonly errors: number;
  }) => void;
}

/**
 * The result of a load. A latency is the nanoseconds from when a verify request was due, or was sent, until its answer.
 */
export interface Measured {
  readonly latency: RecordableHistogram;
  readonly histogram: readonly LatencyBucket[];
  /**
   * With a rate, the nanoseconds between the first possible moment and the actual sending of a request. A
   * request can be sent when it is due and a connection is free.
   */
  readonly late: RecordableHistogram | null;
  readonly eventLoopDelayMs: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly perSecond: readonly number[];
  readonly verdicts: number;
  readonly seconds: number;
  /** The number of errors by code. `wrong_verdict` means a verdict that contradicts the passport. */
  readonly errors: ReadonlyMap<string, number>;
  /** The number of verdicts that were answered and not recorded; `null` if it is unknown. */
  readonly recordsDropped: number | null;
  readonly memory: { readonly rss_bytes: number; readonly heap_used_bytes: number };
}

const WARM_UP_MS = 500;
/** The milliseconds that a turn of the event loop may take before the workers pause. */
const TURN_MS = 1;
const RESOLUTION_MS = 5;

export async function measureSubject(subject: Subject, load: Load): Promise<Measured> {
  await work(subject, { ...load, onSecond: () => {} }, WARM_UP_MS);
  const droppedBefore = await subject.countDropped?.();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const startedAt = performance.now();
  const foundWork = await work(subject, load, load.seconds * 1_000);
  const seconds = (performance.now() - startedAt) / 1_000;
  delay.disable();
  const { rss, heapUsed } = process.memoryUsage();
  // It first files what waits.
  const droppedNow = (await subject.countDropped?.()) ?? 0;
  // The monitor counts its own interval as well.
  const late = (ns: number): number => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  return {
    ...foundWork,
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

type Found = Pick<Measured, 'latency' | 'histogram' | 'late' | 'perSecond' | 'verdicts' | 'errors'>;

async function work(
  { ask, questions, isInProcess }: Subject,
  { connections, rate, stop, onSecond }: Load,
  durationMs: number,
): Promise<Found> {
  const sharedTurn = createSharedTurn();
  const beganAt = performance.now();
  const endAt = beganAt + durationMs;
  const results = createLoadResults(beganAt, onSecond);
  let next = 0;
  let isStopped = false;
  void stop.then(() => {
    isStopped = true;
  });

  const period = { beganAt, endAt, isStopped: () => isStopped };
  const [late, arrivals] =
    rate === undefined ? [null, null] : [createHistogram(), createArrivals(rate, period)];

  function noteLate(startedAt: number, dueAt: number | undefined, freeAt: number): void {
    // The wait for a free connection is caused by the service.
    if (dueAt !== undefined) late?.record(nanoseconds(startedAt - Math.max(dueAt, freeAt)));
  }

  function isOver(presentMs: number): boolean {
    return presentMs >= endAt || isStopped;
  }

  async function worker(): Promise<void> {
    let freeAt = beganAt;
    for (;;) {
      const dueAt = await arrivals?.next();
      const startedAt = performance.now();
      results.reportSecond(startedAt);
      if (isOver(startedAt)) return;
      noteLate(startedAt, dueAt, freeAt);
      const question = questions[next++ % questions.length];
      if (question === undefined) return;
      try {
        const { verdict } = await ask(question.intent);
        freeAt = performance.now();
        // From when it was due: what waits because others are slow must not be left out ("coordinated omission").
        results.answered(question.expected, verdict, freeAt - (dueAt ?? startedAt));
      } catch (error) {
        freeAt = performance.now();
        results.failed(error);
        // A service that refuses at once would be asked as fast as this machine can.
        await nextTurn();
      }
      if (isInProcess) await sharedTurn();
    }
  }

  await Promise.all(Array.from({ length: connections }, worker));
  return { ...results.found(), late };
}

/** Counts the answers of a load. */
interface LoadResults {
  answered(expectedText: string | undefined, verdict: string, tookMs: number): void;
  failed(error: unknown): void;
  /** Reports the last second if it is over. */
  reportSecond(present: number): void;
  found(): Omit<Found, 'late'>;
}

function createLoadResults(beganAt: number, onSecond: Load['onSecond']): LoadResults {
  const latency = createHistogram();
  const buckets = createBuckets();
  const errors = new Map<string, number>();
  const perSecond: number[] = [];
  let verdicts = 0;
  let failures = 0;
  let countedCount = 0;
  let secondAt = beganAt + 1_000;

  function fail(code: string): void {
    failures += 1;
    errors.set(code, (errors.get(code) ?? 0) + 1);
  }

  return {
    answered(expectedText, verdict, tookMs) {
      const took = nanoseconds(tookMs);
      latency.record(took);
      buckets.record(took);
      if (expectedText !== undefined && verdict !== expectedText) fail('wrong_verdict');
      else verdicts += 1;
    },
    failed: (error) => fail(error instanceof IdentityError ? error.code : 'failed'),
    reportSecond(present) {
      if (present < secondAt) return;
      perSecond.push(verdicts - countedCount);
      countedCount = verdicts;
      secondAt += 1_000;
      onSecond({ second: perSecond.length, perSecond: perSecond.at(-1) ?? 0, errors: failures });
    },
    found: () => ({ latency, histogram: buckets.list(), errors, perSecond, verdicts }),
  };
}

/**
 * Creates a pause that all workers share. If each worker paused separately, the other workers would keep the event loop
 * busy.
 */
function createSharedTurn(): () => Promise<void> | undefined {
  let turnAt = performance.now();
  let turn: Promise<void> | undefined;
  return () => {
    if (performance.now() - turnAt <= TURN_MS) return undefined;
    turn ??= nextTurn().then(() => {
      turnAt = performance.now();
      turn = undefined;
    });
    return turn;
  };
}

/** Converts milliseconds to nanoseconds, at least 1, the minimum of a histogram. */
function nanoseconds(ms: number): number {
  return Math.max(1, Math.round(ms * 1e6));
}

/** The instants at which requests are due at a fixed rate, whether or not earlier requests were answered. */
interface Arrivals {
  /** Waits until the next request is due, or the measurement ends. Returns the instant at which the request was due. */
  next(): Promise<number>;
}

/**
 * The last milliseconds of a wait. During this time, the clock is read in every turn of the event loop, because a timer
 * is too inexact.
 */
const TIMER_MS = 2;

/**
 * Creates the instants at which requests are due, from `beganAt` to `endAt`, both of `performance.now()`.
 * Once `isStopped` returns `true`, `next` no longer waits.
 */
function createArrivals(
  rate: number,
  { beganAt, endAt, isStopped }: { beganAt: number; endAt: number; isStopped: () => boolean },
): Arrivals {
  let count = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function pass(): Promise<number> {
    const dueAt = beganAt + (count * 1_000) / rate;
    count += 1;
    if (!isStopped()) await until(Math.min(dueAt, endAt));
    return dueAt;
  }

  return {
    next() {
      // One after another: of all that wait only the first reads the clock.
      const passPromise = last.then(pass);
      last = passPromise;
      return passPromise;
    },
  };
}

async function until(moment: number): Promise<void> {
  for (let leftMs = moment - performance.now(); leftMs > 0; leftMs = moment - performance.now()) {
    await (leftMs > TIMER_MS ? wait(leftMs - TIMER_MS) : nextTurn());
  }
}
