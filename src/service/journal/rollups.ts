/** From filed verdicts to what they add to the rollups, with a bound on how many names a rollup can hold. */

import { rollupStarts } from '../../base/time-buckets.ts';
import type { RollupDelta } from '../../ports/storage.ts';
import type { JournalEntry, RollupKind } from '../../ports/stored.ts';
import type { LatencyScale } from './latency.ts';
import {
  type Count,
  type Counts,
  type Group,
  newCount,
  newGeneration,
  newGroup,
  OTHER,
  type Series,
} from './rollup-groups.ts';

/** Verdicts on their way into the journal, and how many microseconds each took from its question. */
export interface FiledBatch {
  readonly entries: readonly JournalEntry[];
  readonly latenciesUs: ArrayLike<number>;
}

/** Counts batches. Remembers the names it has let in today, and no more of them than fit. */
export interface RollupWriter {
  /** Counts a batch, but no dry runs; `at` is the present by a clock that never goes back. */
  add(batch: FiledBatch, scale: LatencyScale, at: number): void;
  /** What was not taken yet: of agents whose first such count is from `until` or before, and at most `most` deltas; by default all. */
  take(until?: number, most?: number): readonly RollupDelta[];
  /** When the first of what was not taken yet was counted; `undefined` when there is nothing. */
  readonly oldest: number | undefined;
  /** How much is remembered. */
  size(): { readonly groups: number; readonly counts: number };
}

/** How many names of a kind an agent has a day, or all agents together; and of actions it was only ever denied: it can invent those without end. */
const MOST_NAMES = 100;
const MOST_DENIED_NAMES = 50;

/** How many counts, about 100 bytes each, and agents are remembered at least, and about twice as many at most. */
const MOST_COUNTS = 45_000;
const MOST_GROUPS = 4_500;

/** How many counts of an agent wait at most to be taken; names that anybody invents are among them. */
const MOST_TOUCHED = 2_000;

/**
 * The rollups of one process. What it counts in is kept from batch to batch, in two generations: what is not used
 * while the younger one fills up is forgotten, and starts to let names in again.
 */
export function createRollupWriter(): RollupWriter {
  let recent = newGeneration();
  let earlier = newGeneration();
  /** The beginning of the instants that are being counted. */
  let minute = 'none';
  let present = 0;
  /** The groups with counts that were not taken, those that were touched first before the others. */
  const touched = new Set<Group>();
  /** Deltas that were made and not taken. */
  const ready: RollupDelta[] = [];

  /** Names are let in by the day. */
  function beginMinute({ created_at }: JournalEntry): void {
    if (!created_at.startsWith(minute.slice(0, 10))) {
      flushAll();
      recent = newGeneration();
      earlier = newGeneration();
    }
    minute = created_at.slice(0, 16);
  }

  function seriesOf({ account_id, environment }: JournalEntry): Series {
    const name = `${environment} ${account_id}`;
    const known = recent.all.get(name);
    if (known !== undefined) return known;
    const series = { account_id, environment, groups: new Map() };
    recent.all.set(name, series);
    return series;
  }

  function groupOf(series: Series, agent_id: string): Group {
    return series.groups.get(agent_id) ?? adoptGroup(series, agent_id);
  }

  /** Takes it over from the earlier generation, or makes it. */
  function adoptGroup(series: Series, agent_id: string): Group {
    const before = earlier.all.get(`${series.environment} ${series.account_id}`)?.groups;
    const group = before?.get(agent_id) ?? newGroup(series, agent_id);
    if (before?.delete(agent_id)) {
      earlier.groups -= 1;
      earlier.counts -= group.size;
    }
    series.groups.set(agent_id, group);
    recent.groups += 1;
    recent.counts += group.size;
    return group;
  }

  /** Before it counts. */
  function touch(group: Group): void {
    if (group.touchedAt !== undefined && (group.minute !== minute || group.touched.length > MOST_TOUCHED))
      flush(group);
    if (group.touchedAt !== undefined) return;
    touched.add(group);
    group.touchedAt = present;
    group.minute = minute;
  }

  function addEntry(group: Group, { verdict, action, reasons }: JournalEntry, bucket: number): void {
    touch(group);
    add(group, group.action, action, 1).allowed += verdict === 'ALLOW' ? 1 : 0;
    add(group, group.latency, bucket, 1);
    for (const { code } of reasons) add(group, group.reason, code, 1);
  }

  function add(group: Group, counts: Counts, name: string | number, number: number): Count {
    const known = counts.first?.name === name ? counts.first : counts.others?.get(name);
    // Where no place is left nobody needs to come and ask for one: of a thousand agents nine hundred would each time.
    if (known === undefined && counts.places === MOST_NAMES && name !== OTHER) {
      return add(group, counts, OTHER, number);
    }
    const count = known ?? newCount(counts, name);
    if (known === undefined) resize(group, 1);
    if (count.count === 0) group.touched.push(count);
    count.count += number;
    return count;
  }

  function resize(group: Group, by: number): void {
    group.size += by;
    recent.counts += by;
  }

  /** Gives newcomers the places that are left, the most frequent first; the others are summed up as `OTHER`. */
  function admitNewcomers(group: Group): void {
    const newcomers = group.touched.filter((count) => !count.isAdmitted);
    for (const count of newcomers.sort((a, b) => b.count - a.count)) {
      const { kind, name, allowed } = count;
      const counts = group[kind];
      count.isAdmitted =
        counts.places < (kind === 'action' && allowed === 0 ? MOST_DENIED_NAMES : MOST_NAMES);
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
  function flush(group: Group): void {
    const { account_id, environment, agent_id } = group;
    const { minute: start } = rollupStarts(group.minute);
    const tell = (kind: RollupKind, key: string, number: number): void => {
      if (number === 0) return;
      ready.push({ account_id, environment, minute: start, agent_id, kind, key, count: number });
    };
    let allowed = 0;
    let denied = 0;
    // Hardly ever is one of them new.
    if (!group.touched.every(isAdmitted)) admitNewcomers(group);
    for (const count of group.touched) {
      if (count.isAdmitted) {
        tell(count.kind, count.key, count.count);
        if (count.kind === 'action') {
          allowed += count.allowed;
          denied += count.count - count.allowed;
        }
      }
      count.count = 0;
      count.allowed = 0;
    }
    tell('verdict', 'ALLOW', allowed);
    tell('verdict', 'DENY', denied);
    group.touched = [];
    group.touchedAt = undefined;
    touched.delete(group);
  }

  function flushAll(): void {
    for (const group of touched) flush(group);
  }

  return {
    size: () => ({ groups: recent.groups + earlier.groups, counts: recent.counts + earlier.counts }),
    get oldest() {
      if (ready.length > 0) return Number.NEGATIVE_INFINITY;
      for (const { touchedAt } of touched) return touchedAt;
      return undefined;
    },

    add({ entries, latenciesUs }, scale, at) {
      present = at;
      if (recent.counts > MOST_COUNTS || recent.groups > MOST_GROUPS) {
        flushAll();
        earlier = recent;
        recent = newGeneration();
      }
      let series: Series | undefined;
      for (const [index, entry] of entries.entries()) {
        if (entry.dry_run) continue;
        if (!entry.created_at.startsWith(minute)) {
          beginMinute(entry);
          series = undefined;
        }
        if (series?.account_id !== entry.account_id || series.environment !== entry.environment) {
          series = seriesOf(entry);
        }
        const latencyUs = latenciesUs[index] ?? 0;
        const isKnown = entry.passport_version !== null;
        const all = groupOf(series, '');
        addEntry(all, entry, scale.bucketOf(latencyUs));
        // Names of agents that do not exist are anybody's to invent.
        add(all, all.agent, isKnown ? entry.agent_id : OTHER, 1);
        // There are many agents: each fine bucket would be a row of each of them for every minute.
        if (isKnown) addEntry(groupOf(series, entry.agent_id), entry, scale.coarseBucketOf(latencyUs));
      }
    },

    take(until = Number.POSITIVE_INFINITY, most = Number.POSITIVE_INFINITY) {
      for (const group of touched) {
        if (ready.length >= most || (group.touchedAt ?? until) > until) break;
        flush(group);
      }
      return ready.splice(0, most);
    },
  };
}

function isAdmitted(count: Count): boolean {
  return count.isAdmitted;
}
