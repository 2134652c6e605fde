/** What `targets.mjs` gives, as far as its tests use it. */
import type { Results } from './results.mjs';

export declare function targetsText(results: Results): string;
export declare function withTargets(markdown: string, results: Results): string;
