/** Removes what nobody needs any more, by itself. */
import { describeCause } from '../errors.ts';
import { formatInstant } from '../instant.ts';
import type { Purgeable } from '../ports.ts';
import { RESOLUTION_MS } from '../resolutions.ts';
import type { Context } from './context.ts';

/** Removes by the clock, until it is stopped. */
export interface Retention {
  /** Removes all that is due now; the number removed. */
  run(): Promise<number>;
  stop(): void;
}

const EVERY_MS = 15 * 60_000;
/** Between two removals: what they take of the storage is left to others for as long. */
const PAUSE_MS = 10;

/** Starts the clockwork: the first round comes after a quarter of an hour, so that a start has nothing to wait for. */
export function startRetention(context: Context): Retention {
  let stopped = false;
  let isOut = false;
  let running = false;
  const timer = setInterval(async () => {
    if (running) return;
    running = true;
    try {
      await run();
      isOut = false;
    } catch (error) {
      // One line per outage.
      const message = 'What is too old could not be removed.';
      if (!isOut && !stopped) {
        context.log({ level: 'error', event: 'retention_failed', message, cause: describeCause(error) });
      }
      isOut = true;
    } finally {
      running = false;
    }
  }, EVERY_MS);
  (timer as { unref?: () => void }).unref?.();

  async function run(): Promise<number> {
    const present = context.clock.now();
    const past = present - context.retentionDays * RESOLUTION_MS.day;
    const expired = await purgeAll(['sessions', 'counters', 'idempotency'], present);
    return expired + (await purgeAll(['verdicts', 'rollups'], past));
  }

  async function purgeAll(kinds: readonly Purgeable[], before: number): Promise<number> {
    let removed = 0;
    for (const kind of kinds) {
      for (let round = 1; round > 0 && !stopped; removed += round) {
        round = await context.store.purge(kind, formatInstant(before));
        if (round > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
    return removed;
  }

  return {
    run,
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
