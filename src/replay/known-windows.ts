/** Finds the windows of budgets of which a replay misses no record. */
import { rollingSeconds, windowAt } from '../base/values/budget-window.ts';
import { MAX_BLOCK_SPAN_MS } from '../ports/journal.ts';
import type { Environment } from '../records.ts';
import type { PassportRecord } from '../service/passports/collections.ts';
import { CLOCKS_MS } from './counters.ts';
import type { Family } from './family.ts';

/** Records that were reported lost. */
export interface LostRecords {
  /** The last of them, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly count: number;
}

/** Returns the start of the earliest window that holds `from`, of all budgets of these passports. */
export function windowsFrom(passports: readonly PassportRecord[], from: number): number {
  let first = from;
  for (const { budgets = [], created_at } of passports) {
    for (const { window } of budgets) {
      if (rollingSeconds(window) !== undefined) continue;
      // Before its creation a passport has spent nothing.
      const start = windowAt(window, from)?.start ?? Number.NEGATIVE_INFINITY;
      first = Math.min(first, Math.max(start, Date.parse(created_at)));
    }
  }
  return first;
}

/** The records that are read. */
export interface KnownRecords {
  /** The first instant of which every record is read. */
  readonly from: number;
  readonly lost: readonly LostRecords[];
  /** True when each record is evaluated by the versions that it names. */
  readonly isRecorded: boolean;
}

/** Makes the question whether a window of an agent is known. */
export function knownWindows(
  { members, above }: Family,
  { from, lost, isRecorded }: KnownRecords,
): (agent_id: string, start: number, end: number) => boolean {
  const creations = new Map(
    [...members.values(), ...above].map(({ id, created_at }) => [id, Date.parse(created_at)]),
  );
  // What an agent above had shown before it was changed says nothing about its budgets of today.
  const changes = new Map(
    isRecorded
      ? []
      : above.map(({ id, version, updated_at }) => [
          id,
          version === 1 ? 0 : Date.parse(updated_at) + CLOCKS_MS,
        ]),
  );
  return (agent_id, start, end) => {
    const begin = Math.max(start, creations.get(agent_id) ?? start);
    if (begin < from || begin < (changes.get(agent_id) ?? Number.NEGATIVE_INFINITY)) return false;
    // Lost records are reported with the time of the last of them.
    return lost.every(({ at }) => at < begin || at - MAX_BLOCK_SPAN_MS >= end);
  };
}

/** Sums the drops of blocks. */
export function lostIn(
  drops: readonly { readonly at_ms: number; readonly environment: Environment; readonly count: number }[],
  environment: Environment,
): readonly LostRecords[] {
  return drops
    .filter((drop) => drop.environment === environment)
    .map(({ at_ms, count }) => ({ at: at_ms, count }));
}
