/** How long the id of a batch is known. */
const LIFETIME_MS = 3_600_000;

/**
 * But no longer than until so many others came after it: a million verdicts a second are 14 million ids an hour.
 * A service that appends a batch again has appended no other in between.
 */
const MOST_BATCHES = 10_000;

/** The ids of the latest batches, about twice as many as are promised at most. */
export interface Batches {
  isKnown(id: string, at: string): boolean;
  add(id: string, at: string): void;
  clear(): void;
}

/** Knows no batch. */
export function createBatches(): Batches {
  /** By id the end of its time, in milliseconds. */
  let recent = new Map<string, number>();
  let earlier = new Map<string, number>();
  return {
    isKnown: (id, at) => (recent.get(id) ?? earlier.get(id) ?? 0) > Date.parse(at),
    add(id, at) {
      if (recent.size === MOST_BATCHES) {
        earlier = recent;
        recent = new Map();
      }
      recent.set(id, Date.parse(at) + LIFETIME_MS);
    },
    clear() {
      recent.clear();
      earlier.clear();
    },
  };
}
