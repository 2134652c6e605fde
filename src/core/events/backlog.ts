/** Keeps the events that a reader has not read yet. */
import { createBoundedMap } from '../../base/bounded-map.ts';
import type { IdentityEvent } from '../../records/event.ts';
import { eventFrame } from './event-records.ts';

/** The events that wait for a reader, up to 1 MiB in their sent form. */
export interface Backlog {
  /** `true` after too many events arrived. Waiting events are dropped, and new events are ignored until `resume`. */
  readonly hasOverflowed: boolean;
  readonly isEmpty: boolean;
  push(event: IdentityEvent): void;
  take(): readonly IdentityEvent[];
  resume(): void;
  clear(): void;
}

const MAX_UNREAD = 1024 * 1024;
const AT_ONCE = 100;

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
      const takenEvents = unread.splice(0, AT_ONCE);
      size =
        unread.length === 0
          ? 0
          : size - takenEvents.reduce((sum, event) => sum + eventFrame(event).length, 0);
      return takenEvents;
    },
    resume() {
      hasOverflowed = false;
    },
    clear,
  };
}

/** The number of ids to remember, so that an event is not sent twice within a short time. */
const REMEMBERED = 10_000;

export interface SentEvents {
  readonly lastMs: number;
  fresh(events: readonly IdentityEvent[]): readonly IdentityEvent[];
}

/**
 * Creates the list of sent events. It begins with the event `positionAfter`, the last event of the previous stream.
 * `beginMs` is the value of `lastMs` before the first event.
 */
export function createSentEvents(beginMs: number, positionAfter?: string): SentEvents {
  const sentIds = createBoundedMap<string, true>(REMEMBERED);
  let lastMs = beginMs;
  return {
    get lastMs() {
      return lastMs;
    },
    fresh(events) {
      return events.filter(({ id, timestamp }) => {
        if (id === positionAfter || sentIds.get(id) !== undefined) return false;
        sentIds.set(id, true);
        lastMs = Math.max(lastMs, Date.parse(timestamp));
        return true;
      });
    },
  };
}
