/** Counts by name, of which there are few: whatever names are made up, the memory and the text stay small. */

/** The name of all that found no place. */
export const OTHER_NAMES = 'other';

/** Counts names. */
export interface NameCounts {
  add(name: string): void;
  /** Those that were counted. */
  read(): readonly (readonly [name: string, count: number])[];
}

/** At most `limit` names have a count of their own, those of `known` always. */
export function createNameCounts(limit: number, known: readonly string[] = []): NameCounts {
  const places = new Map(known.map((name, place) => [name, place]));
  const counts = new Float64Array(limit + 1);

  function learn(name: string): number {
    if (places.size >= limit || name === OTHER_NAMES) return limit;
    const place = places.size;
    places.set(name, place);
    return place;
  }

  return {
    add(name) {
      const place = places.get(name) ?? learn(name);
      counts[place] = (counts[place] as number) + 1;
    },
    read() {
      const all = [...places, [OTHER_NAMES, limit] as const];
      return all
        .map(([name, place]) => [name, counts[place] as number] as const)
        .filter(([, count]) => count > 0);
    },
  };
}
