import { createDeadlines, type Deadlines, type TimedCall } from '../../base/async/deadlines.ts';
import { arrivalQueue, createSemaphore, type SemaphoreWaiter } from '../../base/async/semaphore.ts';
import { steadyNow } from '../../base/async/watch.ts';
import { IdentityError, overloaded } from '../../errors.ts';

/** Runs an attempt, or rejects with `CIRCUIT_OPEN` during an outage. */
type CircuitBreaker = <Answer>(attempt: () => Promise<Answer>) => Promise<Answer>;

/** The error of all calls that an open circuit refuses. All calls share it, so it contains no data of a single call. */
export const CIRCUIT_OPEN: Error = new Error('The storage failed just now; it is asked again soon.');

interface CircuitBreakerOptions {
  readonly failures: number;
  /** The milliseconds from the start of an outage, or from a failed probe, to the next probe. */
  readonly probeMs: number;
  /** Returns `true` if an error counts as a failure. Any other error leaves the count unchanged, and ends an outage. */
  readonly isOutage: (error: unknown) => boolean;
}

/**
 * Creates a circuit breaker. While it is open, one attempt at a time is a probe, and the others wait for its result.
 */
export function createCircuitBreaker({ failures, probeMs, isOutage }: CircuitBreakerOptions): CircuitBreaker {
  let failedCount = 0;
  let openedAt = 0;
  let probing: Promise<void> | undefined;
  const isOpen = (): boolean => failedCount >= failures;

  async function probe<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
    let isBack = true;
    try {
      return await attempt();
    } catch (error) {
      isBack = !isOutage(error);
      throw error;
    } finally {
      if (isBack) failedCount = 0;
      else openedAt = steadyNow();
    }
  }

  function endProbe(): void {
    probing = undefined;
  }

  function countFailure(error: unknown): void {
    if (isOpen() || !isOutage(error)) return;
    failedCount += 1;
    if (isOpen()) openedAt = steadyNow();
  }

  return async (attempt) => {
    while (probing !== undefined) await probing;
    if (isOpen()) {
      if (steadyNow() - openedAt < probeMs) throw CIRCUIT_OPEN;
      const answer = probe(attempt);
      probing = answer.then(endProbe, endProbe);
      return answer;
    }
    try {
      const answer = await attempt();
      // While the circuit is open, only probes count, not attempts that began before.
      if (!isOpen()) failedCount = 0;
      return answer;
    } catch (error) {
      countFailure(error);
      throw error;
    }
  };
}

/**
 * The kinds of calls. Each has its own circuit, because kinds can fail separately. A full or read-only storage can
 * still answer reads. A storage with slow scans can still read and write single records.
 */
export type CallKind = 'get' | 'list' | 'write' | 'file' | 'journal' | 'merge';

/**
 * Runs a call of the storage. Rejects with `storage_unavailable` or `overloaded`, at the deadline at the latest.
 * Rejects with `internal` for a bug in the adapter.
 */
export type StorageGuard = <Answer>(kind: CallKind, call: () => Promise<Answer>) => Promise<Answer>;

/** The time limit for a request that needs several calls of the storage, as a multiple of the deadline of one call. */
export const ANSWER_DEADLINES = 1.75;

/** The maximum number of concurrent calls, enough to keep a connection pool and a pipeline busy. */
const MAX_AT_ONCE = 256;
/** The maximum number of waiting calls, which need about 10 MB. */
const MAX_WAITING = 10_000;
const MERGE_PATIENCE = 10;
/** The number of consecutive failures after which the storage counts as down for this kind of call. */
const FAILURES = 5;
const PROBE_MS = 500;

interface WaitingCall extends SemaphoreWaiter {
  readonly timed: TimedCall;
}

/**
 * Receives the duration of a finished call. `isAnswered` is `undefined` if it is unknown whether the storage answered.
 */
export type OnStorageCall = (kind: CallKind, seconds: number, isAnswered: boolean | undefined) => void;

/** Creates the guard of one storage. A call ends after `deadlineMs`, including the time in the queue. */
export function createStorageGuard(deadlineMs: number, onCall?: OnStorageCall): StorageGuard {
  const guard = createPlainGuard(deadlineMs);
  if (onCall === undefined) return guard;
  return async (kind, call) => {
    const beganAt = steadyNow();
    let isAnswered: boolean | undefined = true;
    try {
      return await guard(kind, call);
    } catch (error) {
      isAnswered = (error as IdentityError).code === 'storage_unavailable' ? false : undefined;
      throw error;
    } finally {
      onCall(kind, (steadyNow() - beganAt) / 1_000, isAnswered);
    }
  };
}

function createPlainGuard(deadlineMs: number): StorageGuard {
  const usual = createDeadlines(deadlineMs, () => LATE);
  // No caller waits for a merge, and a retry would take as long.
  const patient = createDeadlines(deadlineMs * MERGE_PATIENCE, () => LATE);
  const circuit = () => createCircuitBreaker({ failures: FAILURES, probeMs: PROBE_MS, isOutage });
  const circuits: Readonly<Record<CallKind, CircuitBreaker>> = {
    get: circuit(),
    list: circuit(),
    write: circuit(),
    file: circuit(),
    journal: circuit(),
    merge: circuit(),
  };
  const waiting = arrivalQueue<WaitingCall>(MAX_WAITING, ({ timed }) => timed.isLate);
  const places = createSemaphore(MAX_AT_ONCE, waiting);

  async function waitForPlace(deadlines: Deadlines, call: WaitingCall): Promise<void> {
    const place = new Promise<void>((resolve, reject) => {
      call.begin = resolve;
      call.refuse = () => reject(OVERLOADED);
    });
    places.wait(call);
    try {
      await deadlines.settle(call.timed, place);
    } catch (error) {
      places.giveUp(call);
      throw error;
    }
  }

  return async (kind, call) => {
    const deadlines = kind === 'merge' ? patient : usual;
    const timedCall = deadlines.begin();
    const entry = { timed: timedCall, begin: ignore, refuse: ignore };
    try {
      if (!places.tryEnter(entry)) await waitForPlace(deadlines, entry);
      try {
        // A call that is late, such as after the wait for a probe, is not started.
        const attempt = () => (timedCall.isLate ? Promise.reject(LATE) : deadlines.settle(timedCall, call()));
        return await circuits[kind](attempt);
      } finally {
        places.leave(entry);
      }
    } catch (cause) {
      throw toIdentityError(cause);
    } finally {
      deadlines.finish(timedCall);
    }
  };
}

/** Returns the error for a storage that could not be called, or did not answer. */
export function unavailable(cause: unknown): IdentityError {
  return new IdentityError('storage_unavailable', 'The storage did not answer.', {
    cause,
    details: { retryAfterSeconds: 1 },
  });
}

/** Returns the error for a time limit over several calls. */
export function tooLate(): IdentityError {
  return unavailable(LATE);
}

/**
 * Returns `true` if an error indicates an outage. A timeout that the storage itself reports for one call is no outage.
 */
function isOutage(error: unknown): boolean {
  return !isMistake(error) && !(error instanceof Error && error.name === 'TimeoutError');
}

/**
 * Returns `true` for wrong arguments or a bug in the adapter, which a retry cannot fix. The `TypeError` of a failed
 * `fetch` has a cause, so it does not count.
 */
function isMistake(error: unknown): boolean {
  if (error instanceof TypeError) return error.cause === undefined;
  return MISTAKES.some((mistake) => error instanceof mistake);
}

const MISTAKES = [RangeError, ReferenceError, SyntaxError];

function toIdentityError(cause: unknown): IdentityError {
  if (cause === OVERLOADED) {
    return overloaded('Too many calls wait for the storage. Try again.', cause);
  }
  if (isMistake(cause)) {
    return new IdentityError('internal', 'The storage adapter has made a mistake.', { cause });
  }
  return unavailable(cause);
}

/** The error of all calls without an answer in time. All calls share it, so it contains no data of a single call. */
const LATE = new Error('No answer within the deadline.');
const OVERLOADED = new Error('Too many calls wait already.');

function ignore(): void {}
