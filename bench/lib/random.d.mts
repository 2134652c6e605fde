/** Numbers from 0 to 1 that follow from the seed (mulberry32), so that a run can be repeated in its choices. */
export declare function createRandom(seed: number): () => number;
