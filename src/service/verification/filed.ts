/** The last steps of a verdict: the journal stores it, and the hooks of the host receive it. */
import type { VerdictRecord } from '../../records.ts';
import type { Context } from '../shared/context.ts';
import type { Taken } from './takings.ts';
import type { VerifyParts } from './verify-parts.ts';

/** A verdict and the account under which it is filed. */
export interface OwnedVerdict extends Taken {
  readonly owner: string;
}

/** Files and reports verdicts. `startedAt` is the monotonic time at which the question began. */
export interface Filed {
  /** Files and reports one verdict, and returns it. Reports a filing that fails. */
  one(record: VerdictRecord, owner: string, startedAt: number): Promise<VerdictRecord>;
  /**
   * Files the verdicts of one question, and reports them once all are filed. A replay is not filed again. The caller
   * reports a filing that fails.
   */
  all(owned: readonly OwnedVerdict[], startedAt: number): Promise<void>;
}

/** Makes the last steps for one service. */
export function createFiled(
  { elapsedClock }: Pick<Context, 'elapsedClock'>,
  { journal, hooks }: Pick<VerifyParts, 'journal' | 'hooks'>,
): Filed {
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
