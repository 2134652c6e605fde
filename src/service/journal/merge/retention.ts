/** Removes records that are past their retention, by itself. */

import { formatInstant } from '../../../base/values/instant.ts';
import { floorTo, RESOLUTION_MS } from '../../../base/values/time-buckets.ts';
import { describeCause } from '../../../errors.ts';
import type { Purgeable } from '../../../ports/storage.ts';
import type { Context } from '../../shared/context.ts';
import { EVENT_DAYS } from '../../shared/outbox.ts';

/** Removes by the clock, until it is stopped. */
export interface Retention {
  /** Removes all that is due now, unless the clock may be wrong; the number removed. */
  run(): Promise<number>;
  stop(): void;
}

const EVERY_MS = 15 * 60_000;
/** Between two removals: what they take of the storage is left to others for as long. */
const PAUSE_MS = 10;

/** What ends by itself, and what is kept for the days of the retention. */
const EXPIRING: readonly Purgeable[] = [
  'sessions',
  'counters',
  'idempotency',
  'events',
  'spends',
  'webhook_deliveries',
];
const AGEING: readonly Purgeable[] = ['verdicts', 'rollups'];

const NAMES: Readonly<Record<Purgeable, string>> = {
  sessions: 'sessions',
  counters: 'counters',
  idempotency: 'idempotency records',
  events: 'events',
  spends: 'spends',
  webhook_deliveries: 'deliveries of webhooks',
  approvals: 'approvals',
  verdicts: 'verdicts',
  rollups: 'rollups',
};

/** What is removed in one round, by the present at its start, and how much it was. */
interface Round {
  readonly before: number;
  readonly present: number;
  readonly removed: Map<Purgeable, number>;
}

/** Starts the timer. The first round comes after a quarter of an hour, so that a start has nothing to wait for. */
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
    const { clock, clockWatch } = context;
    await clockWatch.look();
    if (!clockWatch.mayPurge) return 0;
    const present = clock.now();
    const daysAgo = (days: number): number => floorTo('minute', present - days * RESOLUTION_MS.day);
    const past = daysAgo(context.retentionDays);
    // Their events hold no intent of their own.
    const beforeEvents = daysAgo(Math.max(context.retentionDays, EVENT_DAYS));
    const removed = new Map<Purgeable, number>();
    try {
      for (const kind of EXPIRING) await purgeAll(kind, { before: present, present, removed });
      for (const kind of AGEING) await purgeAll(kind, { before: past, present, removed });
      await purgeAll('approvals', { before: beforeEvents, present, removed });
    } finally {
      tell(removed);
    }
    return [...removed.values()].reduce((sum, number) => sum + number, 0);
  }

  async function purgeAll(kind: Purgeable, { before, present, removed }: Round): Promise<void> {
    for (let number = 1; number > 0 && !stopped && context.clockWatch.mayPurge; ) {
      number = await context.store.purge(kind, formatInstant(before), formatInstant(present));
      removed.set(kind, (removed.get(kind) ?? 0) + number);
      if (number > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** One line for a round that removed anything. */
  function tell(removed: ReadonlyMap<Purgeable, number>): void {
    const kinds = [...removed].filter(([, number]) => number > 0);
    if (kinds.length === 0) return;
    const names = kinds.map(([kind, number]) => `${number} ${NAMES[kind]}`).join(', ');
    const message = `Removed what was too old: ${names}.`;
    context.log({ level: 'info', event: 'retention_removed', message, removed: Object.fromEntries(kinds) });
  }

  return {
    run,
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
