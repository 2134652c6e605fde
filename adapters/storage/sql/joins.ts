import type { Deadlines, StorageObserver } from '../../../src/ports/index.ts';

/** The circumstances under which calls that wait are joined. */
export interface Joins {
  /** The deadlines of the calls that wait. */
  readonly deadlines: Deadlines;
  readonly emit?: StorageObserver | undefined;
}
