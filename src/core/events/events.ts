/** Opens streams of the events of an account: new events, or all events after a given event. */

import { IdentityError, overloaded } from '../../errors.ts';
import { createReader } from '../journal/read/reader.ts';
import { isManagementValid } from '../keys/authenticate-management-key.ts';
import { liveSession } from '../members/members.ts';
import type { Actor, CallOptions, KeyCaller, OwnSession, SessionCaller } from '../shared/callers.ts';
import { accountOf, type Context, now } from '../shared/context.ts';
import { createPlaces } from '../shared/places.ts';
import { createBacklog } from './backlog.ts';
import { createChangeFeed, type EventListener } from './change-feed.ts';
import { createEventFilter, type EventFilter, type EventQuery } from './event-filter.ts';
import { toGap } from './event-records.ts';
import { createEventStream, type EventStream } from './event-stream.ts';
import { createOutcomeFeed, createWorkShare } from './outcome-feed.ts';
import { createLines, createReplay, OVERLAP_MS, type ReplayParts, type Start, startAfter } from './replay.ts';
import { createVerdictFeed } from './verdict-feed.ts';

/** The streams of events. */
export interface Events {
  /**
   * Opens a stream of the account's events, from now on or after the event `after`. The stream ends if the credential
   * of the actor becomes invalid, the signal aborts, the service closes or you call `close`.
   *
   * @throws {IdentityError} `rate_limited` over HTTP, if the account already has five streams on this node.
   * @throws {IdentityError} `overloaded` if the service stops.
   * @throws {IdentityError} `invalid_request` for a wrong query.
   */
  open(query?: EventQuery, options?: Actor & CallOptions): Promise<EventStream>;
  /** Ends all streams, before a server stops. Later streams are refused with `overloaded`. */
  end(): void;
}

/** Opens streams of events, with a method for the service itself. */
export interface EventsInside extends Events {
  /** Opens a stream of all events since an instant in milliseconds, including stored events. */
  from(ms: number, query: EventQuery, options: Actor & CallOptions): Promise<EventStream>;
  close(): Promise<void>;
}

type EventsContext = ReplayParts['context'] & Pick<Context, 'caches' | 'after' | 'subscribe' | 'session'>;

/** Creates the streams of events. Without a listener, they read nothing and run no timer. */
export function createEvents(context: EventsContext): EventsInside {
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

interface Inside {
  readonly changes: ReturnType<typeof createChangeFeed>;
  readonly verdicts: ReturnType<typeof createVerdictFeed>;
  readonly outcomes: ReturnType<typeof createOutcomeFeed>;
  readonly parts: ReplayParts;
  readonly watch: WatchCredential;
  readonly streams: Set<EventStream>;
}

interface Opening {
  readonly account_id: string;
  readonly filter: EventFilter;
  readonly after: string | undefined;
  readonly undo: (() => void)[];
}

async function openStream(inside: Inside, opening: Opening): Promise<EventStream> {
  const { parts, streams } = inside;
  const { account_id, filter, after, undo } = opening;
  const begunBacklog = createBacklog();
  const openedMs = parts.context.clock.now();
  let tell = begunBacklog.push;
  await join(inside, opening, (event) => {
    if (filter.admits(event)) tell(event);
  });
  const { from, gapSince } = await startOf(parts, account_id, filter, after);
  // Events that came meanwhile and did not fit are read from the storage again.
  const isReplayed = after !== undefined || begunBacklog.hasOverflowed;
  const replay = createReplay(
    parts,
    account_id,
    filter,
    begunBacklog.hasOverflowed ? Math.min(from, openedMs) : from,
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
  while (!begunBacklog.isEmpty) for (const event of begunBacklog.take()) stream.push(event);
  return stream;
}

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
  positionAfter: string | undefined,
): Promise<Start> {
  if (positionAfter === undefined) return { from: parts.context.clock.now(), gapSince: undefined };
  return startAfter(parts, account_id, filter, positionAfter);
}

function stopping(): IdentityError {
  return overloaded('The service is stopping. Try again.');
}

const MAX_STREAMS = 5;

function tooMany(): IdentityError {
  return new IdentityError(
    'rate_limited',
    `An account may have ${MAX_STREAMS} event streams at a time. Close one first.`,
    {
      details: { retryAfterSeconds: 10 },
    },
  );
}

/**
 * Calls `end` within a second after the credential of the caller has become invalid. The returned function stops the
 * watch. A call in process has no credential.
 */
type WatchCredential = (actor: Actor, end: () => void) => () => void;

/** The interval of the checks. With the time for its reads, each check is done within a second. */
const EVERY_MS = 600;
/** The time for which the storage may be down before the credential counts as invalid. */
const PATIENCE_MS = 5_000;

/**
 * The time after which a stream ends, so that the application checks its login again. A client then opens a new stream,
 * and a person who has signed out cannot.
 */
const HOST_LOGIN_MS = 60_000;

function createCredentialWatch(
  context: Pick<Context, 'store' | 'caches' | 'clock' | 'after'>,
): WatchCredential {
  return (actor, end) => {
    const isValid = checkOf(context, actor);
    if (isValid === undefined) return () => {};
    const cancelEnd = isHostLogin(actor) ? context.after(HOST_LOGIN_MS, end) : () => {};
    let cancel: () => void = () => {};
    let isStopped = false;
    let knownAt = context.caches.monotonic();
    const look = async (): Promise<void> => {
      const valid = await isValid().catch(() => undefined);
      if (isStopped) return;
      const present = context.caches.monotonic();
      if (valid === true) knownAt = present;
      if (valid === false || present - knownAt > PATIENCE_MS) end();
      else cancel = context.after(EVERY_MS, () => void look());
    };
    cancel = context.after(EVERY_MS, () => void look());
    return () => {
      isStopped = true;
      cancelEnd();
      cancel();
    };
  };
}

function checkOf(
  context: Pick<Context, 'store' | 'clock'>,
  actor: Actor,
): (() => Promise<boolean>) | undefined {
  if (actor.management !== undefined) return () => isManagementValid(context, actor);
  if (isHostLogin(actor)) return () => mayHostLogin(context, actor);
  if (isSession(actor)) return () => isSessionValid(context, actor);
  return isKey(actor) ? () => isKeyValid(context, actor) : undefined;
}

function isHostLogin(actor: Actor): actor is SessionCaller {
  return 'session_id' in actor && actor.session_id === null;
}

function isSession(actor: Actor): actor is OwnSession {
  return 'session_id' in actor;
}

function isKey(actor: Actor): actor is KeyCaller {
  return typeof actor.key_id === 'string' && 'environment' in actor;
}

/**
 * Says whether a session is still valid. It is invalid if the role of its member has changed, because the client must
 * then open a new stream.
 */
async function isSessionValid(
  context: Pick<Context, 'store' | 'clock'>,
  caller: OwnSession,
): Promise<boolean> {
  const live = await liveSession(context, caller, 0);
  return live !== undefined && live.member.role === caller.role;
}

/**
 * Says whether the account is enabled and its member still exists. It does not compare the role, because the
 * application gives the role each time a stream is opened.
 */
async function mayHostLogin(
  { store }: Pick<Context, 'store'>,
  { account_id, member_id }: SessionCaller,
): Promise<boolean> {
  const [account, member] = await Promise.all([
    store.get('accounts', account_id),
    store.get('members', member_id),
  ]);
  return account?.disabled_at === null && member?.status === 'active';
}

/**
 * Says whether a key is still valid. It is invalid if its agents have changed, because the client must then open a new
 * stream.
 */
async function isKeyValid(context: Pick<Context, 'store' | 'clock'>, caller: KeyCaller): Promise<boolean> {
  const record = await context.store.get('keys', caller.key_id);
  if (record === undefined || record.status === 'revoked' || record.status === 'expired') return false;
  if (record.expires_at !== null && record.expires_at <= now(context)) return false;
  if (!record.scopes.includes('events')) return false;
  if (JSON.stringify(record.agent_ids) !== JSON.stringify(caller.agent_ids)) return false;
  const account = await context.store.get('accounts', caller.account_id);
  // An account that the host manages has no record here.
  return account === undefined || account.disabled_at === null;
}
