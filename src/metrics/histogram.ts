/** Histograms of durations, as Prometheus counts them. */

/** The upper bounds of the buckets in seconds; a longer duration is in none of them. */
export const BOUNDS: readonly number[] = [
  ...[1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4],
  ...[1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2, 5e-2, 0.1, 0.25, 0.5, 1],
];

/** Counts durations. */
export interface Histogram {
  observe(seconds: number): void;
  /**
   * Returns the number of durations up to each of the bounds, in their order; then the number and the sum of all in
   * seconds.
   */
  read(): { readonly upTo: readonly number[]; readonly count: number; readonly sum: number };
}

/** Makes an empty histogram. */
export function createHistogram(): Histogram {
  const counts = new Float64Array(BOUNDS.length + 1);
  // An array of one element: a variable of the closure would allocate a number with every duration.
  const sum = new Float64Array(1);
  return {
    observe(seconds) {
      let bucket = 0;
      while (bucket < BOUNDS.length && !(seconds <= (BOUNDS[bucket] as number))) bucket += 1;
      counts[bucket] = (counts[bucket] as number) + 1;
      if (seconds >= 0) sum[0] = (sum[0] as number) + seconds;
    },
    read() {
      let count = 0;
      const upTo = BOUNDS.map((_, bucket) => {
        count += counts[bucket] as number;
        return count;
      });
      return { upTo, count: count + (counts[BOUNDS.length] as number), sum: sum[0] as number };
    },
  };
}
