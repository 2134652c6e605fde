/** Removes records that are older than their retention, on a timer. */

import { formatInstant } from '../../../base/values/instant.ts';
import { floorTo, RESOLUTION_MS } from '../../../base/values/time-buckets.ts';
import { describeCause } from '../../../errors.ts';
import type { Purgeable } from '../../../ports/storage.ts';
import { COLLECTION_NAMES, isExpiring } from '../../../ports/stored-records.ts';
import type { Context } from '../../shared/context.ts';
import { EVENT_DAYS } from '../../shared/outbox.ts';

export interface Retention {
  /** Removes all records that are due, unless the clock may be wrong. Resolves to the number of removed records. */
  run(): Promise<number>;
  stop(): void;
}

const EVERY_MS = 15 * 60_000;
/**
 * The time for which an unused writer is kept. For one day, a block that is sent again is accepted; one more hour
 * allows for clocks that differ.
 */
const WRITER_DAYS = 25 / 24;
/** The pause between two removals, which lets other calls of the storage run. */
const PAUSE_MS = 10;

/**
 * The time for which a counter stays after its end, so that a late write of a node with a slow clock still finds it.
 */
const LATE_MS = 10_000;

/** The records that expire at their own instant. Records of approvals stay longer. */
const EXPIRING: readonly Purgeable[] = [
  'counters',
  ...COLLECTION_NAMES.filter((name) => isExpiring(name) && name !== 'approvals'),
];
/** The records that are kept for `retentionDays`. */
const AGEING: readonly Purgeable[] = ['verdicts', 'rollups'];

interface Round {
  readonly before: number;
  readonly present: number;
  readonly removed: Map<Purgeable, number>;
}

/** Starts the timer. The first round is after 15 minutes, so that it does not delay the start of the process. */
export function startRetention(
  context: Pick<Context, 'store' | 'clock' | 'clockWatch' | 'logState' | 'retentionDays' | 'log'>,
): Retention {
  let isStopped = false;
  let isOut = false;
  let running = false;
  const timer = setInterval(async () => {
    if (running) return;
    running = true;
    try {
      await run();
      isOut = false;
    } catch (error) {
      // One line for each outage.
      const message = 'Old records could not be removed. The service tries again.';
      if (!isOut && !isStopped) {
        context.log({ level: 'error', event: 'retention_failed', message, cause: describeCause(error) });
      }
      isOut = true;
    } finally {
      running = false;
    }
  }, EVERY_MS);
  (timer as { unref?: () => void }).unref?.();

  async function run(): Promise<number> {
    const { clock, clockWatch } = context;
    await clockWatch.look();
    if (!clockWatch.mayPurge()) return 0;
    const present = clock.now();
    const daysAgo = (days: number): number => floorTo('minute', present - days * RESOLUTION_MS.day);
    const pastInstant = daysAgo(context.retentionDays);
    // An event of an approval has no copy of the intent, so the approval stays as long as the event.
    const beforeEvents = daysAgo(Math.max(context.retentionDays, EVENT_DAYS));
    const removedCounts = new Map<Purgeable, number>();
    try {
      for (const kind of EXPIRING) {
        const cutoffMs = kind === 'counters' ? present - LATE_MS : present;
        await purgeAll(kind, { before: cutoffMs, present, removed: removedCounts });
      }
      for (const kind of AGEING)
        await purgeAll(kind, { before: pastInstant, present, removed: removedCounts });
      await purgeAll('approvals', { before: beforeEvents, present, removed: removedCounts });
      const unusedMs = Math.min(daysAgo(WRITER_DAYS), await firstWithoutLeaf(context));
      await purgeAll('writers', { before: Math.max(unusedMs, pastInstant), present, removed: removedCounts });
    } finally {
      tell(removedCounts);
    }
    return [...removedCounts.values()].reduce((sum, number) => sum + number, 0);
  }

  async function purgeAll(kind: Purgeable, { before, present, removed }: Round): Promise<void> {
    for (let number = 1; number > 0 && !isStopped && context.clockWatch.mayPurge(); ) {
      number = await context.store.purge(kind, formatInstant(before), formatInstant(present));
      removed.set(kind, (removed.get(kind) ?? 0) + number);
      if (number > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  function tell(removedCounts: ReadonlyMap<Purgeable, number>): void {
    const kinds = [...removedCounts].filter(([, number]) => number > 0);
    if (kinds.length === 0) return;
    const names = kinds.map(([kind, number]) => `${number} ${kind.replaceAll('_', ' ')}`).join(', ');
    const message = `The service removed old records: ${names}.`;
    context.log({ level: 'info', event: 'retention_removed', message, removed: Object.fromEntries(kinds) });
  }

  return {
    run,
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

/** Returns the earliest `seen_at` of the writers that may have blocks without a leaf in an evidence log. */
async function firstWithoutLeaf({ logState, store }: Pick<Context, 'store' | 'logState'>): Promise<number> {
  const log = await logState.refresh();
  if (log === undefined) return Number.POSITIVE_INFINITY;
  const writers = await store.journal.writers();
  const leftWriters = writers.filter(({ id, flushed }) => flushed > (log.from[id] ?? 0));
  return leftWriters.reduce(
    (first, { seen_at }) => Math.min(first, Date.parse(seen_at)),
    Number.POSITIVE_INFINITY,
  );
}
