/** A period to show, with the length of its bars. */
export interface Range {
  readonly name: string;
  readonly text: string;
  readonly interval: 'minute' | 'hour' | 'day';
  readonly points: number;
}

const MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** The ranges to choose from; the second one is the default. */
export const RANGES: readonly [Range, Range, ...Range[]] = [
  { name: '1h', text: 'Last hour', interval: 'minute', points: 60 },
  { name: '24h', text: 'Last 24 hours', interval: 'hour', points: 24 },
  { name: '7d', text: 'Last 7 days', interval: 'hour', points: 168 },
  { name: '30d', text: 'Last 30 days', interval: 'day', points: 30 },
  { name: '90d', text: 'Last 90 days', interval: 'day', points: 90 },
];

/** Returns the range of this name; the last 24 hours for an unknown one. */
export function rangeNamed(name: string | null): Range {
  return RANGES.find((range) => range.name === name) ?? RANGES[1];
}

/**
 * Returns the start of the first bar, chosen so that the last bar contains the present. Bars are whole intervals in
 * UTC.
 */
export function startOf({ interval, points }: Range, now: number = Date.now()): string {
  const length = MS[interval];
  return new Date((Math.floor(now / length) - points + 1) * length).toISOString();
}
