/** Counts a limited number of names, so that memory and text stay small even if callers invent names. */

export const OTHER_NAMES = 'other';

export interface NameCounts {
  add(name: string): void;
  read(): readonly (readonly [name: string, count: number])[];
}

export function createNameCounts(limit: number, knownNames: readonly string[] = []): NameCounts {
  const places = new Map(knownNames.map((name, place) => [name, place]));
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
      const entries = [...places, [OTHER_NAMES, limit] as const];
      return entries
        .map(([name, place]) => [name, counts[place] as number] as const)
        .filter(([, count]) => count > 0);
    },
  };
}
