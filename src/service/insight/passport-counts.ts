import { formatInstant } from '../../base/values/instant.ts';
import { statusAt } from '../../base/values/passport-status.ts';
import type { PassportCounts } from '../../ports/queries.ts';
import type { Instant } from '../../records.ts';
import type { Context } from '../shared/context.ts';
import type { Store } from '../storage/store.ts';

/**
 * Counts the passports of the account by their status now, or those of one agent; `assertInTime` runs before each
 * call.
 */
export async function countPassports(
  { store, clock }: Context,
  account_id: string,
  agent_id: string | undefined,
  assertInTime: () => void,
): Promise<PassportCounts> {
  const at = formatInstant(clock.now());
  if (agent_id === undefined) return countAll(store, account_id, at, assertInTime);
  const record = await store.get('passports', agent_id);
  const status = record?.account_id === account_id ? statusAt(record, at) : undefined;
  const one = (expected: string) => (status === expected ? 1 : 0);
  return {
    active: one('active'),
    suspended: one('suspended'),
    revoked: one('revoked'),
    expired: one('expired'),
  };
}

async function countAll(
  store: Store,
  account_id: string,
  at: Instant,
  assertInTime: () => void,
): Promise<PassportCounts> {
  const sums = { active: 0, suspended: 0, revoked: 0, expired: 0 };
  let from: string | undefined;
  do {
    assertInTime();
    const { next, ...piece } = await store.countPassports(account_id, at, from);
    for (const status of Object.keys(sums) as (keyof PassportCounts)[]) sums[status] += piece[status];
    from = next ?? undefined;
  } while (from !== undefined);
  return sums;
}
