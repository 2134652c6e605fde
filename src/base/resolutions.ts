import type { Instant } from '../records.ts';

/** How long each resolution is, in milliseconds. */
export const RESOLUTION_MS: Readonly<Record<Resolution, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** The starts of the day, the hour and the minute in which a delta of that minute counts, in UTC: any instant stands for its minute. */
export function rollupStarts(minute: Instant): Readonly<Record<Resolution, Instant>> {
  return {
    day: `${minute.slice(0, 10)}T00:00:00.000Z`,
    hour: `${minute.slice(0, 13)}:00:00.000Z`,
    minute: `${minute.slice(0, 16)}:00.000Z`,
  };
}

/** How long a time a rollup covers; it starts at a multiple of that in UTC. */
export type Resolution = 'minute' | 'hour' | 'day';
