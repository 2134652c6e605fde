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
  close(lost: number): void;
}

export function createJournalReports(log: Logger): JournalReports {
  let isOut = false;
  let dropped = 0;
  let refused = 0;
  let refusal: unknown;
  let all = 0;

  function tellDropped(): void {
    if (dropped === 0) return;
    const message = `${dropped} verdict records were dropped, because too many wait for the storage.`;
    log({ level: 'warn', event: 'journal_dropped', message, dropped });
    dropped = 0;
  }

  return {
    isOut: () => isOut,
    dropped: () => all,
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
      all += count;
      dropped += count;
      if (dropped > count) return;
      const message =
        'Too many verdict records wait. The records of the account with most waiting are dropped.';
      log({ level: 'warn', event: 'journal_full', message });
    },
    refuse(count, error) {
      all += count;
      refused += count;
      refusal = error;
    },
    endRefusal() {
      if (refused === 0) return;
      const message = `${refused} verdict records are refused by the storage and dropped.`;
      log({ level: 'error', event: 'journal_refused', message, cause: describeCause(refusal) });
      refused = 0;
    },
    close(lost) {
      all += lost;
      tellDropped();
      if (lost === 0) return;
      const message = `${lost} verdict records could not be stored before the service closed.`;
      log({ level: 'error', event: 'journal_lost', message, lost });
    },
  };
}
