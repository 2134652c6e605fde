import { steadyNow } from '../../base/async/steady-clock.ts';

/** Makes an attempt, or rejects with `CIRCUIT_OPEN` while there is an outage. */
export type CircuitBreaker = <Answer>(attempt: () => Promise<Answer>) => Promise<Answer>;

/** One error for all circuits: it holds nothing about the call. */
export const CIRCUIT_OPEN: Error = new Error('The storage failed just now; it is asked again soon.');

/** When a circuit opens, and when it is tried again. */
export interface CircuitBreakerOptions {
  /** This number of failures in a row opens the circuit. */
  readonly failures: number;
  /** Milliseconds from then, or from a probe that failed, to the next probe. */
  readonly probeMs: number;
  /** Whether an error counts as a failure. Others leave the count as it is, and end an outage. */
  readonly isOutage: (error: unknown) => boolean;
}

/** A circuit breaker. While it is open, one attempt at a time is a probe; those that come meanwhile wait for its result. */
export function createCircuitBreaker({ failures, probeMs, isOutage }: CircuitBreakerOptions): CircuitBreaker {
  let failed = 0;
  let openedAt = 0;
  let probing: Promise<void> | undefined;
  const isOpen = (): boolean => failed >= failures;

  async function probe<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
    let isBack = true;
    try {
      return await attempt();
    } catch (error) {
      isBack = !isOutage(error);
      throw error;
    } finally {
      if (isBack) failed = 0;
      else openedAt = steadyNow();
    }
  }

  function endProbe(): void {
    probing = undefined;
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
      // While it is open, the probe decides, not what was begun before.
      if (!isOpen()) failed = 0;
      return answer;
    } catch (error) {
      if (!isOpen() && isOutage(error)) {
        failed += 1;
        if (isOpen()) openedAt = steadyNow();
      }
      throw error;
    }
  };
}
