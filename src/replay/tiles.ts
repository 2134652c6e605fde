/**
 * The intervals (used - by, used] of the records that took from a counter. While nothing goes back they tile it. A record
 * stands alone when its interval overlaps no other one: then the intervals give its place in the order of the store.
 * Records below it came before. A counter gets above an amount only by records whose intervals hold that amount. So
 * none that begins above came before, and one that ends below and came after overlaps another.
 */
import { createSpans, type Spans } from './spans.ts';

/** The intervals of a counter of which every record is read. */
export interface Tiles {
  /** Adds the interval of a record. */
  add(from: number, to: number): void;
  /** Says whether an interval that was added overlaps no other one. */
  isAlone(from: number, to: number): boolean;
  /** Returns what was taken after an interval that stands alone, or less. */
  readonly above: Spans['above'];
}

/** Makes an empty set of intervals. */
export function createTiles(): Tiles {
  const taken = createSpans();
  const twice = createSpans();
  return {
    add(from, to) {
      for (const piece of taken.common(from, to)) twice.add(...piece);
      taken.add(from, to);
    },
    isAlone: (from, to) => !twice.meets(from, to),
    above: taken.above,
  };
}
