/** Gives a domain an owner without a proof, and records the loss of the previous owner. */
import type { Change } from '../../ports/storage.ts';
import type { LastChange } from '../../ports/stored.ts';
import type { Context } from '../shared/context.ts';
import { insert, replace } from '../storage/store.ts';
import type { DomainRecord } from './collections.ts';
import { removeClaim } from './pending.ts';
import { besideId } from './record.ts';

/** Makes the steps by which an account gets a domain without an owner. */
export async function newOwner(context: Context, claim: DomainRecord): Promise<readonly Change[]> {
  const { record, steps } = await claimedRecord(context, claim);
  return [insert('domains', record), ...steps];
}

/**
 * Makes the record of an account that owns a domain without a proof, and the steps that end its other records. Keeps
 * the token that the account has asked for.
 */
export async function claimedRecord(
  context: Context,
  claim: DomainRecord,
): Promise<{ readonly record: DomainRecord; readonly steps: readonly Change[] }> {
  const beside = await context.store.get('domains', besideId(claim.id, claim.account_id));
  const { token, token_expires_at } = beside ?? {};
  const kept = {
    ...(token !== undefined && { token }),
    ...(token_expires_at !== undefined && { token_expires_at }),
  };
  const record: DomainRecord = { ...claim, ...kept, status: 'claimed' };
  return { record, steps: beside === undefined ? [] : removeClaim(context, beside) };
}

/** Makes the step that records the previous owner: passports signed for it are revoked in the status list. */
export async function lossOf(
  { store }: Context,
  { id: host, account_id, created_at }: DomainRecord,
  { changed_at, changed_by }: LastChange,
): Promise<Change> {
  const id = besideId(host, account_id);
  const before = await store.get('domains', id);
  const version = (before?.version ?? 0) + 1;
  const record: DomainRecord = {
    id,
    account_id,
    created_at,
    status: 'lost',
    version,
    changed_at,
    changed_by,
  };
  return before === undefined ? insert('domains', record) : replace('domains', record, before.version);
}
