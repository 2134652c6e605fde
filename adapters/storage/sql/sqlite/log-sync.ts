import { type FileHandle, open } from 'node:fs/promises';

/** Brings the commits in a write-ahead log to the disk. */
export interface LogSync {
  /** Settles when all that is in the log now is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Makes it for a database with `PRAGMA synchronous = normal`, which leaves that to a checkpoint. The disk is waited for in
 * the thread pool: with `full` each commit holds the thread that answers, for up to 30 ms on a busy disk.
 *
 * INVARIANT: after a failed sync no write is acknowledged any more. The system may have dropped what it could not write,
 * and a second sync would succeed without it.
 */
export function createLogSync(file: string): LogSync {
  let opened: Promise<FileHandle> | undefined;
  let failure: Error | undefined;

  async function log(): Promise<FileHandle> {
    opened ??= open(`${file}-wal`, 'r+');
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  }

  return {
    async sync() {
      if (failure !== undefined) throw failure;
      const handle = await log();
      try {
        await handle.datasync();
      } catch (cause) {
        failure = new Error(
          'The write-ahead log did not reach the disk: nothing is stored until a restart.',
          { cause },
        );
        throw failure;
      }
    },
    async close() {
      await (await opened)?.close();
    },
  };
}
