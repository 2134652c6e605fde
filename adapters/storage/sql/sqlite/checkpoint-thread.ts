import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { FileIdentity, SqliteLibrary } from './connection.ts';

export interface CheckpointThread {
  /**
   * Copies the write-ahead log into the database, and syncs both to the disk. Commits are possible during the copy.
   * Rejects if the thread has failed.
   */
  run(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The program of the thread. It is a text, so that it needs no file, whose path would differ between sources, package
 * and bundle. In Deno, the program already has a variable `module`, so it declares none. A failed checkpoint ends the
 * thread. The program shows no warnings, because Node would repeat its warning about experimental SQLite.
 *
 * INVARIANT: the thread reads only the file that the storage has opened. If another file, or no file, is at the path,
 * SQLite would delete the log in use or copy it into the wrong file. Acknowledged writes would then be lost.
 */
const PROGRAM = `
process.emitWarning = () => {};
const { parentPort, workerData } = require('node:worker_threads');
const { statSync } = require('node:fs');
const { source, member, file, uri, opened } = workerData;
const library = require(source);
const database = new (member === undefined ? library : library[member])(uri);
const { dev, ino } = statSync(file, { bigint: true });
if (dev !== opened.dev || ino !== opened.ino) throw new Error('The database file was replaced.');
database.exec('pragma busy_timeout = 1000');
database.exec('pragma synchronous = full');
const checkpoint = database.prepare('pragma wal_checkpoint(passive)');
parentPort.on('message', (task) => {
  if (task === 'run') checkpoint.all();
  else database.close();
  parentPort.postMessage('done');
});
`;

type Task = 'run' | 'close';

/**
 * Starts the thread, which fails if the path leads to another file than `identity`. Each call must wait for the
 * previous call. Throws if the runtime does not allow threads.
 */
export function startCheckpointThread(
  file: string,
  library: SqliteLibrary,
  identity: FileIdentity,
): CheckpointThread {
  // Without the options of the host's command line, such as `--import`.
  const worker = new Worker(PROGRAM, {
    eval: true,
    // The mode creates no file.
    workerData: { ...moduleOf(library), file, uri: `${pathToFileURL(file).href}?mode=rw`, opened: identity },
    execArgv: [],
    env: {},
  });
  worker.unref();
  let failure: unknown;
  let resolveTask: () => void = () => {};
  let rejectTask: (error: unknown) => void = () => {};
  worker.on('message', () => resolveTask());
  worker.on('error', (error) => {
    failure = error;
    rejectTask(error);
  });

  async function ask(task: Task): Promise<void> {
    if (failure !== undefined) throw failure;
    const answer = new Promise<void>((resolve, reject) => {
      resolveTask = resolve;
      rejectTask = reject;
    });
    worker.ref();
    worker.postMessage(task);
    try {
      await answer;
    } finally {
      worker.unref();
    }
  }

  return {
    run: () => ask('run'),
    async close() {
      await ask('close').catch(() => {});
      await worker.terminate();
    },
  };
}

/**
 * Returns the module of the library. It is resolved here, because `require` in the thread resolves from the working
 * directory.
 */
function moduleOf(library: SqliteLibrary): { readonly source: string; readonly member?: string } {
  if (library === 'node:sqlite') return { source: library, member: 'DatabaseSync' };
  return { source: createRequire(import.meta.url).resolve(library) };
}
