/** The end of a verdict that was formed: it is filed as the journal promises, and reported to the host. */
import type { VerdictRecord } from '../../records.ts';
import type { Context } from '../shared/context.ts';
import type { Taken } from './takings.ts';
import type { VerifyParts } from './verify-parts.ts';

/** A verdict and the account under which it is filed. */
export interface OwnedVerdict extends Taken {
  readonly owner: string;
}

/** Ends verdicts. `startedAt`: when the question began, by the monotonic clock. */
export interface Filed {
  /** Gives the record back once it is filed and reported. One that is not filed is reported as a failure. */
  one(record: VerdictRecord, owner: string, startedAt: number): Promise<VerdictRecord>;
  /** The same for verdicts of one question, reported once all are filed; its asker reports a failure. A replay is filed already. */
  all(owned: readonly OwnedVerdict[], startedAt: number): Promise<void>;
}

/** The end of the verdicts of one service. */
export function createFiled({ elapsedClock }: Context, { journal, hooks }: VerifyParts): Filed {
  function reported(record: VerdictRecord, latencyUs: number): VerdictRecord {
    hooks.report(record, latencyUs);
    return record;
  }

  function failed(error: unknown): never {
    hooks.fail(error);
    throw error;
  }

  return {
    one(record, owner, startedAt) {
      const latencyUs = elapsedClock.tookMs(startedAt) * 1_000;
      const stored = journal.file(record, owner, latencyUs);
      if (stored !== undefined) return stored.then(() => reported(record, latencyUs), failed);
      return Promise.resolve(reported(record, latencyUs));
    },

    async all(owned, startedAt) {
      const latencyUs = elapsedClock.tookMs(startedAt) * 1_000;
      const filings: Promise<void>[] = [];
      for (const { record, isReplay, owner } of owned) {
        const stored = isReplay ? undefined : journal.file(record, owner, latencyUs);
        if (stored !== undefined) filings.push(stored);
      }
      if (filings.length > 0) await Promise.all(filings);
      for (const { record } of owned) reported(record, latencyUs);
    },
  };
}
