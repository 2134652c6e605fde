import type { Journal } from '../journal/journal.ts';
import type { Hooks } from '../shared/hooks.ts';
import type { JudgeParts } from './judge.ts';

/** The parts that judge, file and report a verdict. */
export interface VerifyParts extends JudgeParts {
  readonly journal: Journal;
  readonly hooks: Hooks;
}
