/** Background work on timers that a test can drive. */
import type { After } from '../../ports/host.ts';

/** The system's timers; they do not keep a process alive. */
export const systemAfter: After = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer);
};

/** The system's timers for work that a caller waits for. */
export const awaitedAfter: After = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

/** Work that is done some time after it was asked for. */
export interface Chore {
  /** Has it done after the delay, once, however often it is asked for until then. */
  ask(): void;
  /** Does it now, after what already runs. */
  run(): Promise<void>;
  /** Lets nothing begin any more; settles when what runs is finished. */
  stop(): Promise<void>;
}

/** A chore of `work`, which answers whether there is more to do after the next delay. It must not reject. */
export function createChore(after: After, delayMs: number, work: () => Promise<boolean>): Chore {
  let cancel: (() => void) | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;

  function ask(): void {
    if (stopped || cancel !== undefined) return;
    cancel = after(delayMs, () => {
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
      stopped = true;
      cancel?.();
      cancel = undefined;
      await running;
    },
  };
}

/** Runs `work`, never twice at once: what asks while it runs has it run once more. */
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
