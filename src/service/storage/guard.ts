/** Calls of the storage, each with a deadline; too many at once and a storage that is down are refused early. */
import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import { afterArrivals, createDeadlines, type Deadlines, type TimedCall } from '../../base/deadlines.ts';
import { IdentityError } from '../../errors.ts';

/**
 * Calls that fail together. A storage that is full or read-only goes on to answer, one that is slow to walk through
 * records goes on to take and to find single ones.
 */
export type CallKind = 'get' | 'list' | 'write' | 'file' | 'journal' | 'merge';

/**
 * Makes a call, or rejects with `storage_unavailable` or `overloaded`, never later than the deadline; a mistake in the
 * adapter is `internal`.
 */
export type Guard = <Answer>(kind: CallKind, call: () => Promise<Answer>) => Promise<Answer>;

/** Enough to keep a pool of connections and a pipeline busy. */
const MOST_AT_ONCE = 256;
/** What waits behind them; about 10 MB. */
const MOST_WAITING = 10_000;
/** How many times the deadline a merge may take. */
const MERGE_PATIENCE = 10;
/** So many failures of a kind in a row, and the storage is taken for down. */
const FAILURES = 5;
/** Then one call in that time finds out whether it is back. */
const PROBE_MS = 500;

/** A guard of one storage. A call that takes longer than `deadlineMs`, its wait for a place included, is given up. */
export function createGuard(deadlineMs: number): Guard {
  const usual = createDeadlines(deadlineMs, () => LATE);
  // Nobody waits for a merge, and there is no use in beginning one again and again.
  const patient = createDeadlines(deadlineMs * MERGE_PATIENCE, () => LATE);
  const circuits: Readonly<Record<CallKind, Circuit>> = {
    get: createCircuit(),
    list: createCircuit(),
    write: createCircuit(),
    file: createCircuit(),
    journal: createCircuit(),
    merge: createCircuit(),
  };
  /** How those who wait take a place, the first of them first. */
  const waiting = new Map<TimedCall, () => void>();
  let running = 0;

  async function waitForPlace(deadlines: Deadlines, timed: TimedCall): Promise<void> {
    if (waiting.size >= MOST_WAITING) throw OVERLOADED;
    const place = new Promise<void>((take) => waiting.set(timed, take));
    try {
      await deadlines.settle(timed, place);
    } finally {
      waiting.delete(timed);
    }
  }

  /** Hands the place to the first who can still use it. */
  function leavePlace(): void {
    for (const [timed, take] of waiting) {
      waiting.delete(timed);
      if (timed.isLate) continue;
      take();
      return;
    }
    running -= 1;
  }

  return async (kind, call) => {
    const deadlines = kind === 'merge' ? patient : usual;
    const timed = deadlines.begin();
    try {
      if (running < MOST_AT_ONCE) running += 1;
      else await waitForPlace(deadlines, timed);
      try {
        // Nothing begins for a caller who has been given up, such as behind a probe.
        const attempt = () => (timed.isLate ? Promise.reject(LATE) : deadlines.settle(timed, call()));
        return await circuits[kind](attempt);
      } finally {
        leavePlace();
      }
    } catch (cause) {
      throw toIdentityError(cause);
    } finally {
      deadlines.finish(timed);
    }
  };
}

/**
 * What the call answers, or `storage_unavailable` after so many milliseconds: what it began may go on. As with all
 * deadlines, what is there already counts.
 */
export async function within<Answer>(ms: number, call: () => Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => afterArrivals(() => reject(unavailable(LATE))), ms);
  });
  try {
    return await Promise.race([call(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The storage could not be asked, or did not answer. */
export function unavailable(cause: unknown): IdentityError {
  return new IdentityError('storage_unavailable', 'The storage did not answer.', {
    cause,
    details: { retryAfterSeconds: 1 },
  });
}

/** Makes an attempt, or rejects with a `BrokenCircuitError` while the storage is down. */
type Circuit = <Answer>(attempt: () => Promise<Answer>) => Promise<Answer>;

/** As long as all is well the library hears of failures alone: it would take as long as all the rest of the guard. */
function createCircuit(): Circuit {
  const breaker = new ConsecutiveBreaker(FAILURES);
  const policy = circuitBreaker(handleWhen(isOutage), { halfOpenAfter: PROBE_MS, breaker });
  return async (attempt) => {
    if (policy.state !== CircuitState.Closed) return policy.execute(attempt);
    try {
      const answer = await attempt();
      breaker.success();
      return answer;
    } catch (error) {
      // While it is down, a probe decides: not what was begun before.
      if (policy.state !== CircuitState.Closed) throw error;
      return policy.execute(() => Promise.reject(error));
    }
  };
}

/** A storage that has given up one call for its time alone goes on to answer. */
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
  const isBroken = cause instanceof BrokenCircuitError;
  return unavailable(isBroken ? new Error('The storage failed just now; it is asked again soon.') : cause);
}

/** One for all: they say nothing of the call. */
const LATE = new Error('No answer within the deadline.');
const OVERLOADED = new Error('Too many calls wait already.');
