/** Turns of the event loop, shared by all work that would otherwise keep everything else in this process waiting. */
import { afterArrivals } from './watch.ts';

/**
 * The callers that wait, in order of arrival. One list for the process, as there is one event loop: with a list each,
 * ten requests would hold it for ten pieces at a time.
 */
const waiting = new Set<() => void>();

/**
 * Resolves when the caller may run its next piece: one caller each time the event loop has come round, so that
 * requests that arrive meanwhile are served in between. A storage in this process answers at once: without this, a loop
 * over its answers would block all else. A piece should take a few milliseconds at most.
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
