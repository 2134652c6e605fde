/** Calls of the storage, each with a deadline; too many at once and a storage that is down are refused early. */
import { createDeadlines, type Deadlines, type TimedCall } from '../../base/async/deadlines.ts';
import { arrivalQueue, createSemaphore, type SemaphoreWaiter } from '../../base/async/semaphore.ts';
import { steadyNow } from '../../base/async/steady-clock.ts';
import { IdentityError } from '../../errors.ts';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';

/**
 * Calls that fail together. A storage that is full or read-only goes on to answer, one that is slow to walk through
 * records goes on to take and to find single ones.
 */
export type CallKind = 'get' | 'list' | 'write' | 'file' | 'journal' | 'merge';

/**
 * Makes a call, or rejects with `storage_unavailable` or `overloaded`, never later than the deadline; a mistake in the
 * adapter is `internal`.
 */
export type StorageGuard = <Answer>(kind: CallKind, call: () => Promise<Answer>) => Promise<Answer>;

/** Enough to keep a pool of connections and a pipeline busy. */
const MAX_AT_ONCE = 256;
/** What waits behind them; about 10 MB. */
const MAX_WAITING = 10_000;
/** How many times the deadline a merge may take. */
const MERGE_PATIENCE = 10;
/** This number of failures of a kind in a row, and the storage is regarded as down. */
const FAILURES = 5;
/** Then one call in this time finds out whether it is back. */
const PROBE_MS = 500;

/** A call that may wait for its place. */
interface WaitingCall extends SemaphoreWaiter {
  readonly timed: TimedCall;
}

/** Called when a call has ended: how long it took, and whether the storage answered; `undefined`: that is not known. */
export type OnStorageCall = (kind: CallKind, seconds: number, isAnswered: boolean | undefined) => void;

/** A guard of one storage. A call that takes longer than `deadlineMs`, its wait for a place included, is given up. */
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
  // No caller waits for a merge, and beginning one again and again is of no use.
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
    const timed = deadlines.begin();
    const one = { timed, begin: ignore, refuse: ignore };
    try {
      if (!places.tryEnter(one)) await waitForPlace(deadlines, one);
      try {
        // Nothing begins for a caller who has been given up, such as behind a probe.
        const attempt = () => (timed.isLate ? Promise.reject(LATE) : deadlines.settle(timed, call()));
        return await circuits[kind](attempt);
      } finally {
        places.leave(one);
      }
    } catch (cause) {
      throw toIdentityError(cause);
    } finally {
      deadlines.finish(timed);
    }
  };
}

/** The storage could not be asked, or did not answer. */
export function unavailable(cause: unknown): IdentityError {
  return new IdentityError('storage_unavailable', 'The storage did not answer.', {
    cause,
    details: { retryAfterSeconds: 1 },
  });
}

/** No answer came within a deadline that is not that of a single call. */
export function tooLate(): IdentityError {
  return unavailable(LATE);
}

/** A storage that has only given up one call because it took too long still answers others. */
function isOutage(error: unknown): boolean {
  return !isMistake(error) && !(error instanceof Error && error.name === 'TimeoutError');
}

/**
 * Whether the adapter was given, or did, what it cannot do: no time will mend that. A failed `fetch` is a TypeError as
 * well, which names its cause.
 */
function isMistake(error: unknown): boolean {
  if (error instanceof TypeError) return error.cause === undefined;
  return MISTAKES.some((mistake) => error instanceof mistake);
}

const MISTAKES = [RangeError, ReferenceError, SyntaxError];

function toIdentityError(cause: unknown): IdentityError {
  if (cause === OVERLOADED) {
    const details = { retryAfterSeconds: 1 };
    return new IdentityError('overloaded', 'Too many calls wait for the storage.', { cause, details });
  }
  if (isMistake(cause)) {
    return new IdentityError('internal', 'The storage adapter has made a mistake.', { cause });
  }
  return unavailable(cause);
}

/** One error each for all calls: they hold nothing about a call. */
const LATE = new Error('No answer within the deadline.');
const OVERLOADED = new Error('Too many calls wait already.');

function ignore(): void {}
