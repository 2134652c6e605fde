/** Calls of the storage, each with a deadline; too many at once and a storage that is down are refused early. */
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import { IdentityError } from '../errors.ts';

/** Calls that fail together: a storage that is full or read-only goes on to answer. */
export type CallKind = 'read' | 'write' | 'journal';

/** Makes a call, or rejects with `storage_unavailable` or `overloaded`; never later than the deadline. */
export type Guard = <Answer>(kind: CallKind, call: () => Promise<Answer>) => Promise<Answer>;

/** Enough to keep a pool of connections and a pipeline busy. */
const MOST_AT_ONCE = 256;
/** What waits behind them; about 10 MB. */
const MOST_WAITING = 10_000;
/** So many failures of a kind in a row, and the storage is taken for down. */
const FAILURES = 5;
/** Then one call in that time finds out whether it is back. */
const PROBE_MS = 500;

/** A guard of one storage. A call that takes longer than `deadlineMs`, its wait for a place included, is given up. */
export function createGuard(deadlineMs: number): Guard {
  const places = bulkhead(MOST_AT_ONCE, MOST_WAITING);
  const circuits = { read: createCircuit(), write: createCircuit(), journal: createCircuit() };

  return async (kind, call) => {
    const end = performance.now() + deadlineMs;
    const attempt = () => circuits[kind].execute(() => settleWithin(end - performance.now(), call));
    try {
      if (places.executionSlots > 0) return await places.execute(attempt);
      return await settleWithin(deadlineMs, () => places.execute(attempt));
    } catch (cause) {
      throw toIdentityError(cause);
    }
  };
}

/** What the call answers, or `storage_unavailable` after so many milliseconds: what it began may go on. */
export function within<Answer>(ms: number, call: () => Promise<Answer>): Promise<Answer> {
  return settleWithin(ms, call).catch((cause) => {
    throw cause === LATE ? unavailable(cause) : cause;
  });
}

/** The storage could not be asked, or did not answer. */
export function unavailable(cause: unknown): IdentityError {
  return new IdentityError('storage_unavailable', 'The storage did not answer.', {
    cause,
    details: { retryAfterSeconds: 1 },
  });
}

function createCircuit(): CircuitBreakerPolicy {
  const breaker = new ConsecutiveBreaker(FAILURES);
  return circuitBreaker(handleWhen(isOutage), { halfOpenAfter: PROBE_MS, breaker });
}

/** An adapter that refuses what it was given is not down. */
function isOutage(error: Error): boolean {
  return !(error instanceof TypeError || error instanceof RangeError);
}

function toIdentityError(cause: unknown): IdentityError {
  if (cause instanceof BulkheadRejectedError) {
    const details = { retryAfterSeconds: 1 };
    return new IdentityError('overloaded', 'Too many calls wait for the storage.', { cause, details });
  }
  const isBroken = cause instanceof BrokenCircuitError;
  return unavailable(isBroken ? new Error('The storage failed just now; it is asked again soon.') : cause);
}

async function settleWithin<Answer>(ms: number, call: () => Promise<Answer>): Promise<Answer> {
  if (ms <= 0) throw LATE;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(LATE), ms);
  });
  try {
    return await Promise.race([call(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** One for all: it says nothing of the call. */
const LATE = new Error('No answer within the deadline.');
