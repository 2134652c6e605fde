import { formatInstant } from '../../base/values/instant.ts';
import { statusAt } from '../../base/values/passport-status.ts';
import type { Passport } from '../../records.ts';
import type { PassportState } from '../passports/collections.ts';
import type { FoundAgent } from './ancestries.ts';

export function isActiveAt({ found: passport, ancestry }: FoundAgent, atMs: number): boolean {
  if (passport === undefined) return false;
  const chain = [passport, ...(ancestry?.known ?? [])];
  // The list of those above ends before a passport that is missing.
  if (chain.at(-1)?.parent_agent_id !== undefined) return false;
  return chain.every(
    ({ prepared }) => publishedStateAt(prepared.passport as Passport & PassportState, atMs) === 'active',
  );
}

/** The public state; `inactive` is suspended, expired or not yet valid. */
export type PublishedState = 'active' | 'inactive' | 'revoked';

/** Returns the public state at `now`, in milliseconds since the Unix epoch. */
export function publishedStateAt(passport: Passport & PassportState, now: number): PublishedState {
  const instant = formatInstant(now);
  const status = statusAt(passport, instant);
  if (status === 'revoked') return 'revoked';
  const isEarly = passport.not_before !== undefined && instant < passport.not_before;
  return status === 'active' && !isEarly ? 'active' : 'inactive';
}
