/**
 * Returns a generator of numbers from 0 to 1. The seed determines the numbers (mulberry32), so that a run can be
 * repeated.
 */
export declare function createRandom(seed: number): () => number;
