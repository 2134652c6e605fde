/** Starts the writing of sealed blocks, but never within the call that filed a record. */
import { afterArrivals } from '../../../base/async/watch.ts';
import type { CountedId, IdSource } from '../../../base/bytes/counted-ids.ts';
import type { VerdictRecord } from '../../../records.ts';
import type { Filing } from './filing.ts';
import type { Lanes } from './lanes.ts';
import type { JournalReports } from './reports.ts';

export interface Drains {
  soon(): void;
  /** Seals and writes blocks at the end of the interval, or at the next retry while the storage fails. */
  later(): void;
  stop(): void;
}

export interface DrainParts {
  readonly filing: Filing;
  readonly intake: Intake;
  readonly lanes: Lanes;
  readonly reports: JournalReports;
  readonly isStrict: boolean;
}

/** The time that a record waits for other records of its block. */
const INTERVAL_MS = 200;
const RETRY_MS = 1_000;

export function createDrains({ filing, intake, lanes, reports, isStrict }: DrainParts): Drains {
  let isDraining = false;
  let isDue = false;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function drain(): Promise<void> {
    if (isDraining) return;
    isDraining = true;
    while (filing.hasBlocks()) {
      if (!(await filing.fileOnce()) && !isStrict) break;
      if (isStrict) lanes.seal();
    }
    isDraining = false;
    if (filing.hasBlocks() || !lanes.isEmpty()) later();
  }

  function later(ms = INTERVAL_MS): void {
    if (isStopped || timer !== undefined) return;
    const end = (): void => {
      timer = undefined;
      intake.empty();
      const leftMs = lanes.sealDue(INTERVAL_MS);
      if (leftMs !== undefined) later(leftMs);
      void drain();
    };
    timer = setTimeout(end, reports.isOut() ? RETRY_MS : ms);
    // While the storage fails, the timer does not keep a process alive that has nothing else to do.
    if (reports.isOut()) (timer as { unref?: () => void }).unref?.();
  }

  return {
    soon() {
      if (isDraining || isDue) return;
      isDue = true;
      afterArrivals(() => {
        isDue = false;
        // With `strict`, the callers of one turn of the event loop share a block.
        if (isStrict) lanes.seal();
        void drain();
      });
    },
    later: () => later(),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

interface Intake {
  length(): number;
  /** Adds a copy of a record; returns `true` if this sealed a block. */
  push(record: VerdictRecord, account_id: string, bucket: number): boolean;
  /** Moves all records into the lanes of their accounts; returns `true` if this sealed a block. */
  empty(): boolean;
}

interface Entry {
  readonly record: VerdictRecord;
  readonly account_id: string;
  readonly bucket: number;
  readonly id: CountedId | undefined;
}

/** The number of records at which a call moves all of them into their lanes. Moving them takes about 0.1 ms. */
const MAX_RECORDS = 128;

export function createIntake(lanes: Lanes, ids?: Pick<IdSource, 'partsOf'>): Intake {
  const entries: Entry[] = [];

  function empty(): boolean {
    let isSealed = false;
    for (const { record, account_id, bucket, id } of entries) {
      if (lanes.push(record, account_id, bucket, id)) isSealed = true;
    }
    entries.length = 0;
    return isSealed;
  }

  return {
    length: () => entries.length,
    push(record, account_id, bucket) {
      entries.push({ record: copyOf(record), account_id, bucket, id: ids?.partsOf(record.decision_id) });
      return entries.length >= MAX_RECORDS && empty();
    },
    empty,
  };
}

/** Copies a record, because the caller may change it later. */
function copyOf(record: VerdictRecord): VerdictRecord {
  const { reasons, budgets } = record;
  const copy = Object.isFrozen(reasons) ? { ...record } : { ...record, reasons: copies(reasons) };
  return budgets.length === 0 ? copy : { ...copy, budgets: copies(budgets) };
}

function copies<T extends object>(values: readonly T[]): readonly T[] {
  return values.map((value) => ({ ...value }));
}
