/** Gives way to the event loop by time, not by piece: small pieces of work share a turn. */
import { turn } from '../../../base/async/turns.ts';

/** How long work goes on before others have their turn. */
const SLICE_MS = 2;

/** To be awaited before each piece. */
export function createPace(): () => Promise<void> {
  let end = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < end) return;
    await turn();
    end = performance.now() + SLICE_MS;
  };
}
