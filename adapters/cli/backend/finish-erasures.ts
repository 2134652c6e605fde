import type { IdentityService } from '../../../src/index.ts';

/** The milliseconds between two lines about the progress. */
const EVERY_MS = 1_000;

/** Finishes the erasures that have begun, and reports the progress on stderr. */
export async function finishErasures({ erasures }: Pick<IdentityService, 'erasures'>): Promise<void> {
  let saidAt = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  await erasures.run({
    onProgress({ removed, state }) {
      if (state === 'waiting' && !isWaiting) {
        process.stderr.write('Waits some seconds for requests that are still under way.\n');
      }
      isWaiting = state === 'waiting';
      if (state !== 'removing' || performance.now() - saidAt < EVERY_MS) return;
      saidAt = performance.now();
      process.stderr.write(`${removed} records are removed so far.\n`);
    },
  });
}
