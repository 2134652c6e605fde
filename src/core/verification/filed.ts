/** The last steps of a verdict: the journal stores it, and the hooks of the application receive it. */

import type { ReportsOn } from '../../base/async/outcome-reports.ts';
import type { VerdictRecord } from '../../records.ts';
import type { Journal } from '../journal/journal.ts';
import type { Context } from '../shared/context.ts';
import type { Hooks } from '../shared/hooks.ts';
import type { Caches } from '../storage/caches.ts';
import type { JudgeParts } from './judge.ts';
import type { Replays } from './replays.ts';
import type { Taken } from './takings.ts';
import type { VerifyCaller } from './verify-caller.ts';

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

/** The parts that evaluate, file and report a verdict. */
export interface VerifyParts extends JudgeParts {
  readonly journal: Pick<Journal, 'file'>;
  readonly hooks: Pick<Hooks, 'report' | 'fail'>;
  /** Begins the turns under idempotency keys. */
  readonly replays: Replays;
  /** Returns `true` while a spend is held or committed. */
  readonly isThere: (decisionId: string) => Promise<boolean>;
  /** Reports the outcome of an action of the application. */
  readonly reportsFor: (caller: VerifyCaller) => ReportsOn;
}

/** The members of the context that a verdict needs. */
export interface VerifyContext extends Pick<Context, 'clock' | 'elapsedClock' | 'random'> {
  /** The deadline of one call of the storage; absent if the passports alone are waited for, under their own. */
  readonly deadlineMs?: number;
  readonly caches: Pick<Caches, 'passports' | 'monotonic'>;
}
