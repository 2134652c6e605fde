/** From the counts of blocks to what they add to the rollups, with a bound on how many names a rollup can hold. */

import { formatInstant } from '../../../base/values/instant.ts';
import type { FoldedMinute, LatencyCount, VerdictCount } from '../../../blocks/index.ts';
import type { RollupDelta } from '../../../ports/journal.ts';
import { bucketStart, coarseLatency } from '../latency.ts';
import { createGroupCounter, type GroupCounter } from './group-counter.ts';
import { createGroupMemory } from './group-memory.ts';
import { type Group, OTHER, type Series } from './rollup-groups.ts';

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

/** How many counts of an agent wait at most to be taken; names that callers make up are among them. */
const MAX_TOUCHED = 2_000;

/**
 * The rollups of one process. What it counts in is kept from batch to batch, in two generations: what is not used
 * while the younger one fills up is forgotten, and starts to let names in again.
 */
export function createRollupWriter(): RollupWriter {
  const memory = createGroupMemory();
  const counter = createGroupCounter(memory.resize);
  /** The beginning of the instants that are being counted. */
  let minute = 'none';
  /** The groups with counts that were not taken. */
  const touched = new Set<Group>();
  /** Deltas that were made and not taken. */
  const ready: RollupDelta[] = [];

  /** Names are let in by the day. */
  function beginMinute(start: string): void {
    if (start.startsWith(minute)) return;
    if (!start.startsWith(minute.slice(0, 10))) {
      flushAll();
      memory.clear();
    }
    minute = start.slice(0, 16);
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

  /** The group of an agent, or of all with `''`, ready to be counted in. */
  function groupOf(series: Series, agent_id: string): Group {
    const group = memory.groupOf(series, agent_id);
    touch(group);
    return group;
  }

  function flush(group: Group): void {
    counter.flush(group, ready);
    touched.delete(group);
  }

  function flushAll(): void {
    for (const group of touched) flush(group);
  }

  return {
    get pending() {
      return counter.pending;
    },
    size: memory.size,

    add(account_id, { environment, minute_ms, verdicts, latencies }) {
      if (memory.isFull()) {
        flushAll();
        memory.age();
      }
      beginMinute(formatInstant(minute_ms));
      const series = memory.seriesOf({ account_id, environment });
      const open = (agent_id: string): Group => groupOf(series, agent_id);
      for (const counted of verdicts) addVerdicts(counted, open, counter);
      for (const counted of latencies) addLatencies(counted, open, counter);
    },

    take() {
      flushAll();
      counter.clear();
      return ready.splice(0);
    },
  };
}

/** Counts verdicts in the group of all, and in that of their agent if there is such an agent. */
function addVerdicts(counted: VerdictCount, open: (agent_id: string) => Group, counter: GroupCounter): void {
  const { agent_id, isKnown, action, codes, count } = counted;
  const addTo = (group: Group): void => {
    counter.add(group, group.action, action, count).allowed += codes.length === 0 ? count : 0;
    for (const code of codes) counter.add(group, group.reason, code, count);
  };
  const all = open('');
  addTo(all);
  // A caller can make up names of agents that do not exist.
  counter.add(all, all.agent, isKnown ? agent_id : OTHER, count);
  if (isKnown) addTo(open(agent_id));
}

function addLatencies(counted: LatencyCount, open: (agent_id: string) => Group, counter: GroupCounter): void {
  const { agent_id, isKnown, bucket, count } = counted;
  const all = open('');
  counter.add(all, all.latency, bucketStart(bucket), count);
  if (!isKnown) return;
  const group = open(agent_id);
  counter.add(group, group.latency, coarseLatency(bucket), count);
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
