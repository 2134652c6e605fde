import { steadyNow } from '../../base/async/steady-clock.ts';

/** Makes an attempt, or rejects with `CIRCUIT_OPEN` while there is an outage. */
export type CircuitBreaker = <Answer>(attempt: () => Promise<Answer>) => Promise<Answer>;

/** The error of all open circuits. It has no facts of the call. */
export const CIRCUIT_OPEN: Error = new Error('The storage failed just now; it is asked again soon.');

/** The conditions on which a circuit opens and closes. */
export interface CircuitBreakerOptions {
  /** The number of consecutive failures that opens the circuit. */
  readonly failures: number;
  /** The milliseconds from the opening, or from a failed probe, to the next probe. */
  readonly probeMs: number;
  /** Returns `true` if an error counts as a failure. Other errors do not change the count, and end an outage. */
  readonly isOutage: (error: unknown) => boolean;
}

/** Creates a circuit breaker. While it is open, one attempt at a time is a probe, and others wait for its result. */
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
      // While the circuit is open, only probes count, not attempts that began before.
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
