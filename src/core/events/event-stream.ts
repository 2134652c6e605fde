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
  const sentEvents = createSentEvents(now(), start.after);
  const bell = createBell(after);
  const patience = createPatience(after, close);
  const closedController = new AbortController();
  const first = start.gapSince === undefined ? [] : [toGap(start.gapSince)];
  let isBehind = start.isReplayed;
  let isReading = false;

  function push(event: IdentityEvent): void {
    if (closedController.signal.aborted) return;
    backlog.push(event);
    awaitReader();
    bell.ring();
  }

  /**
   * Starts the time limit of a slow reader. If the reader continues, dropped events are read from the storage again.
   */
  function awaitReader(): void {
    if (backlog.hasOverflowed && !isReading && !closedController.signal.aborted) patience.begin();
  }

  function close(): void {
    if (closedController.signal.aborted) return;
    backlog.clear();
    patience.stop();
    onClose();
    closedController.abort();
    bell.ring();
  }

  async function readStored(endMs: number): Promise<readonly IdentityEvent[] | undefined> {
    while (isBehind && !closedController.signal.aborted) {
      const events = await replay.next();
      if (events === undefined) {
        isBehind = backlog.hasOverflowed;
        if (isBehind) replay.rewind(now() - WINDOW_MS);
        backlog.resume();
      }
      const foundEvents = sentEvents.fresh(events ?? []);
      if (foundEvents.length > 0 || performance.now() > endMs) return foundEvents;
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
    replay.rewind(sentEvents.lastMs - WINDOW_MS);
  }

  async function readNext(waitMs: number): Promise<readonly IdentityEvent[] | undefined> {
    if (first.length > 0) return first.splice(0);
    const endMs = performance.now() + waitMs;
    while (!closedController.signal.aborted) {
      readDropped();
      const storedEvents = await readStored(endMs);
      if (storedEvents !== undefined) return storedEvents;
      const takenEvents = sentEvents.fresh(backlog.take());
      if (takenEvents.length > 0) return takenEvents;
      const mustWait = backlog.isEmpty && !backlog.hasOverflowed && !closedController.signal.aborted;
      if (mustWait && !(await bell.wait(waitMs)) && !closedController.signal.aborted) return [];
    }
    return undefined;
  }

  const stream = { begin: start.id, closed: closedController.signal, push, read, close };
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

function createPatience(schedule: After, end: () => void): Patience {
  let cancel: (() => void) | undefined;
  return {
    begin() {
      cancel ??= schedule(PATIENCE_MS, end);
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

function createBell(schedule: After): Bell {
  let wake = (): void => {};
  return {
    ring: () => wake(),
    wait: (ms) =>
      new Promise((resolve) => {
        const cancel = schedule(ms, () => resolve(false));
        wake = () => {
          cancel();
          resolve(true);
        };
      }),
  };
}
