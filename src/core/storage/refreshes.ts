/** Refreshes records in the background, with a limited number of reads in each turn of the event loop. */
import { turn } from '../../base/async/turns.ts';

export const MAX_REFRESHES = 64;

/**
 * Creates a function that starts the read of an id at once, or in a later turn if this turn has started too many.
 * Records that were read together expire together. A storage in this process would read all of them before anything
 * else could run.
 */
export function createRefreshes(begin: (id: string) => void): (id: string) => void {
  const due = new Set<string>();
  let left = MAX_REFRESHES;

  async function goOn(): Promise<void> {
    await turn();
    left = MAX_REFRESHES;
    if (due.size === 0) return;
    void goOn();
    for (const id of due) {
      if (left === 0) return;
      left -= 1;
      due.delete(id);
      begin(id);
    }
  }

  return (id) => {
    if (left === 0) {
      due.add(id);
      return;
    }
    if (left === MAX_REFRESHES) void goOn();
    left -= 1;
    begin(id);
  };
}
