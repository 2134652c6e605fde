/** Stores a verdict in the journal and passes it to the hooks of the application. */

import type { ReportsOn } from '../../base/async/outcome-reports.ts';
import type { VerdictRecord } from '../../records.ts';
import type { Journal } from '../journal/journal.ts';
import type { Context } from '../shared/context.ts';
import type { Hooks } from '../shared/hooks.ts';
import type { Caches } from '../storage/caches.ts';
import type { EvaluatorParts } from './evaluate.ts';
import type { Replays } from './replays.ts';
import type { Taken } from './takings.ts';
import type { VerifyCaller } from './verify-caller.ts';

/** A verdict, and the account that stores the verdict in its journal. */
export interface OwnedVerdict extends Taken {
  readonly owner: string;
}

/** Stores and reports verdicts. `startedAt` is the monotonic time at which the request began. */
export interface Filed {
  /** Stores and reports one verdict, and returns it. Reports a failure to store it. */
  one(record: VerdictRecord, owner: string, startedAt: number): Promise<VerdictRecord>;
  /**
   * Stores the verdicts of one request, and reports them after all are stored. A replayed verdict is not stored again.
   * The caller must report a failure.
   */
  all(ownedVerdicts: readonly OwnedVerdict[], startedAt: number): Promise<void>;
}

/** Creates the part of one service that stores and reports verdicts. */
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
      const filePromise = journal.file(record, owner, latencyUs);
      if (filePromise !== undefined) return filePromise.then(() => reported(record, latencyUs), failed);
      return Promise.resolve(reported(record, latencyUs));
    },

    async all(ownedVerdicts, startedAt) {
      const latencyUs = elapsedClock.tookMs(startedAt) * 1_000;
      const filings: Promise<void>[] = [];
      for (const { record, isReplay, owner } of ownedVerdicts) {
        const storedPromise = isReplay ? undefined : journal.file(record, owner, latencyUs);
        if (storedPromise !== undefined) filings.push(storedPromise);
      }
      if (filings.length > 0) await Promise.all(filings);
      for (const { record } of ownedVerdicts) reported(record, latencyUs);
    },
  };
}

/** The parts that evaluate, store and report a verdict. */
export interface VerifyParts extends EvaluatorParts {
  readonly journal: Pick<Journal, 'file'>;
  readonly hooks: Pick<Hooks, 'report' | 'fail'>;
  /** Handles requests with idempotency keys. */
  readonly replays: Replays;
  /** Returns `true` while a spend is held or committed. */
  readonly isThere: (decisionId: string) => Promise<boolean>;
  /** Returns the function that reports the outcome of a guarded action. */
  readonly reportsFor: (caller: VerifyCaller) => ReportsOn;
}

/** The parts of the context that a verdict needs. */
export interface VerifyContext extends Pick<Context, 'clock' | 'elapsedClock' | 'decisionIds'> {
  /**
   * The time limit of one call of the storage in milliseconds. Absent if only passports are read, which have their own
   * limit.
   */
  readonly deadlineMs?: number;
  readonly caches: Pick<Caches, 'passports' | 'monotonic'>;
}
