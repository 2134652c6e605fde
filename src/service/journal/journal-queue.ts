/** The verdicts that wait for the journal. */

import { createTextKeeper, flattenReasons, flattenString, storableText } from '../../base/flatten-string.ts';
import { amountText } from '../../base/money.ts';
import type { JournalEntry } from '../../ports/stored.ts';
import type { Amount, Environment, Reason, VerdictRecord } from '../../records.ts';
import type { Dropped } from './journal-drops.ts';
import type { FiledBatch } from './rollups.ts';

/** First in, first out. Copies what it is given: what becomes of a record afterwards changes nothing. */
export interface JournalQueue {
  readonly length: number;
  /** Puts a verdict of an account at the end. */
  push(record: VerdictRecord, account_id: string, latencyUs: number): void;
  /**
   * Puts a verdict in the place of the latest one of the account with most waiting, where that is another account;
   * otherwise puts it nowhere, and gives back `undefined`.
   */
  displace(record: VerdictRecord, account_id: string, latencyUs: number): Displaced | undefined;
  /**
   * Takes one batch from the front, which is the fuller the longer the queue is. Its texts hold nothing of the
   * questions they came from, whatever is kept of them, and nothing that no database stores.
   */
  take(): FiledBatch;
}

/** A verdict that had to leave its place. */
export interface Displaced extends Dropped {
  /** How many stand before the place. */
  readonly place: number;
}

/** How many cells a verdict takes in a batch: those of an entry, in its order. */
const WIDTH = 15;
/** Which of them is the account, the instant, the version of the passport and the environment. */
const ACCOUNT = 1;
const CREATED_AT = 2;
const VERSION = 10;
const ENVIRONMENT = 11;

interface Batch {
  size: number;
  readonly cells: unknown[];
  readonly latencies: Float64Array;
}

/** An account, and how many of its verdicts wait. */
interface Holder {
  readonly name: string;
  /** The same as a database stores it. */
  readonly account_id: string;
  waiting: number;
}

/**
 * An empty queue of batches of at most `batchSize`. A batch is two arrays, not an object for each verdict: those
 * would have to be moved about by the garbage collector, which made a verify in a busy loop half as fast.
 */
export function createJournalQueue(batchSize: number): JournalQueue {
  let batches: Batch[] = [];
  let last: Batch | undefined;
  let length = 0;
  const holders = new Map<string, Holder>();
  let lastHolder: Holder = { name: '', account_id: '', waiting: 0 };
  /** Of all accounts the one with most waiting, as long as it has at least as many as any other had. */
  let largest: Holder | undefined;
  let secondLargest = 0;
  const read = createReader();

  function begin(): Batch {
    const batch = { size: 0, cells: new Array(batchSize * WIDTH), latencies: new Float64Array(batchSize) };
    batches.push(batch);
    last = batch;
    return batch;
  }

  function holderOf(account_id: string): Holder {
    if (lastHolder.name === account_id && lastHolder.waiting > 0) return lastHolder;
    lastHolder = holders.get(account_id) ?? newHolder(account_id);
    holders.set(lastHolder.name, lastHolder);
    return lastHolder;
  }

  function release(holder: Holder): void {
    holder.waiting -= 1;
    if (holder.waiting === 0) holders.delete(holder.name);
  }

  function put(batch: Batch, index: number, record: VerdictRecord, holder: Holder, latencyUs: number): void {
    const { cells } = batch;
    let cell = index * WIDTH;
    cells[cell++] = record.decision_id;
    cells[cell++] = holder;
    cells[cell++] = record.evaluated_at;
    cells[cell++] = record.verdict;
    cells[cell++] = copyReasons(record.reasons);
    cells[cell++] = record.agent_id;
    cells[cell++] = record.action;
    cells[cell++] = record.target;
    cells[cell++] = record.amount;
    cells[cell++] = record.currency;
    cells[cell++] = record.passport_version;
    cells[cell++] = record.environment;
    cells[cell++] = record.key_id;
    cells[cell++] = record.dry_run;
    cells[cell] = record.request_id;
    batch.latencies[index] = latencyUs;
    holder.waiting += 1;
  }

  function findLargest(): Holder | undefined {
    if (largest !== undefined && largest.waiting >= secondLargest) return largest;
    largest = undefined;
    secondLargest = 0;
    for (const holder of holders.values()) {
      const isLarger = largest === undefined || holder.waiting > largest.waiting;
      secondLargest = Math.max(secondLargest, isLarger ? (largest?.waiting ?? 0) : holder.waiting);
      if (isLarger) largest = holder;
    }
    return largest;
  }

  return {
    get length() {
      return length;
    },
    push(record, account_id, latencyUs) {
      const batch = last === undefined || last.size === batchSize ? begin() : last;
      put(batch, batch.size, record, holderOf(account_id), latencyUs);
      batch.size += 1;
      length += 1;
    },
    displace(record, account_id, latencyUs) {
      const loser = findLargest();
      const waiting = holders.get(account_id)?.waiting ?? 0;
      if (loser === undefined || loser.waiting <= waiting + 1) return undefined;
      let place = length;
      for (const batch of [...batches].reverse()) {
        for (let index = batch.size - 1; index >= 0; index -= 1) {
          place -= 1;
          const { cells } = batch;
          const cell = index * WIDTH;
          if (cells[cell + ACCOUNT] !== loser) continue;
          const created_at = cells[cell + CREATED_AT] as string;
          const environment = cells[cell + ENVIRONMENT] as Environment;
          const holder = holderOf(account_id);
          release(loser);
          put(batch, index, record, holder, latencyUs);
          secondLargest = Math.max(secondLargest, holder.waiting);
          return { account_id: loser.account_id, environment, created_at, place };
        }
      }
      return undefined;
    },
    take() {
      const [first, ...others] = batches;
      if (first === undefined) return { entries: [], latenciesUs: [] };
      batches = others;
      if (first === last) last = undefined;
      length -= first.size;
      largest = undefined;
      const entries: JournalEntry[] = [];
      for (let index = 0; index < first.size; index += 1) {
        release(first.cells[index * WIDTH + ACCOUNT] as Holder);
        entries.push(read(first.cells, index * WIDTH));
      }
      return { entries, latenciesUs: first.latencies };
    },
  };
}

/** What cannot change needs no copy. The texts in it are made our own later, off the path of a verdict. */
function copyReasons(reasons: readonly Reason[]): readonly Reason[] {
  return Object.isFrozen(reasons) ? reasons : reasons.map(copyReason);
}

function copyReason(reason: Reason): Reason {
  return Object.isFrozen(reason) ? reason : { ...reason };
}

function newHolder(account_id: string): Holder {
  return { name: flattenString(account_id), account_id: storableText(account_id), waiting: 0 };
}

/** A maker of entries from their cells, `at` the first of them. */
function createReader(): (cells: readonly unknown[], at: number) => JournalEntry {
  const keep = createTextKeeper(storableText);
  const keepKey = keepingLast(keep);
  const keepCurrency = keepingLast(keep);
  return (cells, at) => {
    let cell = at;
    const next = <Value>(): Value => cells[cell++] as Value;
    // That of a passport is no piece of the question.
    const isKnown = cells[at + VERSION] !== null;
    return {
      id: next<string>(),
      account_id: next<Holder>().account_id,
      created_at: next<string>(),
      verdict: next<JournalEntry['verdict']>(),
      reasons: flattenReasons(next()),
      agent_id: isKnown ? next<string>() : keep(next<string>()),
      action: keep(next<string>()),
      target: orNull(keep, next()),
      amount: ownAmount(next()),
      currency: orNull(keepCurrency, next()),
      passport_version: next<number | null>(),
      environment: next<JournalEntry['environment']>(),
      key_id: orNull(keepKey, next()),
      dry_run: next<boolean>(),
      // Each comes once: none is remembered.
      request_id: orNull(ownRequestId, next()),
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

const MOST_REQUEST_ID = 64;

function ownRequestId(id: string): string {
  return storableText(id.slice(0, MOST_REQUEST_ID));
}

function ownAmount(amount: Amount | null): string | null {
  return typeof amount === 'string' ? flattenString(amount) : amount === null ? null : amountText(amount);
}
