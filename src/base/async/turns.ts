/** Turns of the event loop, shared by all long work in this process so that it does not block everything else. */
import { afterArrivals } from './watch.ts';

/**
 * The callers that wait, in order of arrival. The process has one list, as it has one event loop: with a list each, ten
 * requests would run ten pieces in a row.
 */
const waiting = new Set<() => void>();

/**
 * Resolves when the caller may run its next piece. One caller resumes in each round of the event loop, so that requests
 * that arrive meanwhile are served in between. An in-process storage answers at once: without turns, a loop over its
 * answers would block all else. A piece should take a few milliseconds at most.
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
