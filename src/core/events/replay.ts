/** Reads the stored events in slices of time, oldest first. The fewer events there are, the longer is a slice. */

import { turn } from '../../base/async/turns.ts';
import { changeRecordId, readEventId } from '../../base/bytes/event-position.ts';
import { jsonSize } from '../../base/values/json-values.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import type { Position } from '../../ports/journal.ts';
import type { IdentityEvent } from '../../records/event.ts';
import type { ReadRecords } from '../journal/read/reader.ts';
import type { Context } from '../shared/context.ts';
import { EVENT_DAYS } from '../shared/outbox.ts';
import { WINDOW_MS } from './change-feed.ts';
import type { EventFilter } from './event-filter.ts';
import { eventFrame } from './event-records.ts';
import type { WorkShare } from './outcome-feed.ts';
import { createStoredEvents, type EventRange, sliceOf } from './stored-events.ts';
import { isPartial, wholeEvent } from './whole-event.ts';

/** Reads the stored events of one account for one stream. */
export interface Replay {
  /** Returns the next events; `undefined` after all events that were stored at the beginning. */
  next(): Promise<readonly IdentityEvent[] | undefined>;
  /** Starts again from an instant, in milliseconds. */
  rewind(ms: number): void;
  /** Stops reading. Waiting work is cancelled. */
  stop(): void;
}

/** The sources of the events to replay. */
export interface ReplayParts {
  readonly context: Pick<Context, 'store' | 'clock' | 'log' | 'publicUrl' | 'retentionDays' | 'awaitedAfter'>;
  readonly readVerdicts: ReadRecords;
  readonly share: WorkShare;
  /**
   * The queues of accounts. One stream of an account reads at a time, so that all its streams together hold one piece.
   */
  readonly lines: Lines;
}

/**
 * The period before its last event that a continued stream reads again, because another node may have stored an older
 * event later.
 */
export const OVERLAP_MS = 5_000;
const MAX_AT_ONCE = 500;
/** The maximum size of a piece with all of its data. Its last event may exceed it. */
const MAX_BYTES = 256 * 1024;
const FIRST_MS = 10_000;
const LONGEST_MS = RESOLUTION_MS.day;

export function createReplay(
  { context, readVerdicts, share, lines }: ReplayParts,
  account_id: string,
  filter: EventFilter,
  start: number,
): Replay {
  const storedEvents = createStoredEvents({ context, readVerdicts }, account_id, filter);
  let atMs = start;
  let length = FIRST_MS;
  let endMs = untilNow();
  let parts: readonly EventRange[] = [];
  /** The stored events of the last slice. Events of passports and approvals still lack a part of their data. */
  let waiting: IdentityEvent[] = [];
  let isStopped = false;

  /**
   * Returns the end of the replay. Later events come from the feeds, which the stream joined before. Without
   * a fixed end, the replay might never finish. The end is `OVERLAP_MS` ahead, because events may have the
   * time of another node whose clock is ahead.
   */
  function untilNow(): number {
    return context.clock.now() + OVERLAP_MS;
  }

  function begin(ms: number): void {
    atMs = ms;
    length = FIRST_MS;
    endMs = untilNow();
    parts = [];
    waiting = [];
  }

  /** Waits for a turn. Resolves to `false` if the replay is stopped. */
  async function takeTurn(): Promise<boolean> {
    if (!isStopped) await share.wait();
    return !isStopped;
  }

  /** Reads the next piece. It waits for its turn before it reads, so that it holds no data while it waits. */
  async function readNext(): Promise<readonly IdentityEvent[] | undefined> {
    while (await takeTurn()) {
      if (waiting.length > 0) {
        const piece = await wholePiece(context, waiting);
        return share.spend(() => framed(piece));
      }
      const [part, ...otherRanges] = parts;
      if (part !== undefined) {
        parts = otherRanges;
        hold(await storedEvents.read(part));
        continue;
      }
      if (atMs >= endMs) return undefined;
      // Returns here, because a stream that wants none of them may have ended.
      if ((await readSlice()) && waiting.length === 0) return [];
    }
    return undefined;
  }

  /** Reads the events of the next slice. Returns `false` if the slice has too many events. */
  async function readSlice(): Promise<boolean> {
    const end = Math.min(atMs + length, endMs);
    const events = await storedEvents.readWithin(sliceOf(atMs, end));
    if (events === undefined) {
      await divideSlice(end);
      return false;
    }
    atMs = end;
    if (events.share < 1 / 8) length = Math.min(length * 4, LONGEST_MS);
    hold(events.events);
    return true;
  }

  /** Shortens the next slice. An instant cannot be divided: it is read in parts. */
  async function divideSlice(end: number): Promise<void> {
    if (length > 1) {
      length = Math.max(1, Math.floor(Math.min(length, end - atMs) / 8));
      return;
    }
    parts = await storedEvents.partsOf(sliceOf(atMs, end));
    atMs = end;
  }

  function hold(events: readonly IdentityEvent[]): void {
    waiting = events.filter(filter.admits).sort(byInstant);
  }

  return {
    rewind: begin,
    next: () => lines.run(account_id, readNext),
    stop() {
      isStopped = true;
    },
  };
}

async function wholePiece(
  context: Pick<Context, 'store' | 'publicUrl'>,
  waiting: IdentityEvent[],
): Promise<readonly IdentityEvent[]> {
  const events: IdentityEvent[] = [];
  let takenCount = 0;
  for (let bytes = 0; bytes < MAX_BYTES && events.length < MAX_AT_ONCE; takenCount += 1) {
    const next = waiting[takenCount];
    if (next === undefined) break;
    if (isPartial(next)) await turn();
    const event = await wholeEvent(context, next);
    if (event === undefined) continue;
    events.push(event);
    bytes += jsonSize(event);
  }
  // Removed after the reads: they are read again if one fails.
  waiting.splice(0, takenCount);
  return events;
}

function framed(events: readonly IdentityEvent[]): readonly IdentityEvent[] {
  for (const event of events) eventFrame(event);
  return events;
}

function byInstant(a: IdentityEvent, b: IdentityEvent): number {
  return a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0;
}

/** The point at which a stream continues. */
export interface Start {
  readonly from: number;
  /** Events since this instant may be missing. */
  readonly gapSince: number | undefined;
}

/** Returns the point at which a stream continues after an event. `positionAfter` was already checked. */
export async function startAfter(
  parts: ReplayParts,
  account_id: string,
  filter: EventFilter,
  positionAfter: string,
): Promise<Start> {
  const { clock, retentionDays } = parts.context;
  const present = clock.now();
  const keptFields = {
    changes: present - EVENT_DAYS * RESOLUTION_MS.day,
    verdicts: present - retentionDays * RESOLUTION_MS.day,
  };
  const oldest = filter.verdicts === undefined ? keptFields.changes : keptFields.verdicts;
  const complete = filter.wantsChanges ? Math.max(keptFields.changes, oldest) : keptFields.verdicts;
  const ms = readEventId(positionAfter)?.ms ?? 0;
  if (!(await isStored(parts, account_id, positionAfter))) return { from: oldest, gapSince: complete };
  return { from: Math.max(ms - OVERLAP_MS, oldest), gapSince: ms < complete ? complete : undefined };
}

async function isStored(
  { context, readVerdicts }: ReplayParts,
  account_id: string,
  positionAfter: string,
): Promise<boolean> {
  const { ms = 0, source, name } = readEventId(positionAfter) ?? {};
  // A gap is not stored: its id contains only an instant.
  // The report itself has no place of its own by which it is found.
  if (source === 'g' || source === 'o') return ms <= context.clock.now() + WINDOW_MS;
  if (source === 'c') {
    const record = await context.store.get('events', changeRecordId(positionAfter, account_id));
    return record?.account_id === account_id;
  }
  const query = { account_id, from_ms: ms, to_ms: ms + 1 };
  let position: Position | undefined;
  do {
    const { records, next } = await readVerdicts(query, MAX_AT_ONCE, position);
    if (records.some(({ decision_id }) => decision_id === `dec_${name}`)) return true;
    position = next ?? undefined;
  } while (position !== undefined);
  return false;
}

// Runs work in queues, one queue for each name.

/** Queues by name. A name without work uses no memory. */
interface Lines {
  /** Runs the work after all earlier work of the same name has ended, and returns its result. */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

/** Makes empty queues. */
export function createLines(): Lines {
  const ends = new Map<string, Promise<unknown>>();
  return {
    run(name, work) {
      const result = (ends.get(name) ?? Promise.resolve()).then(work);
      const end = result.then(leave, leave);
      ends.set(name, end);
      function leave(): void {
        if (ends.get(name) === end) ends.delete(name);
      }
      return result;
    },
  };
}
