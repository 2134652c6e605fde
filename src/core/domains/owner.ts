/** Gives a domain an owner without domain verification, and records the loss of the previous owner. */

import { IdentityError } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { LastChange } from '../../ports/stored.ts';
import { assertWanted, type CallOptions } from '../shared/callers.ts';
import { type Context, now, usageCounter } from '../shared/context.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import { insert, remove, replace } from '../storage/store.ts';
import type { DomainRecord } from './collections.ts';
import { besideId } from './record.ts';

export async function newOwner(
  context: Pick<Context, 'store' | 'clock'>,
  claim: DomainRecord,
): Promise<readonly Change[]> {
  const { record, steps } = await claimedRecord(context, claim);
  return [insert('domains', record), ...steps];
}

/**
 * Returns the record of the new owner of a domain. The owner may already have a second record for the domain, with a
 * token for its verification. The new record keeps this token, and the returned steps remove the second record.
 */
export async function claimedRecord(
  context: Pick<Context, 'store' | 'clock'>,
  claim: DomainRecord,
): Promise<{ readonly record: DomainRecord; readonly steps: readonly Change[] }> {
  const otherBase = await context.store.get('domains', besideId(claim.id, claim.account_id));
  const { token, token_expires_at } = otherBase ?? {};
  const keptFields = {
    ...(token !== undefined && { token }),
    ...(token_expires_at !== undefined && { token_expires_at }),
  };
  const record: DomainRecord = { ...claim, ...keptFields, status: 'claimed' };
  return { record, steps: otherBase === undefined ? [] : removeClaim(context, otherBase) };
}

/**
 * Creates the step that marks the previous owner. Signed passports of this account for the domain are then revoked in
 * the status list.
 */
export async function lossOf(
  { store }: Pick<Context, 'store'>,
  { id: host, account_id, created_at }: DomainRecord,
  { changed_at, changed_by }: LastChange,
): Promise<Change> {
  const id = besideId(host, account_id);
  const baseBefore = await store.get('domains', id);
  const version = (baseBefore?.version ?? 0) + 1;
  const record: DomainRecord = {
    id,
    account_id,
    created_at,
    status: 'lost',
    version,
    changed_at,
    changed_by,
  };
  return baseBefore === undefined
    ? insert('domains', record)
    : replace('domains', record, baseBefore.version);
}

const MAX_PENDING = 100;
const PAGE = 100;

/**
 * Stores and counts a claim that waits for verification; returns `false` if another change was first. Removes claims
 * with an expired token before it throws `plan_limit_reached`.
 */
export async function insertPending(
  context: Pick<Context, 'store' | 'clock'>,
  record: DomainRecord,
  { signal }: CallOptions,
): Promise<boolean> {
  const add: Change = { ...countStep(context, record.account_id, 1), max: MAX_PENDING };
  for (const isSettled of [false, true]) {
    const result = await context.store.write(insert('domains', record), add);
    if (result.written) return true;
    if (result.failed.some(({ failure }) => failure === 'exists')) return false;
    if (!isSettled) await removeEnded(context, record.account_id, signal);
  }
  const message = `At most ${MAX_PENDING} domains of an account may wait for their proof: prove one, or give one up.`;
  throw new IdentityError('plan_limit_reached', message);
}

export function removeClaim(context: Pick<Context, 'clock'>, record: DomainRecord): readonly Change[] {
  const end = remove('domains', record.id, record.version);
  return record.status === 'pending' ? [end, countStep(context, record.account_id, -1)] : [end];
}

function countStep(
  context: Pick<Context, 'clock'>,
  account_id: string,
  delta: 1 | -1,
): Extract<Change, { op: 'add' }> {
  return { op: 'add', counter: usageCounter('pending_domains', account_id), by: delta, at: now(context) };
}

async function removeEnded(
  context: Pick<Context, 'store' | 'clock'>,
  account_id: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { store } = context;
  for await (const record of everyRecord(recordsBy(store, 'domains', { account_id }), PAGE)) {
    assertWanted(signal);
    const { status, token_expires_at } = record;
    const isEnded =
      status === 'pending' && token_expires_at !== undefined && token_expires_at <= now(context);
    // A record that was changed meanwhile stays.
    if (isEnded) await store.write(...removeClaim(context, record));
  }
}
