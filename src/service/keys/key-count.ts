/** Counts the active keys of an account, in a counter next to the keys. */
import { IdentityError } from '../../errors.ts';
import { type Context, now, OPERATOR, usageCounter } from '../shared/context.ts';
import type { WriteOnce } from '../shared/idempotency.ts';
import { everyRecord, recordsExpiredBy } from '../shared/record-lists.ts';
import { insert } from '../storage/store.ts';
import type { KeyRecord } from './collections.ts';
import { endOf } from './key-changes.ts';
import { keyEvent } from './key-record.ts';

/** Subtracts expired keys from the account's count; returns the number of active ones. */
export async function settleExpired(context: Context, account_id: string): Promise<number> {
  const { store } = context;
  const where = { account_id, status: 'active' };
  const expired = recordsExpiredBy(store, 'keys', now(context), where);
  for await (const record of everyRecord(expired, 100)) {
    await store.write(...endOf(context, record, { status: 'expired' }));
  }
  return store.count(usageCounter('keys', account_id), now(context));
}

/** Writes a new key and counts it. Expired keys are subtracted before the count is called full. */
export async function insertCounted(
  context: Context,
  record: KeyRecord,
  max: number | null,
  write: (changes: Parameters<WriteOnce>[1]) => ReturnType<WriteOnce>,
): Promise<void> {
  const counter = usageCounter('keys', record.account_id);
  const add = { op: 'add', counter, by: 1, at: record.created_at, ...(max !== null && { max }) } as const;
  for (const settled of [false, true]) {
    const event = keyEvent(context, 'key.created', record, { changed_by: record.created_by ?? OPERATOR });
    const result = await write([insert('keys', record), add, event]);
    if (result.written) return;
    if (result.failure !== 'limit') throw new IdentityError('internal', 'The key could not be stored.');
    if (!settled) await settleExpired(context, record.account_id);
  }
  throw new IdentityError('plan_limit_reached', `The plan allows ${max} active keys. Revoke one first.`);
}
