import { type BoundedMap, createBoundedMap } from '../base/bounded-map.ts';
import { eventTypesOf, isFromJournal } from '../base/values/event-types.ts';
import { floorTo, RESOLUTION_MS } from '../base/values/time-buckets.ts';
import { toChangeEvent } from '../core/events/event-records.ts';
import type { EventStream } from '../core/events/event-stream.ts';
import type { EventsInside } from '../core/events/events.ts';
import type { Context } from '../core/shared/context.ts';
import { EVENT_DAYS } from '../core/shared/outbox.ts';
import { everyRecord, recordsBy } from '../core/shared/record-lists.ts';
import type { IdentityEvent } from '../records/event.ts';
import type { WebhookRecord } from './collections.ts';
import { createFiler } from './filer.ts';

export interface Pump {
  readonly types: readonly string[];
  /** `true` if the pump ended because the webhook was removed or disabled, or because the stream of events ended. */
  readonly isOver: boolean;
  stop(): Promise<void>;
}

export interface PumpParts {
  readonly events: Pick<EventsInside, 'from'>;
  readonly wake: () => void;
}

const READ_MS = 1_000;
/**
 * The milliseconds before the stored position from which a new pump reads. Each sweep reads the same length of the
 * past. An earlier change may be stored after a later one, so both read some changes twice.
 */
const OVERLAP_MS = RESOLUTION_MS.minute;
/**
 * The milliseconds between sweeps. A pump gets changes from an event stream, which looks back 10 s. An overloaded
 * storage may store a change after these 10 s. A sweep therefore also reads the stored changes.
 */
const SWEEP_MS = 10_000;
const REMEMBERED = 20_000;
const PAGE = 100;
/** The milliseconds after which the position of a webhook is stored even without events. */
const NOTED_MS = 10 * RESOLUTION_MS.minute;
const OLDEST_MS = EVENT_DAYS * RESOLUTION_MS.day;
const FAILING = 5;

export function startPump(
  context: Pick<Context, 'store' | 'clock' | 'after'>,
  { events, wake }: PumpParts,
  begunRecord: WebhookRecord,
): Pump {
  const { clock } = context;
  const { id, account_id, types } = begunRecord;
  const limit = createVerdictLimit();
  const ending = new AbortController();
  const file = createFiler(context, id, ending.signal);
  let isOver = false;
  let isFailing = begunRecord.failures_in_a_row >= FAILING;
  const seenIds = createBoundedMap<string, true>(REMEMBERED);
  const start = Math.max(Date.parse(begunRecord.read_from), clock.now() - OLDEST_MS);
  let sweptAt = start;
  const running = run()
    // A storage that does not answer is logged elsewhere: another pump continues from the last stored position.
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });

  async function run(): Promise<void> {
    const stream = await events
      .from(start, { types }, { account_id, signal: ending.signal })
      .catch(() => undefined);
    if (stream === undefined) return;
    try {
      await follow(stream);
    } finally {
      stream.close();
    }
  }

  async function follow(stream: EventStream): Promise<void> {
    let latest = start;
    let notedAt = start;
    sweptAt = clock.now();
    for (let read = await stream.read(READ_MS); read !== undefined; read = await stream.read(READ_MS)) {
      latest = Math.max(latest, remember(read));
      const atMs = clock.now();
      const events = await withMissed(read, atMs);
      const wantedEvents = limit.take(
        events.filter(({ type }) => type !== 'events.gap'),
        atMs,
        isFailing,
      );
      if (wantedEvents.length === 0) {
        if (atMs - notedAt < NOTED_MS) continue;
        latest = Math.max(latest, atMs);
      }
      const readTo = Math.min(latest, atMs, limit.heldSince ?? atMs) - OVERLAP_MS;
      if (!(await fileWanted(wantedEvents, readTo))) return;
      notedAt = atMs;
    }
  }

  /** Remembers events, so that a sweep skips them. Returns the latest instant of the events. */
  function remember(read: readonly IdentityEvent[]): number {
    let latest = Number.NEGATIVE_INFINITY;
    for (const { id: eventId, timestamp } of read) {
      latest = Math.max(latest, Date.parse(timestamp));
      seenIds.set(eventId, true);
    }
    return latest;
  }

  /** Adds the events that the stream has missed, if a sweep is due. */
  async function withMissed(read: readonly IdentityEvent[], atMs: number): Promise<readonly IdentityEvent[]> {
    if (atMs - sweptAt < SWEEP_MS) return read;
    sweptAt = atMs;
    return [...read, ...(await sweep(context, begunRecord, Math.max(start, atMs - OVERLAP_MS), seenIds))];
  }

  /** Stores the deliveries. Returns `false` if the webhook was removed or disabled. */
  async function fileWanted(wantedEvents: readonly SentEvent[], readTo: number): Promise<boolean> {
    const webhook = await file(wantedEvents, readTo);
    if (webhook === undefined) return false;
    isFailing = webhook.failures_in_a_row >= FAILING;
    if (wantedEvents.length > 0) wake();
    return true;
  }

  return {
    types,
    get isOver() {
      return isOver;
    },
    async stop() {
      ending.abort();
      await running;
    },
  };
}

async function sweep(
  { store }: Pick<Context, 'store'>,
  { account_id, types }: WebhookRecord,
  sinceMs: number,
  seenIds: BoundedMap<string, true>,
): Promise<readonly IdentityEvent[]> {
  const wantedNames = new Set<string>(types.flatMap(eventTypesOf));
  const missedEvents: IdentityEvent[] = [];
  for await (const record of everyRecord(recordsBy(store, 'events', { account_id }), PAGE)) {
    if (Date.parse(record.created_at) < sinceMs) break;
    const event = toChangeEvent(record);
    if (!wantedNames.has(event.type) || seenIds.get(event.id) !== undefined) continue;
    seenIds.set(event.id, true);
    missedEvents.push(event);
  }
  return missedEvents.reverse();
}

/** An event in the form that is sent. A verdict may contain the number of earlier verdicts that were not sent. */
type SentEvent = IdentityEvent & { readonly data: { readonly dropped?: number } };

interface VerdictLimit {
  take(events: readonly IdentityEvent[], atMs: number, isFailing: boolean): readonly SentEvent[];
  readonly heldSince: number | undefined;
}

const MAX_IN_A_SECOND = 10;
const WINDOW_MS = 1_000;
/** The maximum number of verdicts per minute for a failing endpoint. More verdicts would only fill the storage. */
const MAX_OF_A_FAILING_ONE = 1;

function createVerdictLimit(): VerdictLimit {
  let window = Number.NEGATIVE_INFINITY;
  let sentCount = 0;
  let heldEvent: IdentityEvent | undefined;
  let droppedCount = 0;

  function open(atMs: number, isFailing: boolean): boolean {
    const begunMs = isFailing ? floorTo('minute', atMs) : Math.floor(atMs / WINDOW_MS) * WINDOW_MS;
    if (begunMs > window || atMs < window - RESOLUTION_MS.minute) {
      window = begunMs;
      sentCount = 0;
    }
    return sentCount < (isFailing ? MAX_OF_A_FAILING_ONE : MAX_IN_A_SECOND);
  }

  function send(event: IdentityEvent): SentEvent {
    sentCount += 1;
    if (droppedCount === 0) return event as SentEvent;
    const countedEvent = { ...event, data: { ...event.data, dropped: droppedCount } } as SentEvent;
    droppedCount = 0;
    return countedEvent;
  }

  function hold(event: IdentityEvent): void {
    if (heldEvent !== undefined) droppedCount += 1;
    heldEvent = event;
  }

  return {
    get heldSince() {
      return heldEvent && Date.parse(heldEvent.timestamp);
    },
    take(events, atMs, isFailing) {
      const foundEvents: SentEvent[] = [];
      // The last verdict over the limit is held back, so that the number of the others is sent in any case.
      if (heldEvent !== undefined && open(atMs, isFailing)) {
        foundEvents.push(send(heldEvent));
        heldEvent = undefined;
      }
      for (const event of events) {
        if (!isFromJournal(event.type)) foundEvents.push(event as SentEvent);
        else if (heldEvent === undefined && open(atMs, isFailing)) foundEvents.push(send(event));
        else hold(event);
      }
      return foundEvents;
    },
  };
}
