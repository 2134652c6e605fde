import type { ReportsOn } from '../../base/async/outcome-reports.ts';
import type { Journal } from '../journal/journal.ts';
import type { Hooks } from '../shared/hooks.ts';
import type { JudgeParts } from './judge.ts';
import type { VerifyCaller } from './verify-caller.ts';

/** The parts that judge, file and report a verdict. */
export interface VerifyParts extends JudgeParts {
  readonly journal: Journal;
  readonly hooks: Hooks;
  /** Reports how a deed of the host has ended. */
  readonly reportsFor: (caller: VerifyCaller) => ReportsOn;
}
