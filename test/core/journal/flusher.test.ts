import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { createFlusher } from '../../../src/core/journal/write/filing.ts';
import type { WaitingBlock } from '../../../src/core/journal/write/lanes.ts';
import { packRecords } from '../../../src/journal-format/index.ts';
import type { FlushResult, JournalStorage } from '../../../src/ports/index.ts';
import type { LogEvent } from '../../../src/ports/storage.ts';
import { NOON, recordOf } from '../../journal-format/records.ts';
import { recordsIn } from '../../support/journal.ts';

const ACCOUNT = 'acc_a';
type Flush = Parameters<JournalStorage['file']>[0];

/** A block of the record of this number, as the lanes seal it. */
function waiting(number: number): WaitingBlock {
  const [sealed] = packRecords([{ record: recordOf(number), bucket: 1 }]);
  if (sealed === undefined) throw new Error('There is no block.');
  return { ...sealed, account_id: ACCOUNT, number, reports: 0, waiters: [] };
}

/** A flusher over a storage in memory; `answer` stands between the two. */
function opened(answer: (file: () => Promise<FlushResult>, flush: Flush) => Promise<FlushResult>) {
  const storage = memoryStorage();
  const { journal } = storage;
  const flushes: Flush[] = [];
  const log: LogEvent[] = [];
  const flusher = createFlusher({
    clock: { now: () => NOON, monotonic: () => 0 },
    random: { bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) },
    log: (event) => log.push(event),
    store: {
      journal: {
        open: journal.open,
        file: (flush) => {
          flushes.push(flush);
          return answer(() => journal.file(flush), flush);
        },
      },
    },
  });
  const ids = async () => (await recordsIn(storage, ACCOUNT)).map(({ decision_id }) => decision_id).sort();
  return { journal, flusher, flushes, log, ids };
}

const idsOf = (...numbers: number[]) => numbers.map((number) => recordOf(number).decision_id).sort();

describe('a flusher', () => {
  test('files one flush after the other under one writer', async () => {
    const { flusher, flushes, ids } = opened((file) => file());
    for (const number of [1, 2]) {
      flusher.begin([waiting(number)]);
      expect(await flusher.send()).toMatchObject([{ seq: number, account_id: ACCOUNT }]);
      expect(flusher.pending()).toEqual([]);
    }
    expect(new Set(flushes.map(({ writer }) => writer)).size).toBe(1);
    expect(await ids()).toEqual(idsOf(1, 2));
    expect(await flusher.send()).toEqual([]);
  });

  test('sends a flush again whose answer was lost, and it is stored once', async () => {
    let lost = 0;
    const { flusher, flushes, log, ids } = opened(async (file) => {
      const result = await file();
      lost += 1;
      if (lost === 1) throw new Error('The answer was lost.');
      return result;
    });
    flusher.begin([waiting(1)]);
    await expect(flusher.send()).rejects.toThrow('The answer was lost.');
    expect(flusher.pending()).toHaveLength(1);
    expect(await flusher.send()).toHaveLength(1);
    expect(flushes.map(({ seq }) => seq)).toEqual([1, 1]);
    expect(await ids()).toEqual(idsOf(1));
    expect(log).toEqual([]);
  });

  test('goes on as a new writer, with what is not stored, where the storage forgot its own', async () => {
    const { flusher, flushes, log, ids } = opened(async (file, { seq, writer }) =>
      seq === 2 && writer === flushes[0]?.writer ? 'unknown_writer' : file(),
    );
    flusher.begin([waiting(1)]);
    await flusher.send();
    flusher.begin([waiting(2)]);
    expect(await flusher.send()).toHaveLength(1);
    expect(new Set(flushes.map(({ writer }) => writer)).size).toBe(2);
    expect(log.map(({ event }) => event)).toEqual(['journal_writer_renewed']);
    expect(await ids()).toEqual(idsOf(1, 2));
  });

  test('does not believe that a flush is stored which it never sent', async () => {
    const { flusher, flushes, log, ids } = opened(async (file) => (flushes.length === 1 ? 'known' : file()));
    flusher.begin([waiting(1)]);
    expect(await flusher.send()).toHaveLength(1);
    expect(log.map(({ event }) => event)).toEqual(['journal_writer_renewed']);
    expect(await ids()).toEqual(idsOf(1));
  });

  test('keeps out what it gave up, should that be stored late', async () => {
    const late: (() => Promise<FlushResult>)[] = [];
    const { flusher, ids } = opened(async (file) => {
      if (late.length > 0) return file();
      late.push(file);
      throw new Error('It takes too long.');
    });
    flusher.begin([waiting(1)]);
    await expect(flusher.send()).rejects.toThrow('It takes too long.');
    expect(flusher.giveUp()).toHaveLength(1);
    flusher.begin([waiting(2)]);
    await flusher.send();
    expect(await late[0]?.()).toBe('known');
    expect(await ids()).toEqual(idsOf(2));
  });
});
