/** A Bloom filter of the names in a block. If the filter does not contain a name, the block does not. */

/** The kind of a name. The hash includes the kind, because an agent may have the same name as a reason. */
export type FilterKind = 'agent' | 'reason' | 'subject' | 'outcome';

const BITS_A_NAME = 10;
const HASHES = 4;
const MIN_BYTES = 32;
const MAX_BYTES = 4_096;
const SEEDS: Readonly<Record<FilterKind, number>> = {
  agent: 0x811c9dc5,
  reason: 0x2f0b4a1d,
  subject: 0x6a09e667,
  outcome: 0x5bd1e995,
};

/** Returns the four hashes of a name, 32 bits each. They select the bits that the name sets in a filter. */
export function filterHashes(kind: FilterKind, name: string): readonly number[] {
  const first = hash(name, SEEDS[kind]);
  // Odd, so that the four differ in every filter.
  const step = hash(name, ~SEEDS[kind]) | 1;
  return Array.from({ length: HASHES }, (_, index) => (first + Math.imul(index, step)) >>> 0);
}

/** Creates a filter with these names, in the size that they need. */
export function buildFilter(names: readonly (readonly number[])[]): Uint8Array {
  const neededCount = (names.length * BITS_A_NAME) / 8;
  let length = MIN_BYTES;
  while (length < neededCount && length < MAX_BYTES) length *= 2;
  const filter = new Uint8Array(length);
  for (const hashes of names) {
    for (const bit of hashes) {
      const place = bit % (length * 8);
      filter[place >>> 3] = (filter[place >>> 3] as number) | (1 << (place & 7));
    }
  }
  return filter;
}

/**
 * Hashes with FNV-1a over UTF-16 units and then mixes the bits, because the low bits of FNV-1a are unevenly
 * distributed.
 */
function hash(text: string, seed: number): number {
  let mixedSeed = seed;
  for (let index = 0; index < text.length; index += 1)
    mixedSeed = Math.imul(mixedSeed ^ text.charCodeAt(index), 0x01000193);
  mixedSeed = Math.imul(mixedSeed ^ (mixedSeed >>> 16), 0x85ebca6b);
  mixedSeed = Math.imul(mixedSeed ^ (mixedSeed >>> 13), 0xc2b2ae35);
  return mixedSeed ^ (mixedSeed >>> 16);
}
