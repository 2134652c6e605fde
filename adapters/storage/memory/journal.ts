import {
  type Instant,
  type JournalEntry,
  type JournalPiece,
  type JournalQuery,
  type Position,
  type Reason,
  turn,
} from '../../../src/ports/index.ts';
import { comparePositions, compareText, lowerBound } from './text-order.ts';

/** Entries kept of one account. */
const MOST_ENTRIES = 100_000;

/** The verdicts of every account. */
export interface Journal {
  /** Keeps the entries, which nobody else may hold, but those whose id is known; the oldest of an account that has too many are dropped. */
  add(entries: readonly JournalEntry[]): void;
  /** Frozen entries, among those that are looked at in about a millisecond. */
  read(query: JournalQuery): JournalPiece;
  /** The instant from which on nothing of the account was dropped; `undefined` when nothing ever was. */
  completeSince(account_id: string): Instant | undefined;
  /** Removes at most `limit` entries from before the instant, and gives back their number. */
  purge(before: string, limit: number): Promise<number>;
  clear(): void;
}

/** The verdicts of one account, oldest first; those before the first have been let go. */
interface Log {
  readonly entries: JournalEntry[];
  first: number;
}

/** So many are let go before their places are: to move all others up for each batch took 8 % of filing. */
const MOST_GAPS = 10_000;

/** How many entries, and how many accounts, are looked at before others have their turn. */
const MOST_LOOKED_AT = 5_000;
const MOST_ACCOUNTS = 1_000;

/** A journal without entries. */
export function createJournal(): Journal {
  const logs = new Map<string, Log>();
  const completeSince = new Map<string, Instant>();
  /** Made when an id comes that is not above all before it: those of one service are, and a list of them took a seventh of filing. */
  let ids: Set<string> | undefined;
  let greatestId = '';

  function isKnown(id: string): boolean {
    if (ids === undefined && id > greatestId) {
      greatestId = id;
      return false;
    }
    ids ??= new Set(
      [...logs.values()].flatMap(({ entries, first }) => entries.slice(first).map((entry) => entry.id)),
    );
    if (ids.has(id)) return true;
    ids.add(id);
    return false;
  }

  function logOf(account_id: string): Log {
    const known = logs.get(account_id);
    if (known !== undefined) return known;
    const log = { entries: [], first: 0 };
    logs.set(account_id, log);
    return log;
  }

  function put(entry: JournalEntry, log: Log): void {
    if (isKnown(entry.id)) return;
    const { entries } = log;
    const newest = entries[entries.length - 1];
    if (newest === undefined || comparePositions(newest, entry) < 0) entries.push(entry);
    else entries.splice(placeOf(log, entry), 0, entry);
  }

  function dropOldest(log: Log, number: number): void {
    const end = log.first + number;
    if (ids !== undefined) for (const { id } of log.entries.slice(log.first, end)) ids.delete(id);
    log.first = end;
    if (end < MOST_GAPS && end < log.entries.length) return;
    log.entries.splice(0, end);
    log.first = 0;
  }

  /** Others of the same instant may be dropped with the last: whole is only what comes after it. */
  function noteDropped(last: JournalEntry | undefined): void {
    if (last === undefined) return;
    const since = new Date(Date.parse(last.created_at) + 1).toISOString();
    const known = completeSince.get(last.account_id);
    if (known === undefined || known < since) completeSince.set(last.account_id, since);
  }

  return {
    add(added) {
      const touched = new Set<Log>();
      let log: Log | undefined;
      let last: JournalEntry | undefined;
      for (const entry of added) {
        if (log === undefined || last?.account_id !== entry.account_id) {
          log = logOf(entry.account_id);
          touched.add(log);
        }
        last = entry;
        put(entry, log);
      }
      for (const full of touched) {
        const number = full.entries.length - full.first - MOST_ENTRIES;
        if (number <= 0) continue;
        noteDropped(full.entries[full.first + number - 1]);
        dropOldest(full, number);
      }
    },
    read(query) {
      const log = logs.get(query.account_id);
      const entries: JournalEntry[] = [];
      if (log === undefined) return { entries, next: null };
      const end = placeOf(log, endOf(query));
      const last = Math.max(log.first, end - MOST_LOOKED_AT);
      for (let at = end - 1; at >= last; at -= 1) {
        const entry = log.entries[at];
        if (entry === undefined || isBefore(entry, query.from)) return { entries, next: null };
        if (fits(entry, query)) entries.push(freeze(entry));
        const isOver = entries.length === query.limit || at === last;
        if (isOver && at > log.first)
          return { entries, next: { created_at: entry.created_at, id: entry.id } };
        if (isOver) break;
      }
      return { entries, next: null };
    },
    completeSince: (account_id) => completeSince.get(account_id),
    async purge(before, limit) {
      let removed = 0;
      let looked = 0;
      for (const [account_id, log] of logs) {
        const old = placeOf(log, { created_at: before, id: '' }) - log.first;
        const number = Math.min(old, limit - removed);
        dropOldest(log, number);
        if (log.entries.length === 0) logs.delete(account_id);
        removed += number;
        looked += 1;
        if (removed === limit) return removed;
        if (looked % MOST_ACCOUNTS === 0) await turn();
      }
      return removed;
    },
    clear() {
      logs.clear();
      completeSince.clear();
      ids = undefined;
    },
  };
}

/** A copy of its own, to be frozen when it is read first: few ever are, and until then nobody else holds it. */
export function copyEntry(entry: JournalEntry): JournalEntry {
  return { ...entry, reasons: isShared(entry.reasons) ? entry.reasons : entry.reasons.map(copyReason) };
}

/** Reasons that nobody can change need no copy: most verdicts have the same few. */
function isShared(reasons: readonly Reason[]): boolean {
  return Object.isFrozen(reasons) && reasons.every((reason) => Object.isFrozen(reason));
}

function copyReason(reason: Reason): Reason {
  return { ...reason };
}

function freeze(entry: JournalEntry): JournalEntry {
  for (const reason of entry.reasons) Object.freeze(reason);
  Object.freeze(entry.reasons);
  return Object.freeze(entry);
}

/** The first position that a page does not reach, or a missing one when it starts with the newest. */
function endOf({ after, to }: JournalQuery): Position | undefined {
  const end = to === undefined ? undefined : { created_at: to, id: '' };
  if (after === undefined || end === undefined) return after ?? end;
  return comparePositions(after, end) < 0 ? after : end;
}

function isBefore(entry: JournalEntry, from: string | undefined): boolean {
  return from !== undefined && compareText(entry.created_at, from) < 0;
}

function fits(entry: JournalEntry, { agent_id, verdict, environment, reason }: JournalQuery): boolean {
  return (
    (agent_id === undefined || entry.agent_id === agent_id) &&
    (verdict === undefined || entry.verdict === verdict) &&
    (environment === undefined || entry.environment === environment) &&
    (reason === undefined || entry.reasons.some(({ code }) => code === reason))
  );
}

/** The place in the log of the first entry that does not stand before `position`; its end when that is missing. */
function placeOf({ entries, first }: Log, position: Position | undefined): number {
  return position === undefined ? entries.length : lowerBound(entries, position, first);
}
