/** The events that a reader has not taken yet. */
import { createBoundedMap } from '../../base/bounded-map.ts';
import type { IdentityEvent } from '../../records/event.ts';
import { eventFrame } from './event-records.ts';

/** Held for a reader, up to 1 MiB as they are sent. */
export interface Backlog {
  /** Whether there was more than fits: all of it was dropped, and nothing is held until `resume`. */
  readonly hasOverflowed: boolean;
  readonly isEmpty: boolean;
  push(event: IdentityEvent): void;
  /** The oldest. */
  take(): readonly IdentityEvent[];
  /** Holds events again, from the next one on. */
  resume(): void;
  clear(): void;
}

const MAX_UNREAD = 1024 * 1024;
/** How many events are handed out at once. */
const AT_ONCE = 100;

/** An empty one. */
export function createBacklog(): Backlog {
  let unread: IdentityEvent[] = [];
  let size = 0;
  let hasOverflowed = false;

  function clear(): void {
    unread = [];
    size = 0;
  }

  return {
    get hasOverflowed() {
      return hasOverflowed;
    },
    get isEmpty() {
      return unread.length === 0;
    },
    push(event) {
      if (hasOverflowed) return;
      unread.push(event);
      size += eventFrame(event).length;
      if (size <= MAX_UNREAD) return;
      hasOverflowed = true;
      clear();
    },
    take() {
      const taken = unread.splice(0, AT_ONCE);
      size = unread.length === 0 ? 0 : size - taken.reduce((sum, event) => sum + eventFrame(event).length, 0);
      return taken;
    },
    resume() {
      hasOverflowed = false;
    },
    clear,
  };
}

/** How many ids are remembered, so that no event comes twice but after a long time. */
const REMEMBERED = 10_000;

/** What a reader was given. */
export interface SentEvents {
  /** The instant of the latest of them, in milliseconds. */
  readonly lastMs: number;
  /** Those that were not sent yet; from now on they are. */
  fresh(events: readonly IdentityEvent[]): readonly IdentityEvent[];
}

/**
 * Nothing was sent yet but the event of the id `after`, with which the stream before has ended; `beginMs` stands for the
 * instant of the first event.
 */
export function createSentEvents(beginMs: number, after?: string): SentEvents {
  const sent = createBoundedMap<string, true>(REMEMBERED);
  let lastMs = beginMs;
  return {
    get lastMs() {
      return lastMs;
    },
    fresh(events) {
      return events.filter(({ id, timestamp }) => {
        if (id === after || sent.get(id) !== undefined) return false;
        sent.set(id, true);
        lastMs = Math.max(lastMs, Date.parse(timestamp));
        return true;
      });
    },
  };
}
