/** The wait of a request to confirm agents: for a change that its key may see. */
import type { ConfirmInput } from '../../records/verifier.ts';
import type { KeyCaller, KeyCallers } from '../shared/callers.ts';
import type { Caches } from '../storage/caches.ts';
import type { ChangeWaits } from './change-waits.ts';
import { knownVersion } from './known-agents.ts';
import { readState } from './read-state.ts';
import { requireBoth } from './require-both.ts';

/** The parts that a wait reads and watches. */
export interface WaitParts {
  readonly caches: Pick<Caches, 'passports'>;
  readonly callers: KeyCallers;
  readonly waits: ChangeWaits;
}

/** A request that may wait. */
export interface WaitingRequest {
  readonly input: ConfirmInput;
  /** The key as it was when the request came. */
  readonly given: KeyCaller;
  readonly signal: AbortSignal | undefined;
}

/** An instant from which on everything in memory may answer: what a notice named is not in it any more. */
const OF_ANY_AGE = Number.NEGATIVE_INFINITY;

/**
 * Makes the function that waits if the sender knows something of every agent, and memory has nothing newer: a notice may
 * have come before. Only agents that the key sees now can end the wait.
 */
export function createWaitForChange({
  caches,
  callers,
  waits,
}: WaitParts): (request: WaitingRequest) => Promise<void> {
  return async ({ input, given, signal }) => {
    const { agents } = input;
    const known = Object.entries(agents);
    if (known.some(([, what]) => what === null)) return;
    const { caller } = await callers.confirm(given, OF_ANY_AGE);
    requireBoth(caller);
    const { passports, unread, seen } = await readState(caches, agents, caller, OF_ANY_AGE);
    if (unread.length > 0 || Object.keys(passports).length > 0) return;
    const visible = known.filter(([id]) => seen.has(id));
    // Last, at once before the wait: no notice may come between.
    if (visible.some(([id, what]) => what !== null && waits.hasNewer(id, knownVersion(what)))) return;
    const { key_id, account_id } = caller;
    await waits.change({
      records: [
        ...visible.map(([id]) => ({ collection: 'passports', id }) as const),
        { collection: 'keys', id: key_id },
        { collection: 'accounts', id: account_id },
      ],
      hidden: known.map(([id]) => id).filter((id) => !seen.has(id)),
      isSeen: async (id) => (await readState(caches, { [id]: '' }, caller, OF_ANY_AGE)).seen.has(id),
      ms: input.wait_ms,
      signal,
    });
  };
}
