import { rollupStarts } from '../../../base/values/time-buckets.ts';
import type { RollupDelta, RollupKind } from '../../../ports/journal.ts';
import type { Environment } from '../../../records.ts';

const MAX_NAMES = 100;
/** The maximum number of names of actions that were only denied, because an agent can invent any number of names. */
const MAX_DENIED_NAMES = 50;

export interface GroupCounter {
  /** Returns the number of counts above zero. */
  pending(): number;
  add(group: Group, counts: Counts, name: string | number, number: number): Count;
  flush(group: Group, deltas: RollupDelta[]): void;
  clear(): void;
}

/**
 * Creates a counter for groups. A group is a minute of one agent, with a count for each name. If a group
 * gains or loses a name, the counter calls `resize`.
 */
export function createGroupCounter(resize: (group: Group, delta: number) => void): GroupCounter {
  let pending = 0;

  function add(group: Group, counts: Counts, name: string | number, number: number): Count {
    const knownCount = counts.first?.name === name ? counts.first : counts.others?.get(name);
    // Saves the creation of a count that cannot be admitted, which is most of them when there are many agents.
    if (knownCount === undefined && counts.places === MAX_NAMES && name !== OTHER) {
      return add(group, counts, OTHER, number);
    }
    const count = knownCount ?? newCount(counts, name);
    if (knownCount === undefined) resize(group, 1);
    if (count.count === 0) {
      group.touched.push(count);
      pending += 1;
    }
    count.count += number;
    return count;
  }

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

  function flush(group: Group, deltas: RollupDelta[]): void {
    const { account_id, environment, agent_id } = group;
    const { minute: start } = rollupStarts(group.minute);
    const push = (kind: RollupKind, key: string, number: number): void => {
      if (number === 0) return;
      deltas.push({ account_id, environment, minute: start, agent_id, kind, key, count: number });
    };
    let allowedCount = 0;
    let deniedCount = 0;
    // New names are rare.
    if (!group.touched.every(isAdmitted)) admitNewcomers(group);
    for (const count of group.touched) {
      if (count.isAdmitted) {
        push(count.kind, count.key, count.count);
        if (count.kind === 'action') {
          allowedCount += count.allowed;
          deniedCount += count.count - count.allowed;
        }
      }
      count.count = 0;
      count.allowed = 0;
    }
    push('verdict', 'ALLOW', allowedCount);
    push('verdict', 'DENY', deniedCount);
    group.touched = [];
  }

  return {
    pending: () => pending,
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

/** The maximum number of counts in one generation, about 100 bytes each. There are two generations. */
const MAX_COUNTS = 45_000;
const MAX_GROUPS = 4_500;

/** Groups in two generations. A group is discarded if it is not used while the younger generation fills up. */
interface GroupMemory {
  size(): { readonly groups: number; readonly counts: number };
  isFull(): boolean;
  age(): void;
  clear(): void;
  seriesOf(series: Omit<Series, 'groups'>): Series;
  groupOf(series: Series, agent_id: string): Group;
  resize(group: Group, delta: number): void;
}

export function createGroupMemory(): GroupMemory {
  let recent: Generation = newGeneration();
  let earlier: Generation = newGeneration();

  function seriesOf({ account_id, environment }: Omit<Series, 'groups'>): Series {
    const name = `${environment} ${account_id}`;
    const knownSeries = recent.all.get(name);
    if (knownSeries !== undefined) return knownSeries;
    const series = { account_id, environment, groups: new Map() };
    recent.all.set(name, series);
    return series;
  }

  function groupOf(series: Series, agent_id: string): Group {
    return series.groups.get(agent_id) ?? adoptGroup(series, agent_id);
  }

  function adoptGroup(series: Series, agent_id: string): Group {
    const groupsBefore = earlier.all.get(`${series.environment} ${series.account_id}`)?.groups;
    const group = groupsBefore?.get(agent_id) ?? newGroup(series, agent_id);
    if (groupsBefore?.delete(agent_id)) {
      earlier.groups -= 1;
      earlier.counts -= group.size;
    }
    series.groups.set(agent_id, group);
    recent.groups += 1;
    recent.counts += group.size;
    return group;
  }

  return {
    size: () => ({ groups: recent.groups + earlier.groups, counts: recent.counts + earlier.counts }),
    isFull: () => recent.counts > MAX_COUNTS || recent.groups > MAX_GROUPS,
    age() {
      earlier = recent;
      recent = newGeneration();
    },
    clear() {
      recent = newGeneration();
      earlier = newGeneration();
    },
    seriesOf,
    groupOf,
    resize(group, delta) {
      group.size += delta;
      recent.counts += delta;
    },
  };
}

// Defines the counters of a process, which stay in memory between merges.

/** The key for all names without their own count. No agent, action or code has an empty name. */
export const OTHER = '';

interface Count {
  readonly kind: NamedKind;
  /** The name, or the number of a latency bucket. `key` is the same value as a text. */
  readonly name: string | number;
  readonly key: string;
  /** The count since the last flush. */
  count: number;
  allowed: number;
  /** True if the rollups count this name separately. */
  isAdmitted: boolean;
}

/** The counts of one kind by name. Most agents have one name of each kind, and then need no Map. */
interface Counts {
  readonly kind: NamedKind;
  first: Count | undefined;
  others: Map<string | number, Count> | undefined;
  /** The number of admitted names. */
  places: number;
}

/** The kinds that have counts by name. Counts of verdicts are sums of counts of actions. */
type NamedKind = Exclude<RollupKind, 'dropped' | 'verdict' | 'outcome'>;

const BOUNDED_KINDS: readonly NamedKind[] = ['action', 'agent', 'reason'];

export interface Group extends Readonly<Record<NamedKind, Counts>> {
  readonly account_id: string;
  readonly environment: Environment;
  /** The agent; `''` for all agents together. */
  readonly agent_id: string;
  /** The minute that is counted: a common prefix of its instants, such as `2026-11-20T12:00`. */
  minute: string;
  touched: Count[];
  size: number;
}

export interface Series {
  readonly account_id: string;
  readonly environment: Environment;
  readonly groups: Map<string, Group>;
}

interface Generation {
  readonly all: Map<string, Series>;
  groups: number;
  counts: number;
}

function newGeneration(): Generation {
  return { all: new Map(), groups: 0, counts: 0 };
}

function newGroup({ account_id, environment }: Series, agent_id: string): Group {
  return {
    account_id,
    environment,
    agent_id,
    minute: '',
    touched: [],
    size: 0,
    action: noCounts('action'),
    latency: noCounts('latency'),
    reason: noCounts('reason'),
    agent: noCounts('agent'),
  };
}

function noCounts(kind: NamedKind): Counts {
  return { kind, first: undefined, others: undefined, places: 0 };
}

function newCount(counts: Counts, name: string | number): Count {
  const { kind } = counts;
  const needsPlace = BOUNDED_KINDS.includes(kind) && name !== OTHER;
  const count: Count = { kind, name, key: `${name}`, count: 0, allowed: 0, isAdmitted: !needsPlace };
  if (counts.first === undefined) counts.first = count;
  else counts.others = (counts.others ?? new Map()).set(name, count);
  return count;
}
