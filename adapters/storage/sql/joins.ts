import type { Deadlines, StorageObserver } from '../../../src/ports/index.ts';

export interface Joins {
  readonly deadlines: Deadlines;
  readonly emit?: StorageObserver | undefined;
}
