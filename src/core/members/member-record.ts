/** The record of a member: its public form, and the steps of every change. */
import { normalizeEmail } from '../../credential/email.ts';
import { IdentityError } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { EventData } from '../../records/event.ts';
import type { Member } from '../../records/member.ts';
import type { AccountRecord } from '../accounts/collections.ts';
import { memberOf } from '../logins/logins.ts';
import { type Context, now, usageCounter } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import { replace } from '../storage/store.ts';
import type { MemberRecord } from './collections.ts';

/** The maximum number of members of an account, without removed members. */
const MAX_MEMBERS = 1_000;

/** The events of members that contain the member after the change. */
type MemberEvent = {
  [Type in keyof EventData]: Type extends `member.${string}`
    ? Type extends 'member.signed_in' | 'member.sessions_ended'
      ? never
      : Type
    : never;
}[keyof EventData];

export function toMember(record: MemberRecord): Member {
  const { id, email, name, role, status, login, created_at, created_by, changed_at, changed_by } = record;
  return { id, email, name, role, status, login, created_at, created_by, changed_at, changed_by };
}

/** Creates the step that stores an event with the changed member. */
export function memberEvent(
  context: Pick<Context, 'clock' | 'nextEventName' | 'auditDays'>,
  type: MemberEvent,
  { id: member_id, account_id, role }: MemberRecord,
  changed_by: string,
): Change {
  return eventOf(context, type, { account_id, data: { member_id, role, changed_by } });
}

export function memberCountStep(context: Pick<Context, 'clock'>, account_id: string, by: 1 | -1): Change {
  const counter = usageCounter('members', account_id);
  return { op: 'add', counter, by, at: now(context), ...(by === 1 && { max: MAX_MEMBERS }) };
}

/** Returns the member; throws `not_found` if the member does not exist or belongs to another account. */
export async function ownedMember(
  context: Pick<Context, 'store'>,
  account_id: string,
  id: string,
): Promise<MemberRecord> {
  const found = await memberOf(context, account_id, id);
  if (found !== undefined) return found;
  throw new IdentityError('not_found', 'There is no such member.');
}

export function tooManyMembers(): IdentityError {
  return new IdentityError('plan_limit_reached', `An account has at most ${MAX_MEMBERS} members.`);
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
  context: Pick<Context, 'store' | 'mapsPeople'>,
  account: AccountRecord,
  { before, after }: { readonly before: MemberRecord; readonly after: MemberRecord },
): Promise<readonly Change[]> {
  if (isOwner(context, before) === isOwner(context, after)) return [];
  if (isOwner(context, before)) await assertAnother(context, before);
  return [replace('accounts', { ...account, version: account.version + 1 }, account.version)];
}

async function assertAnother(
  context: Pick<Context, 'store' | 'mapsPeople'>,
  { id, account_id }: MemberRecord,
): Promise<void> {
  const active = recordsBy(context.store, 'members', { account_id, status: 'active' });
  for await (const member of everyRecord(active, PAGE)) {
    if (member.id !== id && isOwner(context, member)) return;
  }
  throw new IdentityError(
    'conflict',
    'An account keeps at least one owner: make another member an owner first.',
  );
}

/**
 * Says whether a member counts as an owner. A member whose role the application or a directory sets does not count,
 * because the role may change at the next sign-in.
 */
function isOwner(context: Pick<Context, 'mapsPeople'>, { role, status, login }: MemberRecord): boolean {
  const isSetElsewhere = login === 'host' || (login === 'oidc' && context.mapsPeople);
  return role === 'owner' && status === 'active' && !isSetElsewhere;
}
