/** Finds the reports of outcomes that any node has stored, for the accounts that have listeners. */
import { floorTo, RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import type { OutcomeColumns } from '../../journal-format/index.ts';
import type { After } from '../../ports/host.ts';
import { type BlockHeader, MAX_LISTED_BLOCKS, MAX_LOADED_BLOCKS } from '../../ports/journal.ts';
import type { IdentityEvent } from '../../records/event.ts';
import { createBlockReader } from '../journal/damage.ts';
import { createOutcomeBlocks, type OutcomeBlocks } from '../journal/read/outcome-join.ts';
import type { Context } from '../shared/context.ts';
import { createChore } from '../shared/timers.ts';
import { createLiveAccounts, type EventFeed, type EventListener, WINDOW_MS } from './change-feed.ts';
import { toOutcomeEvent } from './event-records.ts';

/** A feed like `EventFeed`, for outcomes. */
export type OutcomeFeed = Pick<EventFeed, 'join' | 'stop'>;

/** The maximum age of a verdict whose outcome can be reported. */
export const OLDEST_REPORTED_MS: number = 7 * RESOLUTION_MS.day;
const EVERY_MS = 300;
/** The age up to which every poll reads the blocks of verdicts, because most reports come soon after their verdicts. */
const SOON_MS = 10 * RESOLUTION_MS.minute;
const ALL_EVERY_MS = 30_000;

interface Blocks {
  readonly seen: Map<string, number>;
  /** Reports before this instant are older than the first listener and are ignored. */
  readonly floor: number;
  lookedAt: number;
}

/** Creates the feed of outcomes. The feed reads nothing while it has no listener. */
export function createOutcomeFeed(
  context: Pick<Context, 'store' | 'clock' | 'after' | 'log'>,
  share: WorkShare,
): OutcomeFeed {
  const { store, clock, after, log } = context;
  const blocks = createOutcomeBlocks(store.journal, createBlockReader(log));
  const accounts = createLiveAccounts<EventListener, Blocks>((account_id) => {
    const state = { seen: new Map(), floor: clock.now() - WINDOW_MS, lookedAt: Number.NEGATIVE_INFINITY };
    return { state, ready: takeNew(blocks, account_id, state, clock.now()).then(() => undefined) };
  });
  const chore = createChore(after, EVERY_MS, lookAtAll);

  async function lookAtAll(): Promise<boolean> {
    for (const { account_id, state, listeners, ready } of accounts.all()) {
      const headers = await ready
        .then(() => takeNew(blocks, account_id, state, clock.now()))
        .catch((): readonly BlockHeader[] => []);
      for (let start = 0; start < headers.length; start += MAX_LOADED_BLOCKS) {
        const piece = headers.slice(start, start + MAX_LOADED_BLOCKS);
        await tellBlocks(piece, listeners, state).catch(() => {
          // The next look finds them again.
          for (const header of piece) state.seen.delete(nameOf(header));
        });
      }
    }
    return accounts.size > 0;
  }

  async function tellBlocks(
    headers: readonly BlockHeader[],
    listeners: ReadonlySet<EventListener>,
    { floor }: Blocks,
  ): Promise<void> {
    for (const header of headers) {
      await share.wait();
      // A block that is gone was compacted into another, which has the name of one of its parts.
      for (const outcomes of (await blocks.open([header])) ?? []) {
        share.spend(() => {
          for (const event of outcomeEvents(outcomes, floor)) for (const tell of listeners) tell(event);
        });
      }
    }
  }

  return {
    async join(account_id, listener) {
      const leave = await accounts.join(account_id, listener);
      chore.ask();
      return leave;
    },
    stop: chore.stop,
  };
}

/**
 * Returns the unread blocks, oldest first, and marks them as read. It reads all blocks of an hour together, because a
 * merge may have joined an unread block with a block that was already read.
 */
async function takeNew(
  blocks: OutcomeBlocks,
  account_id: string,
  state: Blocks,
  present: number,
): Promise<readonly BlockHeader[]> {
  const { seen } = state;
  const isOfAll = present - state.lookedAt >= ALL_EVERY_MS;
  const oldest = floorTo('hour', present - OLDEST_REPORTED_MS - WINDOW_MS);
  const from_ms = isOfAll ? oldest : floorTo('hour', present - SOON_MS);
  const headers: BlockHeader[] = [];
  for (let page: readonly BlockHeader[] = [], isOver = false; !isOver; ) {
    page = await blocks.list({ account_id, from_ms }, MAX_LISTED_BLOCKS, page.at(-1));
    isOver = page.length < MAX_LISTED_BLOCKS;
    headers.push(...page.filter((header) => !seen.has(nameOf(header))));
  }
  if (isOfAll) state.lookedAt = present;
  for (const header of headers) seen.set(nameOf(header), header.to_ms);
  for (const [name, to_ms] of seen) if (to_ms < oldest) seen.delete(name);
  return headers.reverse();
}

function nameOf({ writer, seq }: BlockHeader): string {
  return `${writer}.${seq}`;
}

/** Delays work that is not urgent, so that such work takes a small share of the time. */
export interface WorkShare {
  /** Settles when enough time has passed since the last counted work. */
  wait(): Promise<void>;
  /** Runs synchronous work and counts its time. */
  spend<Result>(work: () => Result): Result;
}

const SHARE = 20;
/** The longest delay that counted work can cause. A short pause of the machine must not stop the events for long. */
const MAX_DEBT_MS = 500;

/** Creates the share of time that all streams of a service use together. */
export function createWorkShare(monotonic: () => number, schedule: After): WorkShare {
  let freeAt = 0;
  return {
    async wait() {
      for (;;) {
        const remainder = freeAt - monotonic();
        if (remainder <= 1) return;
        await new Promise<void>((resolve) => schedule(remainder, resolve));
      }
    },
    spend(work) {
      const began = monotonic();
      const result = work();
      const now = monotonic();
      freeAt = Math.min(Math.max(freeAt, now) + (now - began) * (SHARE - 1), now + MAX_DEBT_MS);
      return result;
    },
  };
}

/** Yields the events of the outcomes that were reported from `from_ms` on and before `before_ms`. */
export function* outcomeEvents(
  reports: OutcomeColumns,
  from_ms: number,
  before_ms: number = Number.POSITIVE_INFINITY,
): Generator<IdentityEvent, undefined> {
  for (let place = 0; place < reports.length; place += 1) {
    const report = reports.report(place);
    if (report.reported_ms >= from_ms && report.reported_ms < before_ms) yield toOutcomeEvent(report);
  }
}
