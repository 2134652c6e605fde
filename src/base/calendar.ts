/** Minutes, hours and days in UTC: the grid that rollups and analytics share. */
import type { Resolution } from './resolutions.ts';
import { RESOLUTION_MS } from './resolutions.ts';

/** From the coarsest to the finest. */
const RESOLUTIONS: readonly Resolution[] = ['day', 'hour', 'minute'];

/** The start of the minute, hour or day that holds `epochMs`. */
export function floorTo(resolution: Resolution, epochMs: number): number {
  const length = RESOLUTION_MS[resolution];
  return Math.floor(epochMs / length) * length;
}

/** A stretch of time that the rollups of one resolution cover exactly: `[from, to)` in epoch milliseconds. */
export interface Stretch {
  readonly resolution: Resolution;
  readonly from: number;
  readonly to: number;
}

/**
 * `[from, to)`, which begins and ends on whole minutes, cut into as few stretches as there are, none coarser than
 * `coarsest`: whole days in the middle, whole hours around them, minutes at the edges. At most five.
 */
export function stretches(from: number, to: number, coarsest: Resolution): readonly Stretch[] {
  return cut(from, to, RESOLUTIONS.slice(RESOLUTIONS.indexOf(coarsest)));
}

function cut(from: number, to: number, [resolution, ...finer]: readonly Resolution[]): readonly Stretch[] {
  if (from >= to || resolution === undefined) return [];
  const length = RESOLUTION_MS[resolution];
  const first = Math.ceil(from / length) * length;
  const last = Math.floor(to / length) * length;
  if (first >= last) return cut(from, to, finer);
  return [...cut(from, first, finer), { resolution, from: first, to: last }, ...cut(last, to, finer)];
}
