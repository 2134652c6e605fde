import type { IdentityService } from '../../../src/index.ts';

/** How often the progress is said. */
const EVERY_MS = 1_000;

/** Erases all that was begun to be erased, and says on stderr how far it is. */
export async function finishErasures({ erasures }: IdentityService): Promise<void> {
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
