/** Reads the stored events of one account in a period, up to a maximum number and size. */

import { formatInstant } from '../../base/values/instant.ts';
import { jsonSize } from '../../base/values/json-values.ts';
import { type BlockHeader, MAX_LISTED_BLOCKS, type Position } from '../../ports/journal.ts';
import type { IdentityEvent } from '../../records/event.ts';
import type { VerdictRecord } from '../../records.ts';
import { createBlockReader } from '../journal/damage.ts';
import { createOutcomeBlocks, type OutcomeBlocks } from '../journal/read/outcome-join.ts';
import type { ReadRecords } from '../journal/read/reader.ts';
import type { Context } from '../shared/context.ts';
import { everyPage, pageSize, recordsBy } from '../shared/record-lists.ts';
import { unavailable } from '../storage/storage-guard.ts';
import type { EventRecord } from './collections.ts';
import type { EventFilter } from './event-filter.ts';
import { toChangeEvent, toVerdictEvent } from './event-records.ts';
import { OLDEST_REPORTED_MS, outcomeEvents } from './outcome-feed.ts';

export interface EventRange {
  readonly from: Position;
  readonly before: Position;
  readonly only?: 'changes' | 'verdicts' | 'outcomes';
}

export interface FoundEvents {
  readonly events: readonly IdentityEvent[];
  /** The fraction of the maximum number, or of the maximum size, that the events reach. The larger fraction counts. */
  readonly share: number;
}

/** Reads ranges of events. Events of the same kind are in order. */
export interface StoredEvents {
  /** Reads a range; returns `undefined` if the range exceeds the maximum number or size. */
  readWithin(range: EventRange): Promise<FoundEvents | undefined>;
  read(range: EventRange): Promise<readonly IdentityEvent[]>;
  partsOf(range: EventRange): Promise<readonly EventRange[]>;
}

const MAX_EVENTS = 500;
const MAX_BYTES = 512 * 1024;
const MAX_PAGE = 64;
/** The maximum time by which the clock of the evaluating node may be ahead of the node that took the report. */
const AHEAD_MS = 5_000;

export function sliceOf(start: number, end: number): EventRange {
  return { from: beginOf(start), before: beginOf(end) };
}

function beginOf(ms: number): Position {
  return { created_at: formatInstant(ms), id: '' };
}

interface PageSize {
  readonly count: number;
  readonly isOver: boolean;
  readonly share: number;
  add(record: unknown): void;
}

function createPageSize(): PageSize {
  let count = 0;
  let bytes = 0;
  return {
    get count() {
      return count;
    },
    get isOver() {
      return count > MAX_EVENTS || (bytes > MAX_BYTES && count > 1);
    },
    get share() {
      return Math.max(count / MAX_EVENTS, bytes / MAX_BYTES);
    },
    add(record) {
      count += 1;
      bytes += jsonSize(record);
    },
  };
}

export function createStoredEvents(
  {
    context,
    readVerdicts,
  }: { readonly context: Pick<Context, 'store' | 'log'>; readonly readVerdicts: ReadRecords },
  account_id: string,
  filter: EventFilter,
): StoredEvents {
  const list = recordsBy(context.store, 'events', { account_id });
  const size = pageSize(MAX_PAGE);
  const blocks = createOutcomeBlocks(context.store.journal, createBlockReader(context.log));

  async function* changes({ from, before, only }: EventRange): AsyncGenerator<EventRecord, undefined> {
    if (!filter.wantsChanges || (only !== undefined && only !== 'changes')) return;
    for await (const page of everyPage(list, size, before)) {
      for (const record of page) {
        if (isOlder(record, from)) return;
        yield record;
      }
    }
  }

  async function* verdicts({ from, before, only }: EventRange): AsyncGenerator<VerdictRecord, undefined> {
    const { verdicts: wantedState, agent_id, environment } = filter;
    if (wantedState === undefined || (only !== undefined && only !== 'verdicts')) return;
    const query = {
      account_id,
      from_ms: Date.parse(from.created_at),
      to_ms: Date.parse(before.created_at),
      ...(wantedState !== 'all' && { verdict: wantedState }),
      ...(agent_id !== undefined && { agent_id }),
      ...(environment !== undefined && { environment }),
    };
    let positionAfter: Position | undefined;
    do {
      const piece = await readVerdicts(query, MAX_EVENTS, positionAfter);
      yield* piece.records;
      positionAfter = piece.next ?? undefined;
    } while (positionAfter !== undefined);
  }

  async function collect(
    range: EventRange,
    pageSize: PageSize | undefined,
  ): Promise<readonly IdentityEvent[] | undefined> {
    const events: IdentityEvent[] = [];
    for await (const record of changes(range)) {
      events.push(toChangeEvent(record));
      pageSize?.add(record);
      if (pageSize?.isOver) return undefined;
    }
    events.reverse();
    const verdictEvents: IdentityEvent[] = [];
    for await (const record of verdicts(range)) {
      verdictEvents.push(toVerdictEvent(record));
      pageSize?.add(record);
      if (pageSize?.isOver) return undefined;
    }
    const reportedEvents: IdentityEvent[] = [];
    for await (const event of outcomesIn(blocks, account_id, filter, range)) {
      reportedEvents.push(event);
      pageSize?.add(event);
      if (pageSize?.isOver) return undefined;
    }
    return [...events, ...verdictEvents.reverse(), ...reportedEvents];
  }

  return {
    async readWithin(range) {
      const pageSize = createPageSize();
      const events = await collect(range, pageSize);
      return events && { events, share: pageSize.share };
    },
    read: async (range) => (await collect(range, undefined)) ?? [],
    partsOf: async (range) => [
      ...(await cut(range, changes(range))),
      { ...range, only: 'verdicts' },
      { ...range, only: 'outcomes' },
    ],
  };
}

/** Yields reports of outcomes in no particular order. Their blocks are sorted by the times of the verdicts. */
async function* outcomesIn(
  blocks: OutcomeBlocks,
  account_id: string,
  { wantsOutcomes, agent_id }: EventFilter,
  { from, before, only }: EventRange,
): AsyncGenerator<IdentityEvent, undefined> {
  if (!wantsOutcomes || (only !== undefined && only !== 'outcomes')) return;
  const [from_ms, to_ms] = [Date.parse(from.created_at), Date.parse(before.created_at)];
  const range = { account_id, agent_id, from_ms: from_ms - OLDEST_REPORTED_MS, upto_ms: to_ms + AHEAD_MS };
  for (let page: readonly BlockHeader[] = [], isOver = false; !isOver; ) {
    page = await blocks.list(range, MAX_LISTED_BLOCKS, page.at(-1));
    isOver = page.length < MAX_LISTED_BLOCKS;
    const columns = await blocks.open(page);
    // A block that is gone was compacted: its reports are in another one, and the range is read once more.
    if (columns === undefined) throw unavailable(new Error('The blocks of outcomes have changed.'));
    for (const reports of columns) yield* outcomeEvents(reports, from_ms, to_ms);
  }
}

/**
 * Divides a range of changes into smaller ranges for `readWithin`, oldest first. The given changes are newest first.
 */
async function cut(range: EventRange, changes: AsyncIterable<EventRecord>): Promise<readonly EventRange[]> {
  const parts: EventRange[] = [];
  let pageSize = createPageSize();
  let { before } = range;
  let last: Position | undefined;
  for await (const { created_at, id, ...otherFields } of changes) {
    pageSize.add(otherFields);
    if (pageSize.isOver && last !== undefined) {
      parts.push({ from: last, before, only: 'changes' });
      before = last;
      pageSize = createPageSize();
      pageSize.add(otherFields);
    }
    last = { created_at, id };
  }
  parts.push({ ...range, before, only: 'changes' });
  return parts.reverse();
}

function isOlder(record: Position, { created_at, id }: Position): boolean {
  return record.created_at < created_at || (record.created_at === created_at && record.id < id);
}
