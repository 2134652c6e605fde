/** Yields to the event loop after a time, not after each piece, so that small pieces of work share a turn. */
import { turn } from '../../../base/async/turns.ts';

const SLICE_MS = 2;

export function createTimeSlices(): () => Promise<void> {
  let end = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < end) return;
    await turn();
    end = performance.now() + SLICE_MS;
  };
}
