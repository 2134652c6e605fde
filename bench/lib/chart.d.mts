import type { PartResults } from './results.mjs';

/** The results as a picture; see `chart.mjs`. */
export declare function chartOf(
  results: Readonly<Record<string, Readonly<Record<string, PartResults>>>>,
): string;
