/** Computes the time buckets of rollups and analytics: minutes, hours and days in UTC. */
import type { Instant } from '../../records.ts';

/** The length of a time bucket. A bucket starts at a multiple of its length in UTC. */
export type Resolution = 'minute' | 'hour' | 'day';

/** The length of each resolution in milliseconds. */
export const RESOLUTION_MS: Readonly<Record<Resolution, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/**
 * Returns the start of the day, the hour and the minute in UTC that contain `minute`. An instant in this minute counts
 * in these three rollups.
 */
export function rollupStarts(minute: Instant): Readonly<Record<Resolution, Instant>> {
  return {
    day: `${minute.slice(0, 10)}T00:00:00.000Z`,
    hour: `${minute.slice(0, 13)}:00:00.000Z`,
    minute: `${minute.slice(0, 16)}:00.000Z`,
  };
}

const RESOLUTIONS: readonly Resolution[] = ['day', 'hour', 'minute'];

/** Returns the start of the minute, hour or day that contains `epochMs`. */
export function floorTo(resolution: Resolution, epochMs: number): number {
  const length = RESOLUTION_MS[resolution];
  return Math.floor(epochMs / length) * length;
}

/** A span of time `[from, to)` in epoch milliseconds that the rollups of one resolution cover exactly. */
export interface Stretch {
  readonly resolution: Resolution;
  readonly from: number;
  readonly to: number;
}

/**
 * Divides `[from, to)` into the fewest possible spans, at most five, with no resolution coarser than `coarsest`. The
 * range must start and end on whole minutes. Whole days are in the middle, whole hours around them, and minutes at the
 * edges.
 */
export function stretches(start: number, end: number, coarsest: Resolution): readonly Stretch[] {
  return cut(start, end, RESOLUTIONS.slice(RESOLUTIONS.indexOf(coarsest)));
}

function cut(start: number, end: number, [resolution, ...finer]: readonly Resolution[]): readonly Stretch[] {
  if (start >= end || resolution === undefined) return [];
  const length = RESOLUTION_MS[resolution];
  const first = Math.ceil(start / length) * length;
  const last = Math.floor(end / length) * length;
  if (first >= last) return cut(start, end, finer);
  return [...cut(start, first, finer), { resolution, from: first, to: last }, ...cut(last, end, finer)];
}

export const VERIFIER_NAME = '[a-z0-9][a-z0-9._-]{0,62}';

/** The age in milliseconds from which the service refuses a record that another process sends. */
export const OLDEST_SENT_MS: number = 24 * RESOLUTION_MS.hour;

const NAME = new RegExp(`^${VERIFIER_NAME}$`);

export function isVerifierName(text: string): boolean {
  return NAME.test(text);
}
