import { formatInstant } from '../base/values/instant.ts';
import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import type { Core, OpenCapability } from '../core/capabilities/capability.ts';
import { type Context, now } from '../core/shared/context.ts';
import { createDurabilityNote } from '../core/shared/durability-note.ts';
import { LOG_NOT_APPENDED, type LogOn } from '../core/shared/log-state.ts';
import { createChore } from '../core/shared/timers.ts';
import { insert, replace, untilWritten } from '../core/storage/store.ts';
import { describeCause, IdentityError, unfit } from '../errors.ts';
import type { LogPending } from '../ports/metrics.ts';
import { type AppendParts, createAppend } from './append.ts';
import type { LogHeadRecord } from './collections.ts';
import { createEvidence, createPublicLogs, type PublicLogs } from './evidence.ts';
import { createGrowth, newHead } from './grow.ts';
import { rootIn } from './head.ts';
import { createLogBlocks, type LogBlocksParts } from './log-blocks.ts';
import { createLogEvents, type Pending, type Refused } from './log-events.ts';
import { createReceipts } from './receipts.ts';

/** The evidence logs of a service. Only operators may call `end` and `restart`, which do not check the caller. */
export interface Logs extends PublicLogs {
  /**
   * Appends all waiting leaves, and turns the logs off for every service on the storage.
   *
   * @throws {IdentityError} `invalid_configuration` without `identity` that has a `publicUrl`.
   */
  end(): Promise<void>;
  /**
   * Ends the log of an account with the entries that it has, and begins a new log. The first entry of the new
   * log names the old log. Returns the id of the new log. Use it after the storage was restored from a copy
   * and has lost leaves that others have seen.
   *
   * @throws {IdentityError} `not_found` if the log is off, or the account has no log.
   * @throws {IdentityError} `invalid_configuration` as `end`.
   */
  restart(accountId: string): Promise<string>;
}

/** The options of the evidence log. */
export interface EvidenceOptions {
  /**
   * `true` (default): turns the log on for every service on the storage, until `agent-identity log off`.
   * `false`: does not turn the log on, but adds entries while another service has turned it on.
   */
  readonly begins?: boolean;
}

/**
 * Opens the logs.
 *
 * @throws {IdentityError} `invalid_configuration` if the logs must be turned on and there is no signing key.
 */
export function openEvidence(core: Core, { begins = true }: EvidenceOptions): OpenCapability {
  const { publicUrl, logState, log, journal } = core;
  const logSigner = core.offered('logSigner');
  const parts = logSigner && publicUrl !== undefined ? { keys: logSigner, publicUrl } : undefined;
  if (parts === undefined) {
    if (begins) demanded(parts);
    logState.onTurnedOn(() => log(LOG_NOT_APPENDED));
  }
  if (begins) logState.begin();
  const appender: Appender | undefined =
    parts && createAppender(core, { ...parts, isWanted: begins, isOurs: journal.isOurs });
  const isKept = (): boolean => begins || appender?.isOn() === true;
  return {
    rooms: {
      evidence: createEvidence(core, logSigner),
      verifications: { receipt: createReceipts(core, journal) },
    },
    hostRooms: { logs: createLogs(core, parts) },
    figures: () => (appender && isKept() ? { log: pendingOf(appender, core.clock.now()) } : {}),
    ready: async () => (appender && isKept() ? logSigner?.() : undefined),
    close: async () => appender?.close(),
  };
}

function createLogs(core: Core, parts: AppendParts | undefined): Logs {
  return {
    ...createPublicLogs(core, core.demanded('publicPlaces')),
    async end() {
      // The writers of other nodes too: no node appends after this.
      const options = { isOurs: () => true, isOnce: true, isWanted: true };
      const last = createAppender(core, { ...demanded(parts), ...options });
      await last.flush();
      await core.logState.end();
    },
    restart: async (accountId) => createRestart(core, demanded(parts))(accountId),
  };
}

function demanded(parts: AppendParts | undefined): AppendParts {
  if (parts !== undefined) return parts;
  const message = 'evidence() needs identity({ publicUrl }): its keys sign, and its name is its address.';
  throw unfit(message);
}

function pendingOf(appender: Appender, now: number): LogPending {
  const { count, since } = appender.pending();
  return { count, oldestSeconds: since === undefined ? 0 : Math.max(0, (now - since) / 1_000) };
}

function createRestart(
  context: Context,
  { keys, publicUrl }: AppendParts,
): (account_id: string) => Promise<string> {
  const { store, logState } = context;
  const grow = createGrowth(context, keys);

  return async (account_id) => {
    const log = await logState.refresh();
    if (log === undefined) throw noLog();
    return untilWritten(async () => {
      const head = await store.get('log_heads', account_id);
      const first = head && (await store.get('log_heads', head.log_id));
      if (head === undefined || first === undefined) throw noLog();
      const { origin, size, positions, version } = head;
      // Entries are listed by time: those of the new log come after all others.
      const appended_at = formatInstant(Math.max(context.clock.now(), Date.parse(head.appended_at) + 1));
      const beginning = { version, positions, begun_at: log.at, appended_at, created_at: head.created_at };
      const record = newHead(context, { account_id, publicUrl, on: log });
      // The address of the service may have changed: the new log stands beside the one before.
      const place = origin.slice(0, origin.lastIndexOf('/') + 1);
      const fresh = { ...record, ...beginning, origin: `${place}${record.log_id}` };
      const previous = { origin, size, root: rootIn(head) };
      const leaf = { content: { kind: 'begin', at: log.at, previous }, subject: 'begin' } as const;
      const growth = await grow(fresh, log, [leaf]);
      if (growth === undefined) throw noLog();
      const { next, changes } = growth;
      const endedRecord: LogHeadRecord = {
        ...head,
        id: head.log_id,
        version: first.version + 1,
        ended_at: now(context),
      };
      const { written } = await store.write(
        replace('log_heads', next, version),
        replace('log_heads', endedRecord, first.version),
        insert('log_heads', { ...next, id: next.log_id, version: 1, created_at: appended_at }),
        ...changes,
      );
      return written ? next.log_id : undefined;
    });
  };
}

function noLog(): IdentityError {
  return new IdentityError('not_found', 'The account has no evidence log.');
}

// Reads new blocks of the journal and new events on a timer, and appends them to the evidence logs.

interface Appender {
  isOn(): boolean;
  /** Returns how many entries of this node are not yet in the log, as far as this node knows. */
  pending(): Pending;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const EVERY_MS = 2_000;
/** The minimum milliseconds between two updates of the stored log state. */
const MARKED_MS = 60_000;
/** The milliseconds for which nothing is appended to a log that does not match its head. */
const REFUSED_MS = RESOLUTION_MS.hour;
/**
 * The maximum number of attempts to append everything. Attempts in which another node was first have their own limit,
 * `MAX_CONTENDED`.
 */
const MAX_FLUSHES = 20;
const MAX_CONTENDED = 2_000;
const NOTHING: Pending = { count: 0, since: undefined, isContended: false };

interface AppenderParts extends AppendParts, Pick<LogBlocksParts, 'isOurs'> {
  /** `true` if the appender only appends on request, without a timer. */
  readonly isOnce?: boolean;
  /** `true` if the options turn the logs on. With `false`, an outage is not logged until the logs are on. */
  readonly isWanted: boolean;
}

function createAppender(
  context: Pick<
    Context,
    'store' | 'clock' | 'random' | 'logState' | 'retentionDays' | 'auditDays' | 'after' | 'log'
  >,
  { isOnce = false, isWanted, ...parts }: AppenderParts,
): Appender {
  const { logState, log, clock, after } = context;
  const refusals = createRefused(context);
  const append = createAppend(context, parts);
  const events = createLogEvents(context, { append, refused: refusals });
  const blocks = createLogBlocks(context, { append, refused: refusals, isOurs: parts.isOurs });
  const noteDurability = createDurabilityNote(context, {
    event: 'log_not_durable',
    loss: 'leaves that others have seen may be lost with it.',
  });
  let waiting: readonly Pending[] = [];
  let markedAt = clock.now();
  let isOn = false;
  let isOut = false;

  async function work(isLast: boolean): Promise<boolean> {
    const log = await logState.refresh();
    isOn = log !== undefined;
    if (log === undefined) return false;
    noteDurability();
    waiting = [await events(log), await blocks.run(log, isLast)];
    await mark(log, isLast);
    return true;
  }

  async function mark(log: LogOn, isLast: boolean): Promise<void> {
    const marks = blocks.marks();
    const isNew = [...marks].some(([writer, seq]) => seq > (log.from[writer] ?? 0));
    if (!isNew || (!isLast && clock.now() - markedAt < MARKED_MS)) return;
    markedAt = clock.now();
    await logState.advance(marks, blocks.isKnown);
  }

  async function run(isLast = false): Promise<boolean> {
    try {
      const isOn = await work(isLast);
      isOut = false;
      return isOn;
    } catch (error) {
      const message = 'The logs of the accounts could not be brought up to date. The service tries again.';
      if (!isOut && (isOn || isWanted))
        log({ level: 'warn', event: 'log_append_failed', message, cause: describeCause(error) });
      isOut = true;
      return true;
    }
  }

  const chore = createChore(after, EVERY_MS, () => run());
  if (!isOnce) {
    chore.ask();
    // Another node may turn the logs on after this one has found them off.
    logState.onTurnedOn(chore.ask);
  }

  const pending = (): Pending => waiting.reduce(sumOf, NOTHING);

  return {
    isOn: () => isOn,
    pending,
    async flush() {
      let contendedCount = 0;
      for (let tries = 0; tries < MAX_FLUSHES && contendedCount < MAX_CONTENDED; ) {
        await work(true);
        const { count, isContended } = pending();
        if (count === 0) return;
        if (isContended) contendedCount += 1;
        else tries += 1;
      }
    },
    async close() {
      await chore.stop();
      if (isOn || isWanted) await run(true);
    },
  };
}

function sumOf(pending: Pending, otherPending: Pending): Pending {
  const starts = [pending.since, otherPending.since].filter((atMs) => atMs !== undefined);
  return {
    count: pending.count + otherPending.count,
    since: starts.length === 0 ? undefined : Math.min(...starts),
    isContended: pending.isContended || otherPending.isContended,
  };
}

function createRefused({ clock, log }: Pick<Context, 'clock' | 'log'>): Refused {
  const ends = new Map<string, number>();
  return {
    has: (account_id) => (ends.get(account_id) ?? 0) > clock.now(),
    add(account_id) {
      const isNew = !ends.has(account_id);
      ends.set(account_id, clock.now() + REFUSED_MS);
      const message =
        'The log of an account does not fit its head, its tiles or its keys: it was changed by someone else. The service appends nothing more to it. Check it with agent-identity log verify, then begin a new log with agent-identity log restart.';
      if (isNew) log({ level: 'error', event: 'log_damaged', message, account_id });
    },
  };
}
