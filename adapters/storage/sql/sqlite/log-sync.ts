import { type FileHandle, open } from 'node:fs/promises';
import type { ShortLog } from './short-log.ts';

export interface LogSync {
  /** Resolves when the present content of the log is on disk. The next commit may then begin. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates the sync for a database with `PRAGMA synchronous = normal`, which does not sync commits. The sync runs in the
 * thread pool. With `full`, each commit would block the event loop for up to 30 ms on a busy disk.
 *
 * INVARIANT: after a failed sync, the storage acknowledges no further write. The system may have dropped the data, and
 * a second sync would succeed without it.
 */
export function createLogSync(file: string, shortLog: ShortLog): LogSync {
  let handlePromise: Promise<FileHandle> | undefined;
  let failure: Error | undefined;

  async function log(): Promise<FileHandle> {
    handlePromise ??= open(`${file}-wal`, 'r+');
    try {
      return await handlePromise;
    } catch (error) {
      handlePromise = undefined;
      throw error;
    }
  }

  return {
    async sync() {
      if (failure !== undefined) throw failure;
      const handle = await log();
      const ready = shortLog.afterCommit(handle.fd);
      try {
        await handle.datasync();
      } catch (cause) {
        failure = new Error(
          'The write-ahead log did not reach the disk: nothing is stored until a restart.',
          { cause },
        );
        throw failure;
      }
      await ready;
    },
    async close() {
      await shortLog.close();
      await (await handlePromise)?.close();
    },
  };
}
