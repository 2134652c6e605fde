/** The exports of `sizing-page.mjs`, as far as its tests use them. */
import type { Results } from './results.mjs';
import type { Load } from './sizing.mjs';

export declare const LOADS: readonly Load[];
export declare function sizingPage(results: Results): string;
