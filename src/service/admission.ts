/** Which names one process lets into the rollups, so that there is a bound on how many they can hold. */
import type { RollupKind } from '../ports.ts';

/** The kinds whose names anybody can make more of. */
export type BoundedKind = Extract<RollupKind, 'action' | 'agent' | 'reason'>;

/** The names that were let in. No more of them are remembered than fit. */
export interface Admission {
  /** Whether `name` has a place among those, or gets one because they are fewer than `most`. */
  admits(places: Places, name: string, most: number): boolean;
  /** The names let in of an agent, kind and day, now the latest used; `series` names the rest of the coordinates. */
  placesOf(series: string, agent_id: string): Places;
  /** How much is remembered. */
  size(): { readonly groups: number; readonly names: number };
}

/** The names let in under the same coordinates. */
export interface Places {
  readonly series: string;
  readonly agent_id: string;
  readonly names: Set<string>;
}

/** How many names are let in under the same coordinates at most. */
export const MOST_NAMES = 100;
/** How many agents and days are remembered, and how many names in all; a forgotten one starts to let names in again. */
const MOST_GROUPS = 10_000;
const MOST_ADMITTED = 100_000;

/** An admission that has let no name in. */
export function createAdmission(): Admission {
  /** By series, then by agent: to join the two to one name would cost more than the rest. */
  const known = new Map<string, Map<string, Places>>();
  /** All of them, the longest unused first. */
  const byUse = new Set<Places>();
  let remembered = 0;

  function create(series: string, agent_id: string): Places {
    const places = { series, agent_id, names: new Set<string>() };
    const agents = known.get(series) ?? new Map<string, Places>();
    known.set(series, agents.set(agent_id, places));
    return places;
  }

  function forget(places: Places): void {
    byUse.delete(places);
    remembered -= places.names.size;
    const agents = known.get(places.series);
    agents?.delete(places.agent_id);
    if (agents?.size === 0) known.delete(places.series);
  }

  return {
    size: () => ({ groups: byUse.size, names: remembered }),
    placesOf(series, agent_id) {
      const places = known.get(series)?.get(agent_id) ?? create(series, agent_id);
      byUse.delete(places);
      byUse.add(places);
      for (const oldest of byUse) {
        const fits = byUse.size <= MOST_GROUPS && remembered <= MOST_ADMITTED - MOST_NAMES;
        if (fits || oldest === places) break;
        forget(oldest);
      }
      return places;
    },
    admits({ names }, name, most) {
      if (names.has(name)) return true;
      if (names.size >= most) return false;
      names.add(name);
      remembered += 1;
      return true;
    },
  };
}
