/** Runs background work on timers that tests can replace. */
import type { After } from '../../ports/host.ts';

/** Starts timers of the runtime that do not keep the process running. */
export const systemAfter: After = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer);
};

/** Starts timers of the runtime for work that a caller waits for. They keep the process running. */
export const awaitedAfter: After = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

export interface Chore {
  /** Requests a run after the delay. Several requests before the run count as one. */
  ask(): void;
  run(): Promise<void>;
  /** Prevents new runs. Resolves when the current run has ended. */
  stop(): Promise<void>;
}

/** Creates a chore. `work` must not reject; it resolves to `true` to run again after the next delay. */
export function createChore(schedule: After, delayMs: number, work: () => Promise<boolean>): Chore {
  let cancel: (() => void) | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;

  function ask(): void {
    if (isStopped || cancel !== undefined) return;
    cancel = schedule(delayMs, () => {
      cancel = undefined;
      void run();
    });
  }

  function run(): Promise<void> {
    running = running.then(async () => {
      if (await work()) ask();
    });
    return running;
  }

  return {
    ask,
    run,
    async stop() {
      isStopped = true;
      cancel?.();
      cancel = undefined;
      await running;
    },
  };
}

/** Runs `work` at most once at a time. A call during a run makes it run once more. */
export function oneAtATime(work: () => Promise<unknown>): { run(): Promise<void>; settled(): Promise<void> } {
  let running: Promise<void> | undefined;
  let isAgain = false;
  async function runAll(): Promise<void> {
    while (isAgain) {
      isAgain = false;
      await work();
    }
    running = undefined;
  }
  return {
    run() {
      isAgain = true;
      running ??= runAll();
      return running;
    },
    settled: () => running ?? Promise.resolve(),
  };
}
