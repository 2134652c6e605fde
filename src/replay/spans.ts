/** A set of intervals of a counter, each from one amount to another, in units. */
export interface Spans {
  add(start: number, end: number): void;
  /** Returns the pieces of an interval that were added before. */
  common(start: number, end: number): readonly (readonly [from: number, to: number])[];
  /** Returns `true` if a part of the interval may have been added. */
  meets(start: number, end: number): boolean;
  above(amount: number): number;
  below(amount: number): number;
}

/** The maximum number of separate intervals. If there are more, the lower half is replaced by its sum. */
const MAX_SPANS = 256;

export function createSpans(): Spans {
  /** The starts of the intervals, sorted. The intervals do not touch each other. */
  let starts: number[] = [];
  let ends: number[] = [];
  let total = 0;
  /** The amount below which only the sum is known. */
  let joinedCount = 0;

  function placeOf(amount: number): number {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] as number) < amount) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function common(start: number, end: number): readonly (readonly [number, number])[] {
    const pieces: (readonly [number, number])[] =
      start < joinedCount ? [[start, Math.min(end, joinedCount)]] : [];
    for (let place = placeOf(start); place < ends.length && (starts[place] as number) < end; place += 1) {
      const piece = [Math.max(start, starts[place] as number), Math.min(end, ends[place] as number)] as const;
      if (piece[0] < piece[1]) pieces.push(piece);
    }
    return pieces;
  }

  function above(amount: number): number {
    let sum = 0;
    for (let place = ends.length - 1; place >= 0 && (ends[place] as number) > amount; place -= 1)
      sum += (ends[place] as number) - Math.max(amount, starts[place] as number);
    return sum;
  }

  function join(): void {
    const half = MAX_SPANS / 2;
    joinedCount = ends[half - 1] as number;
    starts = starts.slice(half);
    ends = ends.slice(half);
  }

  return {
    add(begin, end) {
      const start = Math.max(begin, joinedCount);
      if (end <= start) return;
      const place = placeOf(start);
      let next = place;
      let [low, high, knownCount] = [start, end, 0];
      for (; next < ends.length && (starts[next] as number) <= end; next += 1) {
        low = Math.min(low, starts[next] as number);
        high = Math.max(high, ends[next] as number);
        knownCount += (ends[next] as number) - (starts[next] as number);
      }
      total += high - low - knownCount;
      starts.splice(place, next - place, low);
      ends.splice(place, next - place, high);
      if (ends.length > MAX_SPANS) join();
    },
    common,
    meets: (start, end) => common(start, end).length > 0,
    above,
    below: (amount) => (amount < joinedCount ? 0 : total - above(amount)),
  };
}
