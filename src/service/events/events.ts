/** The events of an account, live, and replayed from an event on. */
import { IdentityError } from '../../errors.ts';
import { createReader } from '../journal/read/reader.ts';
import type { CallOptions } from '../shared/call-options.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';
import { createPlaces } from '../shared/places.ts';
import { createBacklog } from './backlog.ts';
import { createChangeFeed, type EventListener } from './change-feed.ts';
import { createCredentialWatch, type WatchCredential } from './credential-watch.ts';
import { createEventFilter, type EventFilter, type EventQuery } from './event-filter.ts';
import { toGap } from './event-records.ts';
import { createEventStream, type EventStream } from './event-stream.ts';
import { createLines } from './lines.ts';
import { createOutcomeFeed } from './outcome-feed.ts';
import { createReplay, OVERLAP_MS, type ReplayParts, type Start, startAfter } from './replay.ts';
import { createVerdictFeed } from './verdict-feed.ts';
import { createWorkShare } from './work-share.ts';

/** The streams of events. */
export interface Events {
  /**
   * Opens a stream of the account's events, from now on or after `after`. The stream ends with the actor's credential,
   * with `signal`, with the service, and on `close`. `rate_limited`: an account may have five streams over HTTP on
   * each node.
   */
  open(query?: EventQuery, options?: Actor & CallOptions): Promise<EventStream>;
  /** Ends all streams, for a server that is about to stop; later ones are `overloaded`. */
  end(): void;
}

/** The streams, with what the service itself needs. */
export interface EventsInside extends Events {
  /** Opens a stream of the account's events from this instant on, in milliseconds, stored ones included. */
  from(ms: number, query: EventQuery, options: Actor & CallOptions): Promise<EventStream>;
  close(): Promise<void>;
}

/** Makes the events of one service. Without a listener it reads nothing and runs no timer. */
export function createEvents(context: Context): EventsInside {
  const share = createWorkShare(context.caches.monotonic, context.after);
  const inside: Inside = {
    changes: createChangeFeed(context),
    verdicts: createVerdictFeed(context, share),
    outcomes: createOutcomeFeed(context, share),
    parts: { context, readVerdicts: createReader(context), share, lines: createLines() },
    watch: createCredentialWatch(context),
    streams: new Set(),
  };
  const places = createPlaces(MAX_STREAMS, tooMany);
  let isEnded = false;

  async function open(
    query: EventQuery = {},
    { signal, ...actor }: Actor & CallOptions = {},
  ): Promise<EventStream> {
    const filter = createEventFilter(query, actor);
    const account_id = accountOf(context, actor);
    if (isEnded) throw stopping();
    // The place is taken before the first wait. Only streams over HTTP take one: there the actor has a plan.
    const undo: (() => void)[] = actor.plan === undefined ? [] : [places.take(account_id)];
    try {
      const stream = await openStream(inside, { account_id, filter, after: query.after, undo });
      undo.push(inside.watch(actor, stream.close));
      endWith(signal, stream, undo);
      if (isEnded) stream.close();
      return stream;
    } catch (error) {
      for (const step of undo) step();
      throw error;
    }
  }

  function end(): void {
    isEnded = true;
    for (const stream of [...inside.streams]) stream.close();
  }

  return {
    open,
    from: (ms, query, options) => open({ ...query, after: toGap(ms + OVERLAP_MS).id }, options),
    end,
    async close() {
      end();
      await Promise.all([inside.changes.stop(), inside.verdicts.stop(), inside.outcomes.stop()]);
    },
  };
}

/** The feeds and watches that every stream uses. */
interface Inside {
  readonly changes: ReturnType<typeof createChangeFeed>;
  readonly verdicts: ReturnType<typeof createVerdictFeed>;
  readonly outcomes: ReturnType<typeof createOutcomeFeed>;
  readonly parts: ReplayParts;
  readonly watch: WatchCredential;
  readonly streams: Set<EventStream>;
}

/** The target of a stream; `undo` has the functions that its end calls. */
interface Opening {
  readonly account_id: string;
  readonly filter: EventFilter;
  readonly after: string | undefined;
  readonly undo: (() => void)[];
}

/** Opens a stream that gets everything stored from now on, and begins with what was stored before. */
async function openStream(inside: Inside, opening: Opening): Promise<EventStream> {
  const { parts, streams } = inside;
  const { account_id, filter, after, undo } = opening;
  const begun = createBacklog();
  const openedMs = parts.context.clock.now();
  let tell = begun.push;
  await join(inside, opening, (event) => {
    if (filter.admits(event)) tell(event);
  });
  const { from, gapSince } = await startOf(parts, account_id, filter, after);
  // Events that came meanwhile and did not fit are read from the storage again.
  const isReplayed = after !== undefined || begun.hasOverflowed;
  const replay = createReplay(
    parts,
    account_id,
    filter,
    begun.hasOverflowed ? Math.min(from, openedMs) : from,
  );
  const stream = createEventStream({
    after: parts.context.awaitedAfter,
    replay,
    now: parts.context.clock.now,
    start: {
      id: gapSince === undefined ? (after ?? toGap(from).id) : toGap(gapSince).id,
      after,
      isReplayed,
      gapSince,
    },
    onClose() {
      replay.stop();
      streams.delete(stream);
      for (const step of undo.splice(0)) step();
    },
  });
  streams.add(stream);
  tell = stream.push;
  while (!begun.isEmpty) for (const event of begun.take()) stream.push(event);
  return stream;
}

/** Adds the listener for everything that the filter may admit. */
async function join(
  { changes, verdicts, outcomes }: Inside,
  { account_id, filter, undo }: Opening,
  listener: EventListener,
): Promise<void> {
  if (filter.wantsChanges) undo.push(await changes.join(account_id, listener));
  if (filter.wantsOutcomes) undo.push(await outcomes.join(account_id, listener));
  if (filter.verdicts !== undefined)
    undo.push(await verdicts.join(account_id, { verdicts: filter.verdicts, tell: listener }));
}

function endWith(signal: AbortSignal | undefined, stream: EventStream, undo: (() => void)[]): void {
  if (signal === undefined) return;
  if (signal.aborted) stream.close();
  signal.addEventListener('abort', stream.close);
  undo.push(() => signal.removeEventListener('abort', stream.close));
}

async function startOf(
  parts: ReplayParts,
  account_id: string,
  filter: EventFilter,
  after: string | undefined,
): Promise<Start> {
  if (after === undefined) return { from: parts.context.clock.now(), gapSince: undefined };
  return startAfter(parts, account_id, filter, after);
}

function stopping(): IdentityError {
  return new IdentityError('overloaded', 'The service is stopping.', { details: { retryAfterSeconds: 1 } });
}

const MAX_STREAMS = 5;

function tooMany(): IdentityError {
  return new IdentityError('rate_limited', `An account may have ${MAX_STREAMS} event streams at a time.`, {
    details: { retryAfterSeconds: 10 },
  });
}
