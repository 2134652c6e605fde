/** Gives verdicts priority: events of verdicts take at most a twentieth of the time. */
import type { After } from '../../ports/host.ts';

/** Delays work that can wait, so that it takes a small share of the time. */
export interface WorkShare {
  /** Settles when enough time has passed since the counted work. */
  wait(): Promise<void>;
  /** Runs work and counts its time. The work must be synchronous. */
  spend<Result>(work: () => Result): Result;
}

const SHARE = 20;
/**
 * The longest delay that counted work can cause: a machine that pauses for a moment must not stop the events for long.
 */
const MAX_DEBT_MS = 500;

/** Makes the share that all streams of a service have in common, by its monotonic clock and its timers. */
export function createWorkShare(monotonic: () => number, after: After): WorkShare {
  let freeAt = 0;
  return {
    async wait() {
      for (;;) {
        const rest = freeAt - monotonic();
        if (rest <= 1) return;
        await new Promise<void>((resolve) => after(rest, resolve));
      }
    },
    spend(work) {
      const began = monotonic();
      const result = work();
      const now = monotonic();
      freeAt = Math.min(Math.max(freeAt, now) + (now - began) * (SHARE - 1), now + MAX_DEBT_MS);
      return result;
    },
  };
}
