/** The verdicts that wait for the journal. */
import { amountText } from '../money.ts';
import type { JournalEntry } from '../ports.ts';
import type { Amount, VerdictRecord } from '../records.ts';
import { createTextKeeper, ownReasons, ownText, storableText } from './own-text.ts';
import type { FiledBatch } from './rollups.ts';

/** First in, first out. Copies what it is given: what becomes of a record afterwards changes nothing. */
export interface JournalQueue {
  readonly length: number;
  /** Puts a verdict of an account at the end. */
  push(record: VerdictRecord, account_id: string, latencyUs: number): void;
  /**
   * Takes one batch from the front, which is the fuller the longer the queue is. Its texts hold nothing of the
   * questions they came from, whatever is kept of them, and nothing that no database stores.
   */
  take(): FiledBatch;
}

/** How many cells a verdict takes in a batch: those of an entry, in its order. */
const WIDTH = 14;
/** Which of them is the version of the passport. */
const VERSION = 10;

interface Batch {
  size: number;
  readonly cells: unknown[];
  readonly latencies: Float64Array;
}

/**
 * An empty queue of batches of at most `batchSize`. A batch is two arrays, not an object for each verdict: those
 * would have to be moved about by the garbage collector, which made a verify in a busy loop half as fast.
 */
export function createJournalQueue(batchSize: number): JournalQueue {
  let batches: Batch[] = [];
  let last: Batch | undefined;
  let length = 0;
  const read = createReader();

  function begin(): Batch {
    const batch = { size: 0, cells: new Array(batchSize * WIDTH), latencies: new Float64Array(batchSize) };
    batches.push(batch);
    last = batch;
    return batch;
  }

  return {
    get length() {
      return length;
    },
    push(record, account_id, latencyUs) {
      const batch = last === undefined || last.size === batchSize ? begin() : last;
      const { cells } = batch;
      let cell = batch.size * WIDTH;
      cells[cell++] = record.decision_id;
      cells[cell++] = account_id;
      cells[cell++] = record.evaluated_at;
      cells[cell++] = record.verdict;
      cells[cell++] = record.reasons;
      cells[cell++] = record.agent_id;
      cells[cell++] = record.action;
      cells[cell++] = record.target;
      cells[cell++] = record.amount;
      cells[cell++] = record.currency;
      cells[cell++] = record.passport_version;
      cells[cell++] = record.environment;
      cells[cell++] = record.key_id;
      cells[cell] = record.dry_run;
      batch.latencies[batch.size] = latencyUs;
      batch.size += 1;
      length += 1;
    },
    take() {
      const [first, ...others] = batches;
      if (first === undefined) return { entries: [], latenciesUs: [] };
      batches = others;
      if (first === last) last = undefined;
      length -= first.size;
      const entries: JournalEntry[] = [];
      for (let index = 0; index < first.size; index += 1) entries.push(read(first.cells, index * WIDTH));
      return { entries, latenciesUs: first.latencies };
    },
  };
}

/** A maker of entries from their cells, `at` the first of them. */
function createReader(): (cells: readonly unknown[], at: number) => JournalEntry {
  const keep = createTextKeeper(storableText);
  const keepAccount = keepingLast(keep);
  const keepKey = keepingLast(keep);
  const keepCurrency = keepingLast(keep);
  return (cells, at) => {
    let cell = at;
    const next = <Value>(): Value => cells[cell++] as Value;
    // That of a passport is no piece of the question.
    const isKnown = cells[at + VERSION] !== null;
    return {
      id: next<string>(),
      account_id: keepAccount(next<string>()),
      created_at: next<string>(),
      verdict: next<JournalEntry['verdict']>(),
      reasons: ownReasons(next()),
      agent_id: isKnown ? next<string>() : keep(next<string>()),
      action: keep(next<string>()),
      target: orNull(keep, next()),
      amount: ownAmount(next()),
      currency: orNull(keepCurrency, next()),
      passport_version: next<number | null>(),
      environment: next<JournalEntry['environment']>(),
      key_id: orNull(keepKey, next()),
      dry_run: next<boolean>(),
    };
  };
}

/** For what is mostly the same from verdict to verdict. */
function keepingLast(keep: (text: string) => string): (text: string) => string {
  let last = '';
  return (text) => {
    if (text !== last) last = keep(text);
    return last;
  };
}

function orNull(keep: (text: string) => string, text: string | null): string | null {
  return text === null ? null : keep(text);
}

function ownAmount(amount: Amount | null): string | null {
  return typeof amount === 'string' ? ownText(amount) : amount === null ? null : amountText(amount);
}
