/** Turns the counts of blocks into deltas of rollups. The number of names in each rollup is limited. */

import { formatInstant } from '../../../base/values/instant.ts';
import type { FoldedMinute, LatencyCount, VerdictCount } from '../../../journal-format/index.ts';
import type { RollupDelta } from '../../../ports/journal.ts';
import { bucketStart, coarseLatency } from '../latency.ts';
import { createGroupCounter, createGroupMemory, type GroupCounter } from './group-counter.ts';
import { type Group, OTHER, type Series } from './rollup-groups.ts';

export interface RollupWriter {
  add(account_id: string, minute: FoldedMinute): void;
  /** Returns the deltas of all counts since the last call. A rollup may have several deltas. */
  take(): readonly RollupDelta[];
  pending(): number;
  size(): { readonly groups: number; readonly counts: number };
}

/**
 * The maximum number of counts of one agent before a flush. The maximum is necessary because callers can invent names.
 */
const MAX_TOUCHED = 2_000;

export function createRollupWriter(): RollupWriter {
  const memory = createGroupMemory();
  const counter = createGroupCounter(memory.resize);
  let minute = 'none';
  const touched = new Set<Group>();
  const ready: RollupDelta[] = [];

  function beginMinute(start: string): void {
    if (start.startsWith(minute)) return;
    if (!start.startsWith(minute.slice(0, 10))) {
      flushAll();
      memory.clear();
    }
    minute = start.slice(0, 16);
  }

  function touch(group: Group): void {
    if (touched.has(group)) {
      if (group.minute === minute && group.touched.length <= MAX_TOUCHED) return;
      flush(group);
    }
    touched.add(group);
    group.minute = minute;
  }

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
    pending: counter.pending,
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

function addVerdicts(counted: VerdictCount, open: (agent_id: string) => Group, counter: GroupCounter): void {
  const { agent_id, isKnown, action, codes, count } = counted;
  const addTo = (group: Group): void => {
    counter.add(group, group.action, action, count).allowed += codes.length === 0 ? count : 0;
    for (const code of codes) counter.add(group, group.reason, code, count);
  };
  const all = open('');
  addTo(all);
  // Callers can invent names of agents that do not exist.
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

export function sumDeltas(deltas: readonly RollupDelta[]): readonly RollupDelta[] {
  const sums = createDeltaSums();
  for (const delta of deltas) sums.add(delta);
  return sums.all();
}

export interface DeltaSums {
  add(delta: RollupDelta): void;
  all(): readonly RollupDelta[];
}

export function createDeltaSums(): DeltaSums {
  const groups = new Map<string, Map<string, RollupDelta>>();
  let last: RollupDelta | undefined;
  let group = new Map<string, RollupDelta>();

  function groupOf({ account_id, environment, minute, agent_id }: RollupDelta): Map<string, RollupDelta> {
    const name = `${account_id}\n${environment}\n${minute}\n${agent_id}`;
    const found = groups.get(name) ?? new Map<string, RollupDelta>();
    groups.set(name, found);
    return found;
  }

  return {
    add(delta) {
      // The deltas of one agent follow each other, and its long name is spelled once.
      if (last === undefined || !isTogether(last, delta)) group = groupOf(delta);
      last = delta;
      const name = `${delta.kind}\n${delta.key}`;
      const known = group.get(name);
      group.set(name, known === undefined ? delta : { ...known, count: known.count + delta.count });
    },
    all: () => [...groups.values()].flatMap((each) => [...each.values()]),
  };
}

function isTogether(one: RollupDelta, other: RollupDelta): boolean {
  return (
    one.agent_id === other.agent_id &&
    one.minute === other.minute &&
    one.account_id === other.account_id &&
    one.environment === other.environment
  );
}
