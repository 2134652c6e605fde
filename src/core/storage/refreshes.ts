/** Reads in the background, a few in each turn of the event loop. */
import { turn } from '../../base/async/turns.ts';

/** The most reads that begin in one turn. */
export const MAX_REFRESHES = 64;

/**
 * Makes the function that begins the read of an id: at once, or in a later turn if this one has begun as many as it may.
 * Records that were read together are due together, and a storage in this process would read all of them before
 * anything else could run.
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
