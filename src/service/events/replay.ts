/** The stored events, the oldest first, in slices of time: the fewer events there are, the longer a slice is. */
import { changeRecordId, readEventId } from '../../base/event-position.ts';
import { formatInstant } from '../../base/instant.ts';
import { RESOLUTION_MS } from '../../base/time-buckets.ts';
import { turn } from '../../base/turns.ts';
import type { Position } from '../../ports/queries.ts';
import type { IdentityEvent } from '../../records/event.ts';
import type { VerdictRecord } from '../../records.ts';
import type { ReadRecords } from '../journal/reader.ts';
import type { Context } from '../shared/context.ts';
import { EVENT_DAYS } from '../shared/outbox.ts';
import { recordsBy } from '../shared/record-lists.ts';
import { WINDOW_MS } from './change-feed.ts';
import type { EventFilter } from './event-filter.ts';
import { eventFrame, toChangeEvent, toVerdictEvent } from './event-records.ts';
import type { Pace } from './pace.ts';
import { wholeEvent } from './whole-event.ts';

/** Reads what is stored of one account, for one stream. */
export interface Replay {
  /** The events of the next slice; `undefined` when all is read that was stored when it began. */
  next(): Promise<readonly IdentityEvent[] | undefined>;
  /** Begins again, from this instant on. */
  rewind(ms: number): void;
}

/** What replays read from. */
export interface ReplayParts {
  readonly context: Context;
  readonly readVerdicts: ReadRecords;
  readonly pace: Pace;
}

/** How far before its last event a stream goes on: a node may have stored an older one later. */
export const OVERLAP_MS = 5_000;
const MAX_AT_ONCE = 500;
/** Of passports, whose events are as large as they are. */
const MAX_BYTES = 256 * 1024;
const FIRST_MS = 10_000;
const LONGEST_MS = RESOLUTION_MS.day;

/** A replay from an instant on. */
export function createReplay(
  parts: ReplayParts,
  account_id: string,
  filter: EventFilter,
  from: number,
): Replay {
  const { context, pace } = parts;
  let at = from;
  let length = FIRST_MS;
  let until = untilNow();
  /** Of the last slice, as they are stored. */
  let waiting: IdentityEvent[] = [];

  /**
   * What is stored later comes from the feeds, which were joined before: to go on until the present is reached would
   * never end where a read takes a millisecond. Other nodes' clocks may be ahead.
   */
  function untilNow(): number {
    return context.clock.now() + OVERLAP_MS;
  }

  return {
    rewind(ms) {
      at = ms;
      length = FIRST_MS;
      until = untilNow();
      waiting = [];
    },
    async next() {
      for (;;) {
        if (waiting.length > 0) {
          const piece = await wholePiece(context, waiting);
          await pace.wait();
          return pace.spend(() => framed(piece));
        }
        if (at >= until) return undefined;
        const end = Math.min(at + length, until);
        const most = length === 1 ? Number.POSITIVE_INFINITY : MAX_AT_ONCE;
        const slice = { account_id, filter, from: at, end, most };
        const changes = await changesOf(parts, slice);
        const verdicts = changes && (await verdictsOf(parts, slice));
        if (changes === undefined || verdicts === undefined) {
          length = Math.max(1, Math.floor(Math.min(length, end - at) / 8));
          continue;
        }
        at = end;
        if (changes.length + verdicts.length < MAX_AT_ONCE / 8) length = Math.min(length * 4, LONGEST_MS);
        waiting = [...changes, ...verdicts].filter(filter.admits).sort(byInstant);
        if (waiting.length === 0) return [];
      }
    },
  };
}

/** What is read at once: all from `from` on and before `end`, or `undefined` where that is more than `most`. */
interface Slice {
  readonly account_id: string;
  readonly filter: EventFilter;
  readonly from: number;
  readonly end: number;
  readonly most: number;
}

async function changesOf(
  { context }: ReplayParts,
  { account_id, filter, from, end, most }: Slice,
): Promise<readonly IdentityEvent[] | undefined> {
  if (!filter.wantsChanges) return [];
  const { read } = recordsBy(context.store, 'events', { account_id });
  const found: IdentityEvent[] = [];
  let after: Position | undefined = { created_at: formatInstant(end), id: '' };
  while (after !== undefined) {
    const { records, next } = await read(MAX_AT_ONCE, after);
    const inside = records.filter(({ created_at }) => Date.parse(created_at) >= from);
    found.push(...inside.map(toChangeEvent));
    if (inside.length < records.length) break;
    if (found.length > most) return undefined;
    after = next ?? undefined;
  }
  return found.reverse();
}

async function verdictsOf(
  { readVerdicts }: ReplayParts,
  { account_id, filter, from, end, most }: Slice,
): Promise<readonly IdentityEvent[] | undefined> {
  const { verdicts, agent_id, environment } = filter;
  if (verdicts === undefined) return [];
  const query = {
    account_id,
    from_ms: from,
    to_ms: end,
    ...(verdicts !== 'all' && { verdict: verdicts }),
    ...(agent_id !== undefined && { agent_id }),
    ...(environment !== undefined && { environment }),
  };
  const found: VerdictRecord[] = [];
  let after: Position | undefined;
  do {
    const piece = await readVerdicts(query, MAX_AT_ONCE, after);
    found.push(...piece.records);
    after = piece.next ?? undefined;
    if (found.length > most) return undefined;
  } while (after !== undefined);
  return found.reverse().map(toVerdictEvent);
}

/** Takes the first of these, up to a number and to the first that makes it more than 256 KiB, with all of their data. */
async function wholePiece(context: Context, waiting: IdentityEvent[]): Promise<readonly IdentityEvent[]> {
  const found: IdentityEvent[] = [];
  for (let bytes = 0; bytes < MAX_BYTES && found.length < MAX_AT_ONCE; ) {
    const next = waiting[0];
    if (next === undefined) break;
    if (next.type.startsWith('passport.')) await turn();
    const event = await wholeEvent(context, next);
    waiting.shift();
    if (event === undefined) continue;
    found.push(event);
    bytes += event === next ? 0 : eventFrame(event).length;
  }
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
