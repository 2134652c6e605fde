/** The exports of `results.mjs`, as far as its tests use them. */

/** A figure with its bound. */
export interface Target {
  readonly name: string;
  readonly value: number | null;
  readonly unit: string;
  readonly atMost?: number;
  readonly atLeast?: number;
  /** The reason why the run cannot decide. */
  readonly untold?: string;
  /** `null` if the run cannot decide. */
  readonly isMet: boolean | null;
}

/** The results of one part. Unknown fields are kept unchanged. */
export interface PartResults {
  readonly date: string;
  readonly doubts: readonly string[];
  readonly targets: readonly Target[];
  readonly machine?: object;
  readonly tables?: readonly object[];
}

/** The results by the name of the part. */
export type Found = Readonly<Record<string, PartResults>>;

/** The results by the version of Node, such as `node 20`. */
export type Results = Readonly<Record<string, Found>>;

export declare function mergeResults(kept: Results, found: Found, nodeVersion: string): Results;
export declare function nodeNames(results: Results): string[];
/** Returns the targets as a Markdown table. By default, `isShown` selects the published rows. */
export declare function targetsText(
  results: Results,
  isShown?: (part: string, name: string) => boolean,
): string;
export declare function withTargets(markdown: string, results: Results): string;
