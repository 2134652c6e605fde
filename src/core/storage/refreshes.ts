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
  let leftCount = MAX_REFRESHES;

  async function goOn(): Promise<void> {
    await turn();
    leftCount = MAX_REFRESHES;
    if (due.size === 0) return;
    void goOn();
    for (const id of due) {
      if (leftCount === 0) return;
      leftCount -= 1;
      due.delete(id);
      begin(id);
    }
  }

  return (id) => {
    if (leftCount === 0) {
      due.add(id);
      return;
    }
    if (leftCount === MAX_REFRESHES) void goOn();
    leftCount -= 1;
    begin(id);
  };
}
