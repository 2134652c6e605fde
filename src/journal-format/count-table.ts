/** Counts pairs of whole numbers in a hash table of typed arrays. A Map would take three times as long. */

export interface CountTable {
  size(): number;
  /** Adds 1 to the count of a pair. Both numbers are from 0 to 2^31 - 1. */
  add(first: number, second: number): void;
  forEach(see: (first: number, second: number, count: number) => void): void;
}

const FIRST_CAPACITY = 16;

export function createCountTable(): CountTable {
  let capacity = FIRST_CAPACITY;
  let firsts = new Int32Array(capacity);
  let seconds = new Int32Array(capacity);
  let counts = new Float64Array(capacity);
  let size = 0;

  function placeOf(first: number, second: number): number {
    const mixedHash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
    let place = (mixedHash ^ (mixedHash >>> 15)) & (capacity - 1);
    while (counts[place] !== 0 && (firsts[place] !== first || seconds[place] !== second)) {
      place = (place + 1) & (capacity - 1);
    }
    return place;
  }

  function put(first: number, second: number, count: number): void {
    const place = placeOf(first, second);
    if (counts[place] === 0) size += 1;
    firsts[place] = first;
    seconds[place] = second;
    counts[place] = (counts[place] as number) + count;
  }

  function grow(): void {
    const previous = { firsts, seconds, counts };
    capacity *= 2;
    firsts = new Int32Array(capacity);
    seconds = new Int32Array(capacity);
    counts = new Float64Array(capacity);
    size = 0;
    for (let place = 0; place < previous.counts.length; place += 1) {
      const count = previous.counts[place] as number;
      if (count > 0) put(previous.firsts[place] as number, previous.seconds[place] as number, count);
    }
  }

  return {
    size: () => size,
    add(first, second) {
      if (size * 2 >= capacity) grow();
      put(first, second, 1);
    },
    forEach(see) {
      for (let place = 0; place < capacity; place += 1) {
        const count = counts[place] as number;
        if (count > 0) see(firsts[place] as number, seconds[place] as number, count);
      }
    },
  };
}
