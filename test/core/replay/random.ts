/** Random choices that a seed makes again. */
export interface Random {
  /** A number from 0 up to 1, excluded. */
  next(): number;
  below(limit: number): number;
  pick<One>(of: readonly One[]): One;
  chance(probability: number): boolean;
}

/** The choices of a seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (of) => of[below(of.length)] as (typeof of)[number],
    chance: (probability) => next() < probability,
  };
}
