/** What the log says of the journal: one line when something begins and one when it is over, however often it happens. */
import { describeCause } from '../../../errors.ts';
import type { Logger } from '../../../ports/storage.ts';

/** Hears what becomes of records. */
export interface JournalReports {
  /** Whether the storage takes no records. */
  readonly isOut: boolean;
  /** How many records were dropped, refused or lost. */
  readonly dropped: number;
  /** The storage failed. */
  fail(error: unknown): void;
  /** The storage took a flush; `hasRoom`: records find a place again. */
  succeed(hasRoom: boolean): void;
  /** This number of records found no place. */
  drop(count: number): void;
  /** This number of records of a flush is refused for good. */
  refuse(count: number, error: unknown): void;
  /** All other records of that flush are stored. */
  endRefusal(): void;
  /** The journal ends. */
  close(lost: number): void;
}

/** The reports of one journal. */
export function createJournalReports(log: Logger): JournalReports {
  let isOut = false;
  let dropped = 0;
  let refused = 0;
  let refusal: unknown;
  let all = 0;

  function tellDropped(): void {
    if (dropped === 0) return;
    const message = `${dropped} verdict records found no place and were dropped.`;
    log({ level: 'warn', event: 'journal_dropped', message, dropped });
    dropped = 0;
  }

  return {
    get isOut() {
      return isOut;
    },
    get dropped() {
      return all;
    },
    fail(error) {
      if (isOut) return;
      isOut = true;
      const message = 'The storage does not take verdict records.';
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
      const message = 'Too many verdict records wait: those of the account with most waiting are dropped.';
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
