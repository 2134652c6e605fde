/**
 * Gives long work turns of the event loop, so that other work can run in between. All long work in this process shares
 * the turns.
 */
import { afterArrivals } from './watch.ts';

/**
 * The waiting callers in order of arrival. The process has one list for its one event loop. With a list for each
 * request, ten requests would run ten pieces in a row.
 */
const waiting = new Set<() => void>();

/**
 * Resolves when the caller may run its next piece of work. One caller continues per round of the event loop, so that
 * requests in between are served. Without turns, a loop over the answers of an in-process storage would block
 * everything. A piece should take a few milliseconds at most. Never rejects.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(resolve);
    if (waiting.size === 1) afterArrivals(callNext);
  });
}

function callNext(): void {
  for (const resume of waiting) {
    waiting.delete(resume);
    if (waiting.size > 0) afterArrivals(callNext);
    resume();
    return;
  }
}
