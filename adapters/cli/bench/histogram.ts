const WIDTH = 720;
const HEIGHT = 260;
const LEFT = 66;
const RIGHT = 28;
const TOP = 62;
const BOTTOM = 26;
/**
 * The number of rows for the names of the marks. Names alternate between the rows, so that close names do not overlap.
 */
const MARK_LINES = 4;
const MARK_LINE = 13;

/** Draws the latencies as SVG with logarithmic axes. Each mark, in microseconds, is a dashed line. */
export function drawHistogram(
  buckets: readonly LatencyBucket[],
  marks: Readonly<Record<string, number>>,
): string {
  const first = buckets[0];
  const last = buckets.at(-1);
  if (first === undefined || last === undefined) return '<p>There was no answer.</p>';
  const [low, high] = [10 ** Math.floor(Math.log10(first.from_us)), 10 ** Math.ceil(Math.log10(last.to_us))];
  const limit = 10 ** Math.max(1, Math.ceil(Math.log10(Math.max(...buckets.map(({ count }) => count)))));
  const x = (us: number): number =>
    LEFT + ((WIDTH - LEFT - RIGHT) * Math.log10(us / low)) / Math.log10(high / low);
  // A bucket of one has a bar, too.
  const y = (count: number): number =>
    HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * (Math.log10(count) + 0.3)) / (Math.log10(limit) + 0.3);
  const floor = HEIGHT - BOTTOM;
  const bars = buckets.map(({ from_us, to_us, count }) => {
    const [at, top] = [x(from_us), y(count)];
    const title = `${from_us} to ${to_us} µs: ${count.toLocaleString('en')}`;
    return `<rect class="bar" x="${fixed(at)}" y="${fixed(top)}" width="${fixed(x(to_us) - at - 0.5)}" height="${fixed(floor - top)}"><title>${title}</title></rect>`;
  });
  return [
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="How many verdicts took how long; the percentiles are in the table">`,
    ...decades(1, limit).map((count) => horizontal(y(count), count.toLocaleString('en'))),
    ...decades(low, high).map((us) => vertical(x(us), floor, label(us))),
    ...bars,
    ...Object.entries(marks).map(([name, us], index) => mark(x(us), name, index)),
    '</svg>',
  ].join('\n');
}

function decades(start: number, end: number): readonly number[] {
  const count = Math.round(Math.log10(end / start));
  return Array.from({ length: count + 1 }, (_, index) => Number((start * 10 ** index).toPrecision(3)));
}

function horizontal(y: number, text: string): string {
  return `<line class="line" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${fixed(y)}" y2="${fixed(y)}"/><text x="${LEFT - 6}" y="${fixed(y + 4)}" text-anchor="end">${text}</text>`;
}

function vertical(x: number, floor: number, text: string): string {
  return `<line class="line" x1="${fixed(x)}" x2="${fixed(x)}" y1="${TOP}" y2="${floor}"/><text x="${fixed(x)}" y="${floor + 16}" text-anchor="middle">${text}</text>`;
}

function mark(x: number, name: string, index: number): string {
  const top = 10 + (index % MARK_LINES) * MARK_LINE;
  return `<line class="mark" x1="${fixed(x)}" x2="${fixed(x)}" y1="${top + 3}" y2="${HEIGHT - BOTTOM}"/><text class="name" x="${fixed(x)}" y="${top}" text-anchor="middle">${name}</text>`;
}

function label(us: number): string {
  if (us < 1) return `${us * 1_000} ns`;
  if (us < 1_000) return `${us} µs`;
  return us < 1e6 ? `${us / 1e3} ms` : `${us / 1e6} s`;
}

function fixed(number: number): string {
  return number.toFixed(1);
}

/** The number of latencies from `from_us` up to `to_us`, exclusive. */
export interface LatencyBucket {
  readonly from_us: number;
  readonly to_us: number;
  readonly count: number;
}

interface Buckets {
  record(ns: number): void;
  list(): readonly LatencyBucket[];
}

const PER_DECADE = 20;

export function createBuckets(): Buckets {
  const counts = new Map<number, number>();
  return {
    record(ns) {
      const index = Math.floor(Math.log10(ns) * PER_DECADE);
      counts.set(index, (counts.get(index) ?? 0) + 1);
    },
    list() {
      const sortedCounts = [...counts].sort(([a], [b]) => a - b);
      return sortedCounts.map(([index, count]) => ({
        from_us: edgeUs(index),
        to_us: edgeUs(index + 1),
        count,
      }));
    },
  };
}

function edgeUs(index: number): number {
  return Number((10 ** (index / PER_DECADE) / 1_000).toPrecision(4));
}
