/** Completes erasures in steps on one node, and on another node if that one dies. */
import { describeCause } from '../../errors.ts';
import { MAX_PAGE_SIZE } from '../../ports/limits.ts';
import type { Context } from '../shared/context.ts';
import { oneAtATime } from '../shared/timers.ts';
import { createErasureWork, type ErasureProgress, SETTLE_MS } from './erasure-work.ts';

export type { ErasureProgress } from './erasure-work.ts';

/** Completes erasures. The service does so by itself; this is for hosts and commands that wait for the end. */
export interface Erasures {
  /** Resolves when nothing is left to erase. */
  run(options?: { readonly onProgress?: (progress: ErasureProgress) => void }): Promise<void>;
}

/** The erasures with the methods for the service itself. */
export interface ErasuresInside extends Erasures {
  /** Starts the work now. */
  wake(): void;
  stop(): Promise<void>;
}

const EVERY_MS = 30_000;
/** The period in which `run` checks while it waits. */
const LOOK_MS = 500;

/** Creates the erasures of one service. */
export function createErasures(context: Context): ErasuresInside {
  const { store, after, awaitedAfter } = context;
  const reports = new Set<(progress: ErasureProgress) => void>();
  let isStopped = false;
  const goOn = createErasureWork(context, {
    isStopped: () => isStopped,
    tell: (progress) => {
      for (const report of reports) report(progress);
    },
  });
  let left = 0;
  let failure: unknown;
  let isOut = false;
  const look = oneAtATime(async () => {
    failure = await lookAtAll().catch((error: unknown) => error);
  });
  let cancel = after(EVERY_MS, lookAndWait);

  async function lookAtAll(): Promise<undefined> {
    const found = await store.list('erasures', { where: {}, limit: MAX_PAGE_SIZE });
    left = found.length;
    for (const record of found) if (!isStopped && (await goOn(record))) left -= 1;
  }

  async function lookAndWait(): Promise<void> {
    cancel();
    await look.run();
    if (isStopped) return;
    if (failure !== undefined && !isOut) {
      const message = 'Data that must be erased could not be removed; the service tries again.';
      context.log({ level: 'error', event: 'erasure_failed', message, cause: describeCause(failure) });
    }
    isOut = failure !== undefined;
    cancel();
    cancel = after(left > 0 ? SETTLE_MS : EVERY_MS, lookAndWait);
  }

  return {
    wake() {
      if (!isStopped) void lookAndWait();
    },
    async run({ onProgress = () => {} } = {}) {
      reports.add(onProgress);
      try {
        for (;;) {
          await look.run();
          if (failure !== undefined) throw failure;
          if (left === 0 || isStopped) return;
          await new Promise<void>((resolve) => awaitedAfter(LOOK_MS, resolve));
        }
      } finally {
        reports.delete(onProgress);
      }
    },
    async stop() {
      isStopped = true;
      cancel();
      await look.settled();
    },
  };
}
