import type { Journal } from '../journal/journal.ts';
import type { Hooks } from '../shared/hooks.ts';
import type { JudgeParts } from './judge.ts';

/** What a verdict is made by, and where it is filed and reported. */
export interface VerifyParts extends JudgeParts {
  readonly journal: Journal;
  readonly hooks: Hooks;
}
