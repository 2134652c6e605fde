/** The guard of the last owner, for every path that adds or takes an owner. */
import { IdentityError } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { AccountRecord } from '../accounts/collections.ts';
import type { Context } from '../shared/context.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import { replace } from '../storage/store.ts';
import type { MemberRecord } from './collections.ts';

/** The number of members in one read. */
const PAGE = 200;

/**
 * Returns the steps that guard a change of a member; `conflict` if it would take the last owner. The account must have
 * been read before the member.
 *
 * INVARIANT: every write that adds or takes an owner replaces the account, so that of two owners who remove each other
 * at one time one write fails, and is evaluated again.
 */
export async function guardOwners(
  context: Context,
  account: AccountRecord,
  { before, after }: { readonly before: MemberRecord; readonly after: MemberRecord },
): Promise<readonly Change[]> {
  if (isOwner(context, before) === isOwner(context, after)) return [];
  if (isOwner(context, before)) await assertAnother(context, before);
  return [replace('accounts', { ...account, version: account.version + 1 }, account.version)];
}

async function assertAnother(context: Context, { id, account_id }: MemberRecord): Promise<void> {
  const active = recordsBy(context.store, 'members', { account_id, status: 'active' });
  for await (const member of everyRecord(active, PAGE)) {
    if (member.id !== id && isOwner(context, member)) return;
  }
  throw new IdentityError(
    'conflict',
    'An account keeps at least one owner: make another member an owner first.',
  );
}

/** Says whether a member is an owner that can sign in here, and stays one: hosts and directories set roles again. */
function isOwner(context: Context, { role, status, login }: MemberRecord): boolean {
  const isSetElsewhere = login === 'host' || (login === 'oidc' && context.mapsPeople);
  return role === 'owner' && status === 'active' && !isSetElsewhere;
}
