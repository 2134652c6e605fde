/** The verdicts that wait for the journal. */
import { amountText } from '../money.ts';
import type { JournalEntry } from '../ports.ts';
import type { Amount, VerdictRecord } from '../records.ts';
import { createTextKeeper, ownReasons, ownText } from './own-text.ts';
import type { Filed } from './rollups.ts';

/** First in, first out. Copies what it is given: what becomes of a record afterwards changes nothing. */
export interface JournalQueue {
  readonly length: number;
  /** Puts a verdict of an account at the end. */
  push(record: VerdictRecord, account_id: string, latencyUs: number): void;
  /**
   * Takes one batch from the front, which is the fuller the longer the queue is. Its texts hold nothing of the
   * questions they came from, whatever is kept of them, and nothing that no database stores.
   */
  take(): Filed[];
}

/** How many cells a verdict takes in a batch: those of an entry, in its order. */
const WIDTH = 14;

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
  const keep = createTextKeeper();

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
      if (first === undefined) return [];
      batches = others;
      if (first === last) last = undefined;
      length -= first.size;
      const filed: Filed[] = [];
      for (let index = 0; index < first.size; index += 1) filed.push(filedAt(first, index, keep));
      return filed;
    },
  };
}

function filedAt({ cells, latencies }: Batch, index: number, keep: (text: string) => string): Filed {
  let cell = index * WIDTH;
  const next = <Value>(): Value => cells[cell++] as Value;
  const keepNext = (): string => keep(next());
  const keepNextOrNull = (): string | null => {
    const text = next<string | null>();
    return text === null ? null : keep(text);
  };
  const entry: JournalEntry = {
    id: next(),
    account_id: keepNext(),
    created_at: next(),
    verdict: next(),
    reasons: ownReasons(next()),
    agent_id: keepNext(),
    action: keepNext(),
    target: keepNextOrNull(),
    amount: ownAmount(next()),
    currency: keepNextOrNull(),
    passport_version: next(),
    environment: next(),
    key_id: keepNextOrNull(),
    dry_run: next(),
  };
  return { entry, latencyUs: latencies[index] ?? 0 };
}

function ownAmount(amount: Amount | null): string | null {
  return typeof amount === 'string' ? ownText(amount) : amount === null ? null : amountText(amount);
}
