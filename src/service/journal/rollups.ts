/** From the counts of blocks to what they add to the rollups, with a bound on how many names a rollup can hold. */

import { formatInstant } from '../../base/instant.ts';
import { rollupStarts } from '../../base/time-buckets.ts';
import type { FoldedMinute, LatencyCount, VerdictCount } from '../../blocks/index.ts';
import type { RollupDelta, RollupKind } from '../../ports/journal.ts';
import { bucketStart, coarseLatency } from './latency.ts';
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

/** Sums up what blocks count. Remembers the names it has let in today, and no more of them than fit. */
export interface RollupWriter {
  /** Counts a minute of a block of an account. */
  add(account_id: string, minute: FoldedMinute): void;
  /** All that was added since the last; there may be several of one rollup. */
  take(): readonly RollupDelta[];
  /** About how many deltas that would be. */
  readonly pending: number;
  /** How much is remembered. */
  size(): { readonly groups: number; readonly counts: number };
}

/** How many names of a kind an agent has a day, or all agents together; and of actions it was only ever denied: it can invent those without end. */
const MAX_NAMES = 100;
const MAX_DENIED_NAMES = 50;

/** How many counts, about 100 bytes each, and agents are remembered at least, and about twice as many at most. */
const MAX_COUNTS = 45_000;
const MAX_GROUPS = 4_500;

/** How many counts of an agent wait at most to be taken; names that anybody invents are among them. */
const MAX_TOUCHED = 2_000;

/**
 * The rollups of one process. What it counts in is kept from batch to batch, in two generations: what is not used
 * while the younger one fills up is forgotten, and starts to let names in again.
 */
export function createRollupWriter(): RollupWriter {
  let recent = newGeneration();
  let earlier = newGeneration();
  /** The beginning of the instants that are being counted. */
  let minute = 'none';
  /** The groups with counts that were not taken. */
  const touched = new Set<Group>();
  /** Deltas that were made and not taken. */
  const ready: RollupDelta[] = [];
  /** How many counts are not zero. */
  let pending = 0;

  /** Names are let in by the day. */
  function beginMinute(start: string): void {
    if (start.startsWith(minute)) return;
    if (!start.startsWith(minute.slice(0, 10))) {
      flushAll();
      recent = newGeneration();
      earlier = newGeneration();
    }
    minute = start.slice(0, 16);
  }

  function seriesOf({ account_id, environment }: Omit<Series, 'groups'>): Series {
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
    if (touched.has(group)) {
      if (group.minute === minute && group.touched.length <= MAX_TOUCHED) return;
      flush(group);
    }
    touched.add(group);
    group.minute = minute;
  }

  function addVerdicts(series: Series, counted: VerdictCount): void {
    const { agent_id, isKnown, action, codes, count } = counted;
    const addTo = (group: Group): void => {
      touch(group);
      add(group, group.action, action, count).allowed += codes.length === 0 ? count : 0;
      for (const code of codes) add(group, group.reason, code, count);
    };
    const all = groupOf(series, '');
    addTo(all);
    // Names of agents that do not exist can be invented.
    add(all, all.agent, isKnown ? agent_id : OTHER, count);
    if (isKnown) addTo(groupOf(series, agent_id));
  }

  function addLatencies(series: Series, { agent_id, isKnown, bucket, count }: LatencyCount): void {
    const all = groupOf(series, '');
    touch(all);
    add(all, all.latency, bucketStart(bucket), count);
    if (!isKnown) return;
    const group = groupOf(series, agent_id);
    touch(group);
    add(group, group.latency, coarseLatency(bucket), count);
  }

  function add(group: Group, counts: Counts, name: string | number, number: number): Count {
    const known = counts.first?.name === name ? counts.first : counts.others?.get(name);
    // Where no place is left nobody needs to come and ask for one: of a thousand agents nine hundred would each time.
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
    touched.delete(group);
  }

  function flushAll(): void {
    for (const group of touched) flush(group);
  }

  return {
    get pending() {
      return pending;
    },
    size: () => ({ groups: recent.groups + earlier.groups, counts: recent.counts + earlier.counts }),

    add(account_id, { environment, minute_ms, verdicts, latencies }) {
      if (recent.counts > MAX_COUNTS || recent.groups > MAX_GROUPS) {
        flushAll();
        earlier = recent;
        recent = newGeneration();
      }
      beginMinute(formatInstant(minute_ms));
      const series = seriesOf({ account_id, environment });
      for (const counted of verdicts) addVerdicts(series, counted);
      for (const counted of latencies) addLatencies(series, counted);
    },

    take() {
      flushAll();
      pending = 0;
      return ready.splice(0);
    },
  };
}

/** Those of one rollup as one. */
export function sumDeltas(deltas: readonly RollupDelta[]): readonly RollupDelta[] {
  const sums = new Map<string, RollupDelta>();
  for (const delta of deltas) {
    const { account_id, environment, minute, agent_id, kind, key, count } = delta;
    const name = `${account_id}\n${environment}\n${minute}\n${agent_id}\n${kind}\n${key}`;
    const known = sums.get(name);
    sums.set(name, known === undefined ? delta : { ...known, count: known.count + count });
  }
  return [...sums.values()];
}

function isAdmitted(count: Count): boolean {
  return count.isAdmitted;
}
