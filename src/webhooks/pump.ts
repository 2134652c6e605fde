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
  begun: WebhookRecord,
): Pump {
  const { clock } = context;
  const { id, account_id, types } = begun;
  const limit = createVerdictLimit();
  const ending = new AbortController();
  const file = createFiler(context, id, ending.signal);
  let isOver = false;
  let isFailing = begun.failures_in_a_row >= FAILING;
  const seen = createBoundedMap<string, true>(REMEMBERED);
  const from = Math.max(Date.parse(begun.read_from), clock.now() - OLDEST_MS);
  let sweptAt = from;
  const running = run()
    // A storage that does not answer is logged elsewhere: another pump continues from the last stored position.
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });

  async function run(): Promise<void> {
    const stream = await events
      .from(from, { types }, { account_id, signal: ending.signal })
      .catch(() => undefined);
    if (stream === undefined) return;
    try {
      await follow(stream);
    } finally {
      stream.close();
    }
  }

  async function follow(stream: EventStream): Promise<void> {
    let latest = from;
    let notedAt = from;
    sweptAt = clock.now();
    for (;;) {
      const read = await stream.read(READ_MS);
      if (read === undefined) return;
      latest = Math.max(latest, remember(read));
      const at = clock.now();
      const found = await withMissed(read, at);
      const wanted = limit.take(
        found.filter(({ type }) => type !== 'events.gap'),
        at,
        isFailing,
      );
      if (wanted.length === 0) {
        if (at - notedAt < NOTED_MS) continue;
        latest = Math.max(latest, at);
      }
      const readTo = Math.min(latest, at, limit.heldSince ?? at) - OVERLAP_MS;
      if (!(await fileWanted(wanted, readTo))) return;
      notedAt = at;
    }
  }

  /** Remembers events, so that a sweep skips them. Returns the latest instant of the events. */
  function remember(read: readonly IdentityEvent[]): number {
    let latest = Number.NEGATIVE_INFINITY;
    for (const { id: eventId, timestamp } of read) {
      latest = Math.max(latest, Date.parse(timestamp));
      seen.set(eventId, true);
    }
    return latest;
  }

  /** Adds the events that the stream has missed, if a sweep is due. */
  async function withMissed(read: readonly IdentityEvent[], at: number): Promise<readonly IdentityEvent[]> {
    if (at - sweptAt < SWEEP_MS) return read;
    sweptAt = at;
    return [...read, ...(await sweep(context, begun, Math.max(from, at - OVERLAP_MS), seen))];
  }

  /** Stores the deliveries. Returns `false` if the webhook was removed or disabled. */
  async function fileWanted(wanted: readonly SentEvent[], readTo: number): Promise<boolean> {
    const webhook = await file(wanted, readTo);
    if (webhook === undefined) return false;
    isFailing = webhook.failures_in_a_row >= FAILING;
    if (wanted.length > 0) wake();
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
  since: number,
  seen: BoundedMap<string, true>,
): Promise<readonly IdentityEvent[]> {
  const wanted = new Set<string>(types.flatMap(eventTypesOf));
  const missed: IdentityEvent[] = [];
  for await (const record of everyRecord(recordsBy(store, 'events', { account_id }), PAGE)) {
    if (Date.parse(record.created_at) < since) break;
    const event = toChangeEvent(record);
    if (!wanted.has(event.type) || seen.get(event.id) !== undefined) continue;
    seen.set(event.id, true);
    missed.push(event);
  }
  return missed.reverse();
}

/** An event in the form that is sent. A verdict may contain the number of earlier verdicts that were not sent. */
type SentEvent = IdentityEvent & { readonly data: { readonly dropped?: number } };

interface VerdictLimit {
  take(events: readonly IdentityEvent[], at: number, isFailing: boolean): readonly SentEvent[];
  readonly heldSince: number | undefined;
}

const MAX_IN_A_SECOND = 10;
const WINDOW_MS = 1_000;
/** The maximum number of verdicts per minute for a failing endpoint. More verdicts would only fill the storage. */
const MAX_OF_A_FAILING_ONE = 1;

function createVerdictLimit(): VerdictLimit {
  let window = Number.NEGATIVE_INFINITY;
  let sent = 0;
  let held: IdentityEvent | undefined;
  let dropped = 0;

  function open(at: number, isFailing: boolean): boolean {
    const begun = isFailing ? floorTo('minute', at) : Math.floor(at / WINDOW_MS) * WINDOW_MS;
    if (begun > window || at < window - RESOLUTION_MS.minute) {
      window = begun;
      sent = 0;
    }
    return sent < (isFailing ? MAX_OF_A_FAILING_ONE : MAX_IN_A_SECOND);
  }

  function send(event: IdentityEvent): SentEvent {
    sent += 1;
    if (dropped === 0) return event as SentEvent;
    const counted = { ...event, data: { ...event.data, dropped } } as SentEvent;
    dropped = 0;
    return counted;
  }

  return {
    get heldSince() {
      return held && Date.parse(held.timestamp);
    },
    take(events, at, isFailing) {
      const found: SentEvent[] = [];
      // The last verdict over the limit is held back, so that the number of the others is sent in any case.
      if (held !== undefined && open(at, isFailing)) {
        found.push(send(held));
        held = undefined;
      }
      for (const event of events) {
        if (!isFromJournal(event.type)) found.push(event as SentEvent);
        else if (held === undefined && open(at, isFailing)) found.push(send(event));
        else {
          if (held !== undefined) dropped += 1;
          held = event;
        }
      }
      return found;
    },
  };
}
