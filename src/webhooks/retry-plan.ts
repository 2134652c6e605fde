/** The times of retries: the table of Standard Webhooks, and the wish of the endpoint. */
import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import type { RandomSource } from '../ports/storage.ts';

/** The seconds from each attempt to the next. */
const DELAYS_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;

/** The most attempts of one delivery. */
export const MAX_ATTEMPTS: number = DELAYS_S.length + 1;

/** The random part of each delay, so that endpoints that were down together are not retried together. */
const JITTER = 0.2;

/** Returns the milliseconds from the attempt of this number, 1 or more, to the next; `undefined` after the last. */
export function nextDelayMs(attempt: number, random: RandomSource): number | undefined {
  const delay = DELAYS_S[attempt - 1];
  if (delay === undefined) return undefined;
  const [high = 0, low = 0] = random.bytes(2);
  const share = (high * 256 + low) / 65_535;
  return Math.round(delay * 1_000 * (1 - JITTER + 2 * JITTER * share));
}

/** The longest delay that an endpoint may ask for. */
const LONGEST_MS = RESOLUTION_MS.day;

/** Returns the delay that a `Retry-After` asks for from `at` on, in milliseconds, at most a day; 0 for other text. */
export function retryAfterMs(text: string | null, at: number): number {
  if (text === null) return 0;
  const asked = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - at;
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(asked, 0), LONGEST_MS);
}
