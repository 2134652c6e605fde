import { createRandom } from '../../support/random.ts';

/** Draws from lists and ranges, all from one seed. */
export interface Draw {
  readonly chance: (share: number) => boolean;
  /** A whole number from 0 up to and without this one. */
  readonly below: (end: number) => number;
  readonly one: <Value>(from: readonly Value[]) => Value;
  /** At least one of them, each at most once. */
  readonly some: <Value>(from: readonly Value[], most: number) => Value[];
}

export function createDraw(seed: number): Draw {
  const random = createRandom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  const one = <Value>(from: readonly Value[]): Value => from[below(from.length)] as Value;
  return {
    chance: (share) => random() < share,
    below,
    one,
    some: (from, most) => [...new Set(Array.from({ length: 1 + below(most) }, () => one(from)))],
  };
}
