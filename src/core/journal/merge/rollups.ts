/** Turns the counts of blocks into deltas of rollups. The number of names in each rollup is limited. */

import { formatInstant } from '../../../base/values/instant.ts';
import type { FoldedMinute, LatencyCount, VerdictCount } from '../../../journal-format/index.ts';
import type { RollupDelta } from '../../../ports/journal.ts';
import { bucketStart, coarseLatency } from '../latency.ts';
import {
  createGroupCounter,
  createGroupMemory,
  type Group,
  type GroupCounter,
  OTHER,
  type Series,
} from './group-counter.ts';

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
  const touchedGroups = new Set<Group>();
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
    if (touchedGroups.has(group)) {
      if (group.minute === minute && group.touched.length <= MAX_TOUCHED) return;
      flush(group);
    }
    touchedGroups.add(group);
    group.minute = minute;
  }

  function groupOf(series: Series, agent_id: string): Group {
    const group = memory.groupOf(series, agent_id);
    touch(group);
    return group;
  }

  function flush(group: Group): void {
    counter.flush(group, ready);
    touchedGroups.delete(group);
  }

  function flushAll(): void {
    for (const group of touchedGroups) flush(group);
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
      for (const countedCount of verdicts) addVerdicts(countedCount, open, counter);
      for (const countedCount of latencies) addLatencies(countedCount, open, counter);
    },

    take() {
      flushAll();
      counter.clear();
      return ready.splice(0);
    },
  };
}

function addVerdicts(
  countedCount: VerdictCount,
  open: (agent_id: string) => Group,
  counter: GroupCounter,
): void {
  const { agent_id, isKnown, action, codes, count } = countedCount;
  const addTo = (group: Group): void => {
    counter.add(group, group.action, action, count).allowed += codes.length === 0 ? count : 0;
    for (const code of codes) counter.add(group, group.reason, code, count);
  };
  const totalGroup = open('');
  addTo(totalGroup);
  // Callers can invent names of agents that do not exist.
  counter.add(totalGroup, totalGroup.agent, isKnown ? agent_id : OTHER, count);
  if (isKnown) addTo(open(agent_id));
}

function addLatencies(
  countedCount: LatencyCount,
  open: (agent_id: string) => Group,
  counter: GroupCounter,
): void {
  const { agent_id, isKnown, bucket, count } = countedCount;
  const totalGroup = open('');
  counter.add(totalGroup, totalGroup.latency, bucketStart(bucket), count);
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
    const deltas = groups.get(name) ?? new Map<string, RollupDelta>();
    groups.set(name, deltas);
    return deltas;
  }

  return {
    add(delta) {
      // The deltas of one agent follow each other, and its long name is spelled once.
      if (last === undefined || !isTogether(last, delta)) group = groupOf(delta);
      last = delta;
      const name = `${delta.kind}\n${delta.key}`;
      const knownDelta = group.get(name);
      group.set(
        name,
        knownDelta === undefined ? delta : { ...knownDelta, count: knownDelta.count + delta.count },
      );
    },
    all: () => [...groups.values()].flatMap((deltas) => [...deltas.values()]),
  };
}

function isTogether(delta: RollupDelta, otherDelta: RollupDelta): boolean {
  return (
    delta.agent_id === otherDelta.agent_id &&
    delta.minute === otherDelta.minute &&
    delta.account_id === otherDelta.account_id &&
    delta.environment === otherDelta.environment
  );
}
