/** What `results.mjs` gives, as far as its tests use it. */

/** A figure with its bound. */
export interface Target {
  readonly name: string;
  readonly value: number | null;
  readonly unit: string;
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Why the run cannot tell. */
  readonly untold?: string;
  /** `null`: the run cannot tell. */
  readonly isMet: boolean | null;
}

/** What was found of one part; what else it holds is kept as it is. */
export interface PartResults {
  readonly date: string;
  readonly doubts: readonly string[];
  readonly targets: readonly Target[];
  readonly machine?: object;
  readonly tables?: readonly object[];
}

/** By the name of the part. */
export type Found = Readonly<Record<string, PartResults>>;

/** By the version of Node, such as `node 20`. */
export type Results = Readonly<Record<string, Found>>;

export declare function mergeResults(kept: Results, found: Found, nodeVersion: string): Results;
export declare function nodeNames(results: Results): string[];
/** `isShown` is that of the published rows by default. */
export declare function targetsText(
  results: Results,
  isShown?: (part: string, name: string) => boolean,
): string;
export declare function withTargets(markdown: string, results: Results): string;
