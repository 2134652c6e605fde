/** Converts the record of a member to its public form, ends its sessions, and keeps an owner in every account. */
import type { AccountRecord } from '../core/accounts/collections.ts';
import type { MemberRecord } from '../core/members/collections.ts';
import { memberOf, nextMember } from '../core/members/members.ts';
import type { Context } from '../core/shared/context.ts';
import { eventOf } from '../core/shared/outbox.ts';
import { everyRecord, recordsBy } from '../core/shared/record-lists.ts';
import { replace, untilWritten } from '../core/storage/store.ts';
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

/** Says which sessions of a member end. */
export interface SessionsEnd {
  readonly by: string;
  /** Ends only sessions of this version; default: of the present version. Later sessions stay valid. */
  readonly version?: number | undefined;
}

/** Ends the sessions of a member at once, on every node. */
export async function endMemberSessions(
  context: Pick<Context, 'store' | 'clock' | 'nextEventName' | 'auditDays'>,
  { id, account_id }: Pick<MemberRecord, 'id' | 'account_id'>,
  { by, version }: SessionsEnd,
): Promise<void> {
  let endedVersion = version;
  await untilWritten(async () => {
    const member = await memberOf(context, account_id, id);
    endedVersion ??= member?.token_version;
    // Another call has ended them all in the meantime: sessions that were opened since then stay valid.
    if (member === undefined || member.token_version !== endedVersion) return true;
    const next = { ...nextMember(context, member, by), token_version: member.token_version + 1 };
    const data = { member_id: id, changed_by: by };
    const event = eventOf(context, 'member.sessions_ended', { account_id, data });
    return (await context.store.write(replace('members', next, member.version), event)).written || undefined;
  });
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
