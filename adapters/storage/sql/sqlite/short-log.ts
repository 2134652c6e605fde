import type { CheckpointThread } from './checkpoint-thread.ts';
import { isLogLong } from './log-length.ts';

/** The length, in pages, at which a checkpoint starts. It is the default of SQLite. */
export const LONG_LOG = 1_000;
/** The length, in pages, at which commits wait for the checkpoint in progress: 16 MB. */
export const FULL_LOG = 4_000;

/** Keeps a write-ahead log short by checkpoints in another thread. */
export interface ShortLog {
  /** Must be called after each commit, with the open log. Resolves when the next commit may begin. */
  afterCommit(log: number): Promise<void>;
  /** Waits for the checkpoint in progress and ends the thread. */
  close(): Promise<void>;
}

/**
 * Creates the checkpoints of a log. The thread starts with the first one; `startThread` returns `undefined` when that is
 * not possible now. If it throws, or a checkpoint fails, `onFailure` is called, and from then on the caller must run the
 * checkpoints.
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
