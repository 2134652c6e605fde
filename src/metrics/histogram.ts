/** Histograms, as Prometheus counts them. */

/** The upper bounds of the buckets of durations in seconds; a longer duration is in none of them. */
const SECONDS: readonly number[] = [
  ...[1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4],
  ...[1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2, 5e-2, 0.1, 0.25, 0.5, 1],
];

/** Counts values, such as durations in seconds. */
export interface Histogram {
  /** The upper bounds of the buckets; a value above them is in none. */
  readonly bounds: readonly number[];
  observe(value: number): void;
  /** Returns the number of values up to each of the bounds, in their order; then the number and the sum of all. */
  read(): { readonly upTo: readonly number[]; readonly count: number; readonly sum: number };
}

/** Makes an empty histogram, of durations in seconds where no bounds are given. */
export function createHistogram(bounds: readonly number[] = SECONDS): Histogram {
  const counts = new Float64Array(bounds.length + 1);
  // An array of one element: a variable of the closure would allocate a number with every value.
  const sum = new Float64Array(1);
  return {
    bounds,
    observe(value) {
      let bucket = 0;
      while (bucket < bounds.length && !(value <= (bounds[bucket] as number))) bucket += 1;
      counts[bucket] = (counts[bucket] as number) + 1;
      if (value >= 0) sum[0] = (sum[0] as number) + value;
    },
    read() {
      let count = 0;
      const upTo = bounds.map((_, bucket) => {
        count += counts[bucket] as number;
        return count;
      });
      return { upTo, count: count + (counts[bounds.length] as number), sum: sum[0] as number };
    },
  };
}
