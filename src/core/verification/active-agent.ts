import type { Passport } from '../../records.ts';
import type { PassportState } from '../passports/collections.ts';
import { publishedStateAt } from '../passports/published.ts';
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
