import type { Instant, JournalEntry, JournalQuery, Position } from '../../../src/index.ts';
import { comparePositions, createLog, type Log } from './log.ts';
import { compareText } from './text-order.ts';

/** Entries kept of one account. */
const MOST_ENTRIES = 100_000;

/** The verdicts of every account. */
export interface Journal {
  /** Keeps copies of the entries but of those whose id is known; the oldest of an account that has too many are dropped. */
  add(entries: readonly JournalEntry[]): void;
  /** Frozen entries. */
  read(query: JournalQuery): readonly JournalEntry[];
  /** The instant from which on nothing of the account was dropped; `undefined` when nothing ever was. */
  wholeSince(account_id: string): Instant | undefined;
  /** Removes at most `limit` entries from before the instant, and gives back their number. */
  purge(before: string, limit: number): number;
  clear(): void;
}

/** A journal without entries. */
export function createJournal(): Journal {
  const logs = new Map<string, Log>();
  const wholeSince = new Map<string, Instant>();
  /** Made when an id comes that is not above all before it: those of one service are, and a list of them took a seventh of filing. */
  let ids: Set<string> | undefined;
  let greatestId = '';

  function put(entry: JournalEntry, log: Log): void {
    const isGreatest = compareText(entry.id, greatestId) > 0;
    if (isGreatest) greatestId = entry.id;
    else ids ??= new Set([...logs.values()].flatMap((each) => firstIds(each, each.length)));
    if (ids?.has(entry.id)) return;
    ids?.add(entry.id);
    log.add(entry, isGreatest);
  }

  function logOf(account_id: string): Log {
    const known = logs.get(account_id);
    if (known !== undefined) return known;
    const log = createLog(account_id);
    logs.set(account_id, log);
    return log;
  }

  function dropOldest(log: Log, number: number): void {
    if (ids !== undefined) for (const id of firstIds(log, number)) ids.delete(id);
    log.dropOldest(number);
  }

  /** Others of the same instant may be dropped with the last: whole is only what comes after it. */
  function noteDropped(account_id: string, last: Instant): void {
    const since = new Date(Date.parse(last) + 1).toISOString();
    const known = wholeSince.get(account_id);
    if (known === undefined || known < since) wholeSince.set(account_id, since);
  }

  return {
    add(added) {
      const touched = new Set<Log>();
      let log: Log | undefined;
      for (const entry of added) {
        if (log?.account_id !== entry.account_id) {
          log = logOf(entry.account_id);
          touched.add(log);
        }
        put(entry, log);
      }
      for (const full of touched) {
        const number = full.length - MOST_ENTRIES;
        if (number <= 0) continue;
        noteDropped(full.account_id, full.positionAt(number - 1).created_at);
        dropOldest(full, number);
      }
    },
    read(query) {
      const log = logs.get(query.account_id);
      const page: JournalEntry[] = [];
      if (log === undefined) return page;
      for (let at = log.placeOf(endOf(query)) - 1; at >= 0 && page.length < query.limit; at -= 1) {
        const entry = log.at(at);
        if (query.from !== undefined && compareText(entry.created_at, query.from) < 0) break;
        if (fits(entry, query)) page.push(Object.freeze(entry));
      }
      return page;
    },
    wholeSince: (account_id) => wholeSince.get(account_id),
    purge(before, limit) {
      let removed = 0;
      for (const log of logs.values()) {
        const number = Math.min(log.placeOf({ created_at: before, id: '' }), limit - removed);
        dropOldest(log, number);
        removed += number;
      }
      return removed;
    },
    clear() {
      logs.clear();
      wholeSince.clear();
      ids = undefined;
    },
  };
}

function firstIds(log: Log, number: number): readonly string[] {
  return Array.from({ length: number }, (_, index) => log.positionAt(index).id);
}

/** The first position that a page does not reach, or a missing one when it starts with the newest. */
function endOf({ after, to }: JournalQuery): Position | undefined {
  const end = to === undefined ? undefined : { created_at: to, id: '' };
  if (after === undefined || end === undefined) return after ?? end;
  return comparePositions(after, end) < 0 ? after : end;
}

function fits(entry: JournalEntry, { agent_id, verdict, environment, reason }: JournalQuery): boolean {
  return (
    (agent_id === undefined || entry.agent_id === agent_id) &&
    (verdict === undefined || entry.verdict === verdict) &&
    (environment === undefined || entry.environment === environment) &&
    (reason === undefined || entry.reasons.some(({ code }) => code === reason))
  );
}
