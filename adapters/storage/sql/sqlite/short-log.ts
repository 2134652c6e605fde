import type { CheckpointThread } from './checkpoint-thread.ts';
import { isLogLong } from './log-length.ts';

/** The length in pages at which a checkpoint starts. It is the default of SQLite. */
export const LONG_LOG = 1_000;
/** The length in pages, 16 MB, at which commits wait for the running checkpoint. */
export const FULL_LOG = 4_000;

export interface ShortLog {
  /** Resolves when the next commit may begin. `log` is the file descriptor of the write-ahead log. */
  afterCommit(log: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates the checkpoints of a log. The first checkpoint starts the thread. `startThread` returns `undefined`
 * if no thread can start now, and the next checkpoint tries again. If `startThread` throws, or a checkpoint
 * fails, `onFailure` is called. From then on the caller must run the checkpoints.
 */
export function keepLogShort(
  startThread: () => CheckpointThread | undefined,
  onFailure: () => void,
): ShortLog {
  let thread: CheckpointThread | undefined;
  let running: Promise<void> | undefined;
  let isOvertaken = false;
  let hasFailed = false;

  async function checkpoint(): Promise<void> {
    try {
      thread ??= startThread();
      await thread?.run();
    } catch {
      hasFailed = true;
      onFailure();
    } finally {
      running = undefined;
    }
  }

  return {
    async afterCommit(log) {
      if (hasFailed) return;
      if (running !== undefined) {
        isOvertaken = true;
        if (isLogLong(log, FULL_LOG)) await running;
        return;
      }
      // The log has grown during the last checkpoint. The next commit waits for a second, short one: SQLite overwrites a
      // log only when all of it is copied, and under steady load that would never be so.
      const mustWait = isOvertaken;
      isOvertaken = false;
      if (!isLogLong(log, LONG_LOG)) return;
      running = checkpoint();
      if (mustWait) await running;
    },
    async close() {
      await running;
      await thread?.close();
    },
  };
}
