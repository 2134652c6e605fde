/** The verdicts that wait for the journal. */
import { amountText } from '../money.ts';
import type { JournalEntry } from '../ports.ts';
import type { Amount, VerdictRecord } from '../records.ts';
import { ownReasons, ownText } from './own-text.ts';
import type { Filed } from './rollups.ts';

/** First in, first out. Copies what it is given: what becomes of a record afterwards changes nothing. */
export interface JournalQueue {
  readonly length: number;
  /** Puts a verdict of an account at the end. */
  push(record: VerdictRecord, account_id: string, latencyUs: number): void;
  /**
   * Takes one batch from the front, which is the fuller the longer the queue is. Its texts hold nothing of the
   * questions they came from, whatever is kept of them.
   */
  take(): Filed[];
}

/** The fields of one verdict as they lie in a batch. */
type Cells = [
  id: string,
  account_id: string,
  created_at: string,
  verdict: JournalEntry['verdict'],
  reasons: JournalEntry['reasons'],
  agent_id: string,
  action: string,
  target: string | null,
  amount: Amount | null,
  currency: string | null,
  passport_version: number | null,
  environment: JournalEntry['environment'],
  key_id: string | null,
  dry_run: boolean,
];

const WIDTH: Cells['length'] = 14;

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
      return Array.from({ length: first.size }, (_, index) => filedAt(first, index));
    },
  };
}

function filedAt({ cells, latencies }: Batch, index: number): Filed {
  const [id, account_id, created_at, verdict, reasons, agent_id, action, target, amount, currency, ...rest] =
    cells.slice(index * WIDTH, (index + 1) * WIDTH) as Cells;
  const [passport_version, environment, key_id, dry_run] = rest;
  const entry = {
    id,
    account_id,
    created_at,
    verdict,
    reasons: ownReasons(reasons),
    agent_id: ownText(agent_id),
    action: ownText(action),
    target: target === null ? null : ownText(target),
    amount: amount === null ? null : ownText(amountText(amount)),
    currency,
    passport_version,
    environment,
    key_id,
    dry_run,
  };
  return { entry, latencyUs: latencies[index] ?? 0 };
}
