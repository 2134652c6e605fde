/** The stored events, the oldest first, in slices of time: the fewer events there are, the longer a slice is. */
import { changeRecordId, readEventId } from '../../base/event-position.ts';
import { jsonSize } from '../../base/json-size.ts';
import { RESOLUTION_MS } from '../../base/time-buckets.ts';
import { turn } from '../../base/turns.ts';
import type { Position } from '../../ports/queries.ts';
import type { IdentityEvent } from '../../records/event.ts';
import type { ReadRecords } from '../journal/reader.ts';
import type { Context } from '../shared/context.ts';
import { EVENT_DAYS } from '../shared/outbox.ts';
import { WINDOW_MS } from './change-feed.ts';
import type { EventFilter } from './event-filter.ts';
import { eventFrame } from './event-records.ts';
import type { Lines } from './lines.ts';
import type { Pace } from './pace.ts';
import { createStoredEvents, type EventRange, sliceOf } from './stored-events.ts';
import { isPartial, wholeEvent } from './whole-event.ts';

/** Reads what is stored of one account, for one stream. */
export interface Replay {
  /** The events of the next piece; `undefined` when all is read that was stored when it began. */
  next(): Promise<readonly IdentityEvent[] | undefined>;
  /** Begins again, from this instant on. */
  rewind(ms: number): void;
  /** Reads no more: what waits for its turn gives it up. */
  stop(): void;
}

/** What replays read from. */
export interface ReplayParts {
  readonly context: Context;
  readonly readVerdicts: ReadRecords;
  readonly pace: Pace;
  /** Of all streams of an account one reads at a time: together they hold no more than a piece. */
  readonly lines: Lines;
}

/** How far before its last event a stream goes on: a node may have stored an older one later. */
export const OVERLAP_MS = 5_000;
const MAX_AT_ONCE = 500;
/** Of the events of a piece with all of their data, but for the last one. */
const MAX_BYTES = 256 * 1024;
const FIRST_MS = 10_000;
const LONGEST_MS = RESOLUTION_MS.day;

/** A replay from an instant on. */
export function createReplay(
  { context, readVerdicts, pace, lines }: ReplayParts,
  account_id: string,
  filter: EventFilter,
  from: number,
): Replay {
  const stored = createStoredEvents({ context, readVerdicts }, account_id, filter);
  let at = from;
  let length = FIRST_MS;
  let until = untilNow();
  let parts: readonly EventRange[] = [];
  /** Of the last slice or part, as they are stored: those of passports and approvals without all of their data. */
  let waiting: IdentityEvent[] = [];
  let isStopped = false;

  /**
   * What is stored later comes from the feeds, which were joined before: to go on until the present is reached would
   * never end where a read takes a millisecond. Other nodes' clocks may be ahead.
   */
  function untilNow(): number {
    return context.clock.now() + OVERLAP_MS;
  }

  function begin(ms: number): void {
    at = ms;
    length = FIRST_MS;
    until = untilNow();
    parts = [];
    waiting = [];
  }

  /** What is held while it waits for the other work of this process is not read yet. */
  async function readNext(): Promise<readonly IdentityEvent[] | undefined> {
    while (!isStopped) {
      await pace.wait();
      if (isStopped) break;
      if (waiting.length > 0) {
        const piece = await wholePiece(context, waiting);
        return pace.spend(() => framed(piece));
      }
      const [part, ...others] = parts;
      if (part !== undefined) {
        parts = others;
        hold(await stored.read(part));
        continue;
      }
      if (at >= until) return undefined;
      const end = Math.min(at + length, until);
      const found = await stored.readWithin(sliceOf(at, end));
      if (found === undefined && length > 1) {
        length = Math.max(1, Math.floor(Math.min(length, end - at) / 8));
        continue;
      }
      // An instant cannot be divided: it comes in parts.
      if (found === undefined) parts = await stored.partsOf(sliceOf(at, end));
      at = end;
      if (found === undefined) continue;
      if (found.share < 1 / 8) length = Math.min(length * 4, LONGEST_MS);
      hold(found.events);
      // A stream that wants none of them may have ended.
      if (waiting.length === 0) return [];
    }
    return undefined;
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

/** Takes the first of these, up to a number and to the first that makes it more than 256 KiB, with all of their data. */
async function wholePiece(context: Context, waiting: IdentityEvent[]): Promise<readonly IdentityEvent[]> {
  const found: IdentityEvent[] = [];
  let taken = 0;
  for (let bytes = 0; bytes < MAX_BYTES && found.length < MAX_AT_ONCE; taken += 1) {
    const next = waiting[taken];
    if (next === undefined) break;
    if (isPartial(next)) await turn();
    const event = await wholeEvent(context, next);
    if (event === undefined) continue;
    found.push(event);
    bytes += jsonSize(event);
  }
  // Only now: after a read that fails they are asked for again.
  waiting.splice(0, taken);
  return found;
}

/** Ready to be sent. */
function framed(events: readonly IdentityEvent[]): readonly IdentityEvent[] {
  for (const event of events) eventFrame(event);
  return events;
}

function byInstant(a: IdentityEvent, b: IdentityEvent): number {
  return a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0;
}

/** Where to go on, and whether events from before may be missing. */
export interface Start {
  readonly from: number;
  /** Events of before this may be missing. */
  readonly gapSince: number | undefined;
}

/** Where the stream continues after the event of this id; `after` was checked. */
export async function startAfter(
  parts: ReplayParts,
  account_id: string,
  filter: EventFilter,
  after: string,
): Promise<Start> {
  const { clock, retentionDays } = parts.context;
  const present = clock.now();
  const kept = {
    changes: present - EVENT_DAYS * RESOLUTION_MS.day,
    verdicts: present - retentionDays * RESOLUTION_MS.day,
  };
  const oldest = filter.verdicts === undefined ? kept.changes : kept.verdicts;
  const complete = filter.wantsChanges ? Math.max(kept.changes, oldest) : kept.verdicts;
  const ms = readEventId(after)?.ms ?? 0;
  if (!(await isStored(parts, account_id, after))) return { from: oldest, gapSince: complete };
  return { from: Math.max(ms - OVERLAP_MS, oldest), gapSince: ms < complete ? complete : undefined };
}

async function isStored(
  { context, readVerdicts }: ReplayParts,
  account_id: string,
  after: string,
): Promise<boolean> {
  const { ms = 0, source, name } = readEventId(after) ?? {};
  // A gap is not stored: its id says an instant and no more.
  if (source === 'g') return ms <= context.clock.now() + WINDOW_MS;
  if (source === 'c') {
    const record = await context.store.get('events', changeRecordId(after, account_id));
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
