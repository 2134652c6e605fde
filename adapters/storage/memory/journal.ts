import type { Instant, JournalEntry, JournalQuery, Position } from '../../../src/index.ts';
import { compareText } from './text-order.ts';

/** Entries kept of one account. */
const MOST_ENTRIES = 100_000;

/** The verdicts of every account. */
export interface Journal {
  /** Keeps the entries, which nobody else may hold, but those whose id is known; the oldest of an account that has too many are dropped. */
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
  /** By account, oldest first. */
  const accounts = new Map<string, JournalEntry[]>();
  const ids = new Set<string>();
  const wholeSince = new Map<string, Instant>();

  function put(entry: JournalEntry): JournalEntry[] {
    const entries = accounts.get(entry.account_id) ?? [];
    accounts.set(entry.account_id, entries);
    if (ids.has(entry.id)) return entries;
    ids.add(entry.id);
    const newest = entries[entries.length - 1];
    if (newest === undefined || comparePositions(newest, entry) < 0) entries.push(entry);
    else entries.splice(countBefore(entries, entry), 0, entry);
    return entries;
  }

  function dropOldest(entries: JournalEntry[], number: number): void {
    for (const { id } of entries.splice(0, number)) ids.delete(id);
  }

  /** Others of the same instant may be dropped with the last: whole is only what comes after it. */
  function noteDropped(last: JournalEntry | undefined): void {
    if (last === undefined) return;
    const since = new Date(Date.parse(last.created_at) + 1).toISOString();
    const known = wholeSince.get(last.account_id);
    if (known === undefined || known < since) wholeSince.set(last.account_id, since);
  }

  return {
    add(added) {
      const touched = new Set(added.map(put));
      for (const entries of touched) {
        const number = Math.max(entries.length - MOST_ENTRIES, 0);
        noteDropped(entries[number - 1]);
        dropOldest(entries, number);
      }
    },
    read(query) {
      const entries = accounts.get(query.account_id) ?? [];
      const page: JournalEntry[] = [];
      for (let at = countBefore(entries, endOf(query)) - 1; at >= 0 && page.length < query.limit; at -= 1) {
        const entry = entries[at];
        if (entry === undefined || isBefore(entry, query.from)) break;
        if (fits(entry, query)) page.push(freeze(entry));
      }
      return page;
    },
    wholeSince: (account_id) => wholeSince.get(account_id),
    purge(before, limit) {
      let removed = 0;
      for (const entries of accounts.values()) {
        const old = countBefore(entries, { created_at: before, id: '' });
        const number = Math.min(old, limit - removed);
        dropOldest(entries, number);
        removed += number;
      }
      return removed;
    },
    clear() {
      accounts.clear();
      ids.clear();
      wholeSince.clear();
    },
  };
}

/** A copy of its own, to be frozen when it is read first: few ever are, and until then nobody else holds it. */
export function copyEntry(entry: JournalEntry): JournalEntry {
  return { ...entry, reasons: entry.reasons.map((reason) => ({ ...reason })) };
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

function comparePositions(a: Position, b: Position): number {
  return compareText(a.created_at, b.created_at) || compareText(a.id, b.id);
}

/** The number of entries that stand before `position`; all of them when it is missing. */
function countBefore(entries: readonly JournalEntry[], position: Position | undefined): number {
  if (position === undefined) return entries.length;
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry !== undefined && comparePositions(entry, position) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
