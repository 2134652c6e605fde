import type { PartResults } from './results.mjs';

/** Draws the results as a picture, as described in `chart.mjs`. */
export declare function chartOf(
  results: Readonly<Record<string, Readonly<Record<string, PartResults>>>>,
): string;
