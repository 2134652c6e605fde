/** Stores which erasures have started, so that any node can find and continue them. */
import { formatInstant } from '../../base/values/instant.ts';
import type { Change } from '../../ports/storage.ts';
import type { ErasureRecord } from '../erasure/collections.ts';
import { insert } from '../storage/store.ts';
import type { Context } from './context.ts';

/** The account id that passports get when their account is erased. No account has this id. */
export const ERASED_ACCOUNT = 'acc_erased';

export function erasureId(account_id: string, agent_id: string | null): string {
  return agent_id === null ? account_id : `${account_id}:${agent_id}`;
}

export function beginErasure(
  { clock }: Pick<Context, 'clock'>,
  account_id: string,
  agent_id: string | null,
): Change {
  const created_at = formatInstant(clock.now());
  const record: ErasureRecord = {
    id: erasureId(account_id, agent_id),
    account_id,
    agent_id,
    version: 1,
    created_at,
    swept_at: null,
    leased_until: created_at,
  };
  return insert('erasures', record);
}
