/** The groups that a process counts in, kept from batch to batch: no more of them than fit. */
import { type Generation, type Group, newGeneration, newGroup, type Series } from './rollup-groups.ts';

/** How many counts, about 100 bytes each, and agents are remembered at least, and about twice as many at most. */
const MAX_COUNTS = 45_000;
const MAX_GROUPS = 4_500;

/** Groups in two generations: what is not used while the younger one fills up is forgotten. */
export interface GroupMemory {
  /** How much is remembered. */
  size(): { readonly groups: number; readonly counts: number };
  /** Whether the younger generation is full. */
  isFull(): boolean;
  /** Begins a younger generation, and forgets the earlier one. */
  age(): void;
  /** Forgets both. */
  clear(): void;
  seriesOf(of: Omit<Series, 'groups'>): Series;
  /** The group of an agent, from either generation, or a new one. */
  groupOf(series: Series, agent_id: string): Group;
  /** Adds to the number of counts of a group. */
  resize(group: Group, by: number): void;
}

/** A memory without groups. */
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
