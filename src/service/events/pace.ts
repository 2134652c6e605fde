/** Lets verdicts go first: what is spent on events of verdicts is a twentieth of the time at most. */

/** Holds back work that can wait. */
export interface Pace {
  /** Settles when enough time has passed since the work that was counted. */
  wait(): Promise<void>;
  /** Counts this work, which must be synchronous. */
  spend<Result>(work: () => Result): Result;
}

const SHARE = 20;
/** A machine that stands still for a moment must not stop the events for long. */
const MAX_DEBT_MS = 500;

/** A pace that has spent nothing, shared by all streams of a process. */
export function createEventPace(): Pace {
  let freeAt = 0;
  return {
    async wait() {
      for (;;) {
        const rest = freeAt - performance.now();
        if (rest <= 1) return;
        await new Promise((resolve) => setTimeout(resolve, rest));
      }
    },
    spend(work) {
      const began = performance.now();
      const result = work();
      const now = performance.now();
      freeAt = Math.min(Math.max(freeAt, now) + (now - began) * (SHARE - 1), now + MAX_DEBT_MS);
      return result;
    },
  };
}
