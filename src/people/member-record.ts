/** Converts the record of a member to its public form, and keeps at least one owner in every account. */
import type { AccountRecord } from '../core/accounts/collections.ts';
import { memberOf } from '../core/logins/logins.ts';
import type { MemberRecord } from '../core/members/collections.ts';
import type { Context } from '../core/shared/context.ts';
import { everyRecord, recordsBy } from '../core/shared/record-lists.ts';
import { replace } from '../core/storage/store.ts';
import { normalizeEmail } from '../credential/email.ts';
import { conflict, noSuch } from '../errors.ts';
import type { Change } from '../ports/storage.ts';
import type { Member } from '../records/member.ts';

/** The context of the core, with the setting of the capability `people`. */
export interface PeopleContext extends Context {
  /** `true` if the application has a function that sets the roles of people who sign in with an external issuer. */
  readonly mapsPeople: boolean;
}

export function toMember(record: MemberRecord): Member {
  const { id, email, name, role, status, login, created_at, created_by, changed_at, changed_by } = record;
  return { id, email, name, role, status, login, created_at, created_by, changed_at, changed_by };
}

/** Returns the member; throws `not_found` if the member does not exist or belongs to another account. */
export async function ownedMember(
  context: Pick<Context, 'store'>,
  account_id: string,
  id: string,
): Promise<MemberRecord> {
  const record = await memberOf(context, account_id, id);
  if (record !== undefined) return record;
  throw noSuch('member');
}

/** Returns the e-mail in its canonical spelling; `null` if there is none. */
export function emailOrNull(email: string | undefined): string | null {
  return email === undefined ? null : normalizeEmail(email);
}

const PAGE = 200;

/**
 * Returns the steps that keep at least one owner in the account. The caller must read the account before the member.
 *
 * INVARIANT: every write that adds or removes an owner replaces the account. If two owners remove each other at the
 * same time, one write fails and is evaluated again.
 *
 * @throws {IdentityError} `conflict` if the change would remove the last owner.
 */
export async function guardOwners(
  context: Pick<PeopleContext, 'store' | 'mapsPeople'>,
  account: AccountRecord,
  { before, after }: { readonly before: MemberRecord; readonly after: MemberRecord },
): Promise<readonly Change[]> {
  if (isOwner(context, before) === isOwner(context, after)) return [];
  if (isOwner(context, before)) await assertAnother(context, before);
  return [replace('accounts', { ...account, version: account.version + 1 }, account.version)];
}

async function assertAnother(
  context: Pick<PeopleContext, 'store' | 'mapsPeople'>,
  { id, account_id }: MemberRecord,
): Promise<void> {
  const active = recordsBy(context.store, 'members', { account_id, status: 'active' });
  for await (const member of everyRecord(active, PAGE)) {
    if (member.id !== id && isOwner(context, member)) return;
  }
  throw conflict('An account keeps at least one owner: make another member an owner first.');
}

/**
 * Returns `true` if a member counts as an owner. A member with a role from the application or a directory does not
 * count, because the role may change at the next sign-in.
 */
function isOwner(context: Pick<PeopleContext, 'mapsPeople'>, { role, status, login }: MemberRecord): boolean {
  const isSetElsewhere = login === 'host' || (login === 'oidc' && context.mapsPeople);
  return role === 'owner' && status === 'active' && !isSetElsewhere;
}
