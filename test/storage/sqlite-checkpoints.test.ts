/** A write-ahead log is copied into its database by another thread, stays short, and loses nothing. */

import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import {
  type CheckpointThread,
  startCheckpointThread,
} from '../../adapters/storage/sql/sqlite/checkpoint-thread.ts';
import {
  identifyFile,
  loadSqlite,
  type SqliteConnection,
} from '../../adapters/storage/sql/sqlite/connection.ts';
import { FULL_LOG, isLogLong, keepLogShort, LONG_LOG } from '../../adapters/storage/sql/sqlite/short-log.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { instant } from '../../src/testing/storage-contract/fixtures.ts';
import { block, writerId } from '../../src/testing/storage-contract/journal/fixtures.ts';
import { start } from '../support/process.ts';
import { cases, nightly, sized } from '../support/runs.ts';
import { newFolder } from './folder.ts';
import { libraries } from './sqlite-database.ts';

const PAGE_BYTES = 4_096;
const BLOCK_BYTES = 100_000;
const ROUNDS = nightly(50, sized(10, 3));
const NODE = fileURLToPath(new URL('checkpoint-node.mjs', import.meta.url));
const WRITER = writerId('Writer');

describe.each(libraries)('%s', (library) => {
  /** A database whose log nothing empties by itself, and the descriptor of that log. */
  async function openLogged(): Promise<{ file: string; connection: SqliteConnection; log: number }> {
    const file = join(newFolder(), 'a.db');
    const connection = (await loadSqlite(library))(file);
    connection.all('pragma journal_mode = wal');
    connection.all('pragma wal_autocheckpoint = 0');
    connection.all('pragma synchronous = off');
    connection.run('create table t (a)');
    const log = openSync(`${file}-wal`, 'r');
    onTestFinished(() => {
      closeSync(log);
      connection.close();
    });
    return { file, connection, log };
  }

  const fill = (connection: SqliteConnection, pages: number) =>
    connection.run(`insert into t values (randomblob(${pages * PAGE_BYTES}))`);

  test('a log is long from that many pages on, also after it has started again', async () => {
    const { connection, log } = await openLogged();
    const sizes = fc.array(fc.nat(8), { minLength: 1, maxLength: 4 });
    const check = ([commits, pages]: [readonly number[], number]) => {
      for (const size of commits) fill(connection, size);
      const isLong = isLogLong(log, pages);
      // The answer has the pages in the log, and the next commit starts it again.
      const [row] = connection.all('pragma wal_checkpoint(passive)');
      expect(isLong).toBe(Number(row?.['log']) >= pages);
    };
    fc.assert(fc.property(fc.tuple(sizes, fc.integer({ min: 1, max: 40 })), check), { numRuns: cases() });
  });

  test('what cannot be read is not long', async () => {
    const { log } = await openLogged();
    expect(isLogLong(log, 1_000_000)).toBe(false);
    const none = openSync('/dev/null', 'r');
    closeSync(none);
    expect(isLogLong(none, 1)).toBe(false);
  });

  test('the thread copies the log into the database, and leaves no lock', async () => {
    const { file, connection } = await openLogged();
    const thread = startCheckpointThread(file, library, identifyFile(file));
    for (let time = 1; time <= 3; time += 1) {
      fill(connection, 20);
      expect(statSync(file).size).toBeLessThan(time * 20 * PAGE_BYTES);
      await thread.run();
      expect(statSync(file).size).toBeGreaterThan(time * 20 * PAGE_BYTES);
    }
    await thread.close();
    expect(connection.all('pragma wal_checkpoint(truncate)')).toMatchObject([{ busy: 0 }]);
  });

  test.each([
    ['missing', (file: string) => rmSync(file)],
    ['empty', (file: string) => replaceBy(file, '')],
    ['another database', (file: string) => replaceBy(file, readFileSync(file))],
  ])('where the database is %s, a thread fails for good and leaves the log alone', async (_, lose) => {
    const { file, connection } = await openLogged();
    connection.all('pragma wal_checkpoint(truncate)');
    const opened = identifyFile(file);
    fill(connection, 20);
    const log = readFileSync(`${file}-wal`);
    linkSync(file, `${file}.kept`);
    lose(file);
    const seen = existsSync(file) && readFileSync(file);
    const thread = startCheckpointThread(file, library, opened);
    for (let time = 0; time < 2; time += 1) await expect(thread.run()).rejects.toThrow();
    await thread.close();
    expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);
    expect(existsSync(file) && readFileSync(file)).toEqual(seen);
    renameSync(`${file}.kept`, file);
    const other = (await loadSqlite(library))(file);
    expect(other.all('select length(a) as bytes from t')).toEqual([{ bytes: 20 * PAGE_BYTES }]);
    other.close();
  });

  test('a log under steady load stays short, and everything written is there after the close', async () => {
    const file = join(newFolder(), 'a.db');
    const storage = await sqliteStorage({ file, library });
    await storage.journal.open(WRITER, instant(0));
    const blocks = sized(1_000, 300);
    for (let seq = 1; seq <= blocks; seq += 1) await fileBlock(storage, WRITER, seq);
    const mostBytes = (FULL_LOG + 100) * PAGE_BYTES;
    expect(blocks * BLOCK_BYTES).toBeGreaterThan(1.5 * mostBytes);
    expect(statSync(`${file}-wal`).size).toBeLessThan(mostBytes);
    expect(statSync(file).size).toBeGreaterThan(10e6);
    await storage.close();
    expect(existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0).toBe(false);
    const again = await sqliteStorage({ file, library });
    onTestFinished(() => again.close());
    await expectBlocks(again, WRITER, blocks);
  });

  test(`nothing acknowledged is lost over ${ROUNDS} kill -9 in the middle of a checkpoint`, async () => {
    const folder = newFolder();
    const file = join(folder, 'a.db');
    const acknowledged: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const args = [NODE, file, library, writerOf(round)];
      const { child, stdout, ended } = start(process.execPath, args, { cwd: folder });
      await expect.poll(stdout).toContain('1\n');
      // Only checkpoints write to the file itself.
      const before = modifiedAt(file);
      while (modifiedAt(file) === before) await setImmediate();
      child.kill('SIGKILL');
      await ended;
      acknowledged.push(Number(stdout().trimEnd().split('\n').at(-1)));
    }
    const storage = await sqliteStorage({ file, library });
    onTestFinished(() => storage.close());
    for (const [round, seq] of acknowledged.entries()) await expectBlocks(storage, writerOf(round), seq);
  });
});

describe('a log that is long', () => {
  /** Checkpoints that answer when the test says so. */
  async function openLong() {
    const answers: (() => void)[] = [];
    const run = () => new Promise<void>((resolve) => answers.push(resolve));
    const file = join(newFolder(), 'a.db');
    const connection = (await loadSqlite())(file);
    connection.all('pragma journal_mode = wal');
    connection.all('pragma wal_autocheckpoint = 0');
    connection.run('create table t (a)');
    connection.run(`insert into t values (zeroblob(${LONG_LOG * PAGE_BYTES}))`);
    const log = openSync(`${file}-wal`, 'r');
    onTestFinished(() => {
      closeSync(log);
      connection.close();
    });
    return { log, answers, thread: { run, close: async () => {} } };
  }

  test('commits go on during a checkpoint; the one after it waits for the rest', async () => {
    const { log, answers, thread } = await openLong();
    const short = keepLogShort(
      () => thread,
      () => expect.unreachable(),
    );
    for (let commit = 0; commit < 3; commit += 1) await short.afterCommit(log);
    expect(answers).toHaveLength(1);
    answers.pop()?.();
    await setImmediate();
    let isReady = false;
    const ready = short.afterCommit(log).then(() => {
      isReady = true;
    });
    await setImmediate();
    expect({ isReady, asked: answers.length }).toEqual({ isReady: false, asked: 1 });
    answers.pop()?.();
    await ready;
    await short.afterCommit(log);
    answers.pop()?.();
    await short.close();
  });

  test('a thread that cannot start now is asked for again', async () => {
    const { log, answers, thread } = await openLong();
    const starts = [undefined, undefined, thread];
    const short = keepLogShort(
      () => starts.shift(),
      () => expect.unreachable(),
    );
    for (let commit = 0; commit < 3; commit += 1) {
      expect(answers).toHaveLength(0);
      await short.afterCommit(log);
      await setImmediate();
    }
    expect(answers).toHaveLength(1);
    answers.pop()?.();
    await short.close();
  });

  test('without a thread the caller takes over, once', async () => {
    const { log, thread } = await openLong();
    const fails = { ...thread, run: () => Promise.reject(new Error('The disk is full.')) };
    const starts: (() => CheckpointThread)[] = [
      () => fails,
      () => {
        throw new Error('There are no threads.');
      },
    ];
    for (const start of starts) {
      let failures = 0;
      const short = keepLogShort(start, () => {
        failures += 1;
      });
      for (let commit = 0; commit < 3; commit += 1) {
        await short.afterCommit(log);
        await setImmediate();
      }
      await short.close();
      expect(failures).toBe(1);
    }
  });
});

/** Stores a block of bytes that its number determines. */
function fileBlock(storage: StorageAdapter, writer: string, seq: number): Promise<unknown> {
  const data = new Uint8Array(BLOCK_BYTES).fill(seq);
  return storage.journal.file({ writer, seq, at: instant(seq), blocks: [block(seq, { writer, data })] });
}

async function expectBlocks(storage: StorageAdapter, writer: string, upTo: number): Promise<void> {
  for (let seq = 1; seq <= upTo; seq += 1) {
    const [found] = await storage.journal.load([{ writer, seq, account_id: 'acc_a' }]);
    expect(found?.data.every((byte) => byte === seq % 256)).toBe(true);
    expect(found?.data).toHaveLength(BLOCK_BYTES);
  }
}

/** Puts another file at the path of a file that is open. */
function replaceBy(file: string, content: string | Buffer): void {
  writeFileSync(`${file}.other`, content);
  renameSync(`${file}.other`, file);
}

function writerOf(round: number): string {
  return writerId(`Writer${round}`);
}

function modifiedAt(file: string): bigint {
  return statSync(file, { bigint: true }).mtimeNs;
}
