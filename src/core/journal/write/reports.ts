/** Logs the state of the journal: one line at the start of a problem and one at its end. */
import { describeCause } from '../../../errors.ts';
import type { Logger } from '../../../ports/storage.ts';

export interface JournalReports {
  isOut(): boolean;
  dropped(): number;
  fail(error: unknown): void;
  /** Reports that a flush was stored. With `hasRoom`, it also reports that no more records are dropped. */
  succeed(hasRoom: boolean): void;
  drop(count: number): void;
  refuse(count: number, error: unknown): void;
  /** Reports the refused records. It is called after all other records of the flush were stored. */
  endRefusal(): void;
  close(lostCount: number): void;
}

export function createJournalReports(log: Logger): JournalReports {
  let isOut = false;
  let droppedCount = 0;
  let refusedCount = 0;
  let refusal: unknown;
  let total = 0;

  function tellDropped(): void {
    if (droppedCount === 0) return;
    const message = `${droppedCount} verdict records were dropped, because too many wait for the storage.`;
    log({ level: 'warn', event: 'journal_dropped', message, dropped: droppedCount });
    droppedCount = 0;
  }

  return {
    isOut: () => isOut,
    dropped: () => total,
    fail(error) {
      if (isOut) return;
      isOut = true;
      const message = 'The storage does not take verdict records. The service tries again.';
      log({ level: 'error', event: 'journal_stuck', message, cause: describeCause(error) });
    },
    succeed(hasRoom) {
      const message = 'Verdict records are stored again.';
      if (isOut) log({ level: 'info', event: 'journal_recovered', message });
      isOut = false;
      if (hasRoom) tellDropped();
    },
    drop(count) {
      total += count;
      droppedCount += count;
      if (droppedCount > count) return;
      const message =
        'Too many verdict records wait. The records of the account with most waiting are dropped.';
      log({ level: 'warn', event: 'journal_full', message });
    },
    refuse(count, error) {
      total += count;
      refusedCount += count;
      refusal = error;
    },
    endRefusal() {
      if (refusedCount === 0) return;
      const message = `${refusedCount} verdict records are refused by the storage and dropped.`;
      log({ level: 'error', event: 'journal_refused', message, cause: describeCause(refusal) });
      refusedCount = 0;
    },
    close(lostCount) {
      total += lostCount;
      tellDropped();
      if (lostCount === 0) return;
      const message = `${lostCount} verdict records could not be stored before the service closed.`;
      log({ level: 'error', event: 'journal_lost', message, lost: lostCount });
    },
  };
}
