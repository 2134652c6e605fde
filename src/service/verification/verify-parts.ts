import type { ReportsOn } from '../../base/async/outcome-reports.ts';
import type { Journal } from '../journal/journal.ts';
import type { Context } from '../shared/context.ts';
import type { Hooks } from '../shared/hooks.ts';
import type { Caches } from '../storage/caches.ts';
import type { JudgeParts } from './judge.ts';
import type { Replays } from './replays.ts';
import type { VerifyCaller } from './verify-caller.ts';

/** The parts that judge, file and report a verdict. */
export interface VerifyParts extends JudgeParts {
  readonly journal: Pick<Journal, 'file'>;
  readonly hooks: Pick<Hooks, 'report' | 'fail'>;
  /** Begins the turns under idempotency keys. */
  readonly replays: Replays;
  /** Returns `true` while a spend is held or committed. */
  readonly isThere: (decisionId: string) => Promise<boolean>;
  /** Reports how a deed of the host has ended. */
  readonly reportsFor: (caller: VerifyCaller) => ReportsOn;
}

/** The members of the context that a verdict needs. */
export interface VerifyContext extends Pick<Context, 'clock' | 'elapsedClock' | 'random'> {
  /** The deadline of one call of the storage; absent where the passports alone are waited for, under their own. */
  readonly deadlineMs?: number;
  readonly caches: Pick<Caches, 'passports' | 'monotonic'>;
}
