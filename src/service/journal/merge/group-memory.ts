/** The groups that a process counts in, kept from merge to merge, in bounded memory. */
import { type Generation, type Group, newGeneration, newGroup, type Series } from './rollup-groups.ts';

/** The number of counts, about 100 bytes each, and of groups in one generation; there are two generations. */
const MAX_COUNTS = 45_000;
const MAX_GROUPS = 4_500;

/** Groups in two generations: a group that is not used while the younger generation fills up is discarded. */
export interface GroupMemory {
  /** Returns the number of groups and counts in memory. */
  size(): { readonly groups: number; readonly counts: number };
  /** Returns `true` if the younger generation is full. */
  isFull(): boolean;
  /** Starts a new younger generation, and discards the older one. */
  age(): void;
  /** Discards both generations. */
  clear(): void;
  seriesOf(of: Omit<Series, 'groups'>): Series;
  /** Returns the group of an agent, from either generation, or a new one. */
  groupOf(series: Series, agent_id: string): Group;
  /** Adds to the number of counts of a group. */
  resize(group: Group, by: number): void;
}

/** Creates a memory without groups. */
export function createGroupMemory(): GroupMemory {
  let recent: Generation = newGeneration();
  let earlier: Generation = newGeneration();

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

  /** Moves the group from the older generation to the younger one, or creates it. */
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
    resize(group, by) {
      group.size += by;
      recent.counts += by;
    },
  };
}
