/** Creates streams of events: first stored events, then new events, no faster than the reader reads. */

import type { After } from '../../ports/host.ts';
import type { IdentityEvent } from '../../records/event.ts';
import { createBacklog, createSentEvents } from './backlog.ts';
import { WINDOW_MS } from './change-feed.ts';
import { toGap } from './event-records.ts';
import type { Replay } from './replay.ts';

/** The events of an account, in order. `for await` ends if the stream ends. */
export interface EventStream extends AsyncIterable<IdentityEvent> {
  /** The `id` of the start. A new stream with this id as `after` contains every event of this stream. */
  readonly begin: string;
  /**
   * Returns new events. The list is empty if none arrived within `waitMs`; the result is `undefined` after the end of
   * the stream.
   *
   * @throws {IdentityError} `storage_unavailable` if stored events cannot be read.
   */
  read(waitMs: number): Promise<readonly IdentityEvent[] | undefined>;
  /** A signal that aborts if the stream has ended. */
  readonly closed: AbortSignal;
  /** Ends the stream. A second call does nothing. */
  close(): void;
}

/** A stream with the method to which feeds pass events. */
export interface FedStream extends EventStream {
  push(event: IdentityEvent): void;
}

/** The dependencies and the starting point of a stream. */
export interface StreamParts {
  readonly after: After;
  readonly replay: Replay;
  readonly now: () => number;
  readonly start: {
    readonly id: string;
    /** The id of the last event that the reader has. The stream does not send this event again. */
    readonly after: string | undefined;
    /** `true` if the stream begins with stored events. */
    readonly isReplayed: boolean;
    readonly gapSince: number | undefined;
  };
  readonly onClose: () => void;
}

/** The time after which a stream ends if its reader reads nothing while the waiting events exceed the limit. */
const PATIENCE_MS = 10_000;
const HOUR_MS = 3_600_000;

/** Creates a stream whose speed depends on its reader. */
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

  /**
   * Starts the time limit of a slow reader. If the reader continues, dropped events are read from the storage again.
   */
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

  /** Continues with the stored events if the backlog has dropped events. */
  function readDropped(): void {
    if (!backlog.hasOverflowed || isBehind) return;
    isBehind = true;
    backlog.resume();
    replay.rewind(sent.lastMs - WINDOW_MS);
  }

  async function readNext(waitMs: number): Promise<readonly IdentityEvent[] | undefined> {
    if (first.length > 0) return first.splice(0);
    const until = performance.now() + waitMs;
    while (!closed.signal.aborted) {
      readDropped();
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

interface Patience {
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

interface Bell {
  ring(): void;
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
