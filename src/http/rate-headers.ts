import type { RateState } from '../service.ts';

/** Returns `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers): names and values in turn. */
export function rateHeaders(rate: RateState | undefined): string[] {
  if (rate === undefined) return [];
  const { policy, limit, remaining, resetSeconds } = rate;
  return [
    'ratelimit',
    `"${policy}";r=${remaining};t=${resetSeconds}`,
    'ratelimit-policy',
    `"${policy}";q=${limit};w=60`,
  ];
}
