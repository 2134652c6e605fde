/** One stream of events: what is stored, then what happens; no faster than it is read. */

import type { After } from '../../ports/host.ts';
import type { IdentityEvent } from '../../records/event.ts';
import { createBacklog, createSentEvents } from './backlog.ts';
import { WINDOW_MS } from './change-feed.ts';
import { toGap } from './event-records.ts';
import type { Replay } from './replay.ts';

/** The events of an account, as they come. `for await` ends when the stream does. */
export interface EventStream extends AsyncIterable<IdentityEvent> {
  /** Where it begins, as the `id` of an event: a stream `after` it misses nothing of this one. */
  readonly begin: string;
  /** What has happened, at least one; `[]` when nothing did in that time; `undefined` at the end. */
  read(waitMs: number): Promise<readonly IdentityEvent[] | undefined>;
  /** Aborted when it has ended. */
  readonly closed: AbortSignal;
  /** Ends it; twice is fine. */
  close(): void;
}

/** The same for the feeds. */
export interface FedStream extends EventStream {
  push(event: IdentityEvent): void;
}

/** What a stream is made of. */
export interface StreamParts {
  readonly after: After;
  readonly replay: Replay;
  readonly now: () => number;
  /** Where it begins, and whether some of what is stored may be missing. */
  readonly start: {
    readonly id: string;
    /** The event that is the last one known: it does not come again. */
    readonly after: string | undefined;
    /** Whether it begins with what is stored. */
    readonly isReplayed: boolean;
    readonly gapSince: number | undefined;
  };
  readonly onClose: () => void;
}

/** A reader that takes nothing for this time, while more waits than is held for it, is given up. */
const PATIENCE_MS = 10_000;
const HOUR_MS = 3_600_000;

/** A stream that waits for its reader. */
export function createEventStream({ after, replay, now, start, onClose }: StreamParts): FedStream {
  const backlog = createBacklog();
  const sent = createSentEvents(now(), start.after);
  const bell = createBell(after);
  const patience = createPatience(after, close);
  const closed = new AbortController();
  const first = start.gapSince === undefined ? [] : [toGap(start.gapSince)];
  let isBehind = start.isReplayed;
  let isReading = false;

  function push(event: IdentityEvent): void {
    if (closed.signal.aborted) return;
    backlog.push(event);
    awaitReader();
    bell.ring();
  }

  /** What does not fit is read again from the storage, once the reader takes more. */
  function awaitReader(): void {
    if (backlog.hasOverflowed && !isReading && !closed.signal.aborted) patience.begin();
  }

  function close(): void {
    if (closed.signal.aborted) return;
    backlog.clear();
    patience.stop();
    onClose();
    closed.abort();
    bell.ring();
  }

  /** What is stored, until the present is reached. */
  async function readStored(until: number): Promise<readonly IdentityEvent[] | undefined> {
    while (isBehind && !closed.signal.aborted) {
      const events = await replay.next();
      if (events === undefined) {
        isBehind = backlog.hasOverflowed;
        if (isBehind) replay.rewind(now() - WINDOW_MS);
        backlog.resume();
      }
      const found = sent.fresh(events ?? []);
      if (found.length > 0 || performance.now() > until) return found;
    }
    return undefined;
  }

  async function read(waitMs: number): Promise<readonly IdentityEvent[] | undefined> {
    patience.stop();
    isReading = true;
    try {
      return await readNext(waitMs);
    } finally {
      isReading = false;
      awaitReader();
    }
  }

  async function readNext(waitMs: number): Promise<readonly IdentityEvent[] | undefined> {
    if (first.length > 0) return first.splice(0);
    const until = performance.now() + waitMs;
    while (!closed.signal.aborted) {
      if (backlog.hasOverflowed && !isBehind) {
        isBehind = true;
        backlog.resume();
        replay.rewind(sent.lastMs - WINDOW_MS);
      }
      const stored = await readStored(until);
      if (stored !== undefined) return stored;
      const taken = sent.fresh(backlog.take());
      if (taken.length > 0) return taken;
      if (!backlog.isEmpty || backlog.hasOverflowed || closed.signal.aborted) continue;
      if (!(await bell.wait(waitMs)) && !closed.signal.aborted) return [];
    }
    return undefined;
  }

  const stream = { begin: start.id, closed: closed.signal, push, read, close };
  return { ...stream, [Symbol.asyncIterator]: () => eventsOf(stream) };
}

/** Event by event; a loop that stops early closes the stream. */
async function* eventsOf({
  read,
  close,
}: Pick<EventStream, 'read' | 'close'>): AsyncGenerator<IdentityEvent> {
  try {
    for (;;) {
      const events = await read(HOUR_MS);
      if (events === undefined) return;
      yield* events;
    }
  } finally {
    close();
  }
}

/** Gives a reader up that takes nothing for too long. */
interface Patience {
  /** Unless it has begun already. */
  begin(): void;
  stop(): void;
}

function createPatience(after: After, end: () => void): Patience {
  let cancel: (() => void) | undefined;
  return {
    begin() {
      cancel ??= after(PATIENCE_MS, end);
    },
    stop() {
      cancel?.();
      cancel = undefined;
    },
  };
}

/** Wakes the reader that waits. */
interface Bell {
  ring(): void;
  /** Whether it rang in time. */
  wait(ms: number): Promise<boolean>;
}

function createBell(after: After): Bell {
  let wake = (): void => {};
  return {
    ring: () => wake(),
    wait: (ms) =>
      new Promise((resolve) => {
        const cancel = after(ms, () => resolve(false));
        wake = () => {
          cancel();
          resolve(true);
        };
      }),
  };
}
