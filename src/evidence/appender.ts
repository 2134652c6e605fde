/** Reads new blocks of the journal and new events on a timer, and appends them to the evidence logs. */
import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import type { Context } from '../core/shared/context.ts';
import { createDurabilityNote } from '../core/shared/durability-note.ts';
import type { LogOn } from '../core/shared/log-state.ts';
import { createChore } from '../core/shared/timers.ts';
import { describeCause } from '../errors.ts';
import { type AppendParts, createAppend } from './append.ts';
import { createLogBlocks, type LogBlocksParts } from './log-blocks.ts';
import { createLogEvents, type Pending, type Refused } from './log-events.ts';

export interface Appender {
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

export interface AppenderParts extends AppendParts, Pick<LogBlocksParts, 'isOurs'> {
  /** `true` if the appender only appends on request, without a timer. */
  readonly isOnce?: boolean;
  /** `true` if the options turn the logs on. With `false`, an outage is not logged until the logs are on. */
  readonly isWanted: boolean;
}

export function createAppender(
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
