/** Counts names in groups, and makes deltas of what was counted. */
import { rollupStarts } from '../../../base/values/time-buckets.ts';
import type { RollupDelta, RollupKind } from '../../../ports/journal.ts';
import { type Count, type Counts, type Group, newCount, OTHER } from './rollup-groups.ts';

/** How many names of a kind are counted in a day for an agent, or for all agents together. */
const MAX_NAMES = 100;
/** The same for actions that were only denied, which an agent can make up without end. */
const MAX_DENIED_NAMES = 50;

/** Counts in groups. */
export interface GroupCounter {
  /** How many counts are not zero. */
  readonly pending: number;
  /** Adds to the count of a name. */
  add(group: Group, counts: Counts, name: string | number, number: number): Count;
  /** Adds the deltas of what the group has counted, which begins at 0 again. */
  flush(group: Group, deltas: RollupDelta[]): void;
  /** Notes that all groups were flushed. */
  clear(): void;
}

/** A counter; `resize` is called where a group has more counts, or fewer. */
export function createGroupCounter(resize: (group: Group, by: number) => void): GroupCounter {
  let pending = 0;

  function add(group: Group, counts: Counts, name: string | number, number: number): Count {
    const known = counts.first?.name === name ? counts.first : counts.others?.get(name);
    // Without this check, of a thousand agents nine hundred would ask for a place each time, in vain.
    if (known === undefined && counts.places === MAX_NAMES && name !== OTHER) {
      return add(group, counts, OTHER, number);
    }
    const count = known ?? newCount(counts, name);
    if (known === undefined) resize(group, 1);
    if (count.count === 0) {
      group.touched.push(count);
      pending += 1;
    }
    count.count += number;
    return count;
  }

  /** Gives newcomers the places that are left, the most frequent first, then by name; the others are summed up as `OTHER`. */
  function admitNewcomers(group: Group): void {
    const newcomers = group.touched.filter((count) => !count.isAdmitted);
    for (const count of newcomers.sort(compareNewcomers)) {
      const { kind, name, allowed } = count;
      const counts = group[kind];
      count.isAdmitted = counts.places < (kind === 'action' && allowed === 0 ? MAX_DENIED_NAMES : MAX_NAMES);
      if (count.isAdmitted) {
        counts.places += 1;
        continue;
      }
      if (counts.first === count) counts.first = undefined;
      else counts.others?.delete(name);
      resize(group, -1);
      add(group, counts, OTHER, count.count).allowed += allowed;
    }
  }

  /** Makes deltas of what has been counted of the group; it begins at 0 again. */
  function flush(group: Group, deltas: RollupDelta[]): void {
    const { account_id, environment, agent_id } = group;
    const { minute: start } = rollupStarts(group.minute);
    const push = (kind: RollupKind, key: string, number: number): void => {
      if (number === 0) return;
      deltas.push({ account_id, environment, minute: start, agent_id, kind, key, count: number });
    };
    let allowed = 0;
    let denied = 0;
    // Hardly ever is one of them new.
    if (!group.touched.every(isAdmitted)) admitNewcomers(group);
    for (const count of group.touched) {
      if (count.isAdmitted) {
        push(count.kind, count.key, count.count);
        if (count.kind === 'action') {
          allowed += count.allowed;
          denied += count.count - count.allowed;
        }
      }
      count.count = 0;
      count.allowed = 0;
    }
    push('verdict', 'ALLOW', allowed);
    push('verdict', 'DENY', denied);
    group.touched = [];
  }

  return {
    get pending() {
      return pending;
    },
    add,
    flush,
    clear() {
      pending = 0;
    },
  };
}

function compareNewcomers(a: Count, b: Count): number {
  return b.count - a.count || (a.key < b.key ? -1 : 1);
}

function isAdmitted(count: Count): boolean {
  return count.isAdmitted;
}
