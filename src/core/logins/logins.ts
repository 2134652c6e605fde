/** Finds the member for an e-mail, and checks sessions. */
import { formatInstant } from '../../base/values/instant.ts';
import { accountIdOf, normalizeEmail } from '../../credential/email.ts';
import { noSuch } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { AccountRecord, SessionRecord } from '../accounts/collections.ts';
import type { LoginRecord, MemberRecord } from '../members/collections.ts';
import { type Context, now, nowAfter, usageCounter } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';
import { firstMemberId } from '../shared/people.ts';
import { insert, replace, untilWritten } from '../storage/store.ts';
import { passwordLogin, passwordLoginId } from './login-record.ts';

export { loginDigest, loginIdOf, passwordLogin, passwordLoginId } from './login-record.ts';

/** A member with its account. */
export interface SignedIn {
  readonly account: AccountRecord;
  readonly member: MemberRecord;
}

/** A member that was found by its e-mail, with its password. */
export interface FoundLogin extends SignedIn {
  readonly password_hash: string;
  /** The record with the password; `undefined` if the account predates members and stores the password itself. */
  readonly login: LoginRecord | undefined;
}

/**
 * Finds the member that signs in with a password under this e-mail. Returns `undefined` if there is no such member, or
 * the member is removed. A known and an unknown e-mail cause the same reads.
 */
export async function findLogin(
  { store }: Pick<Context, 'store'>,
  email: string,
): Promise<FoundLogin | undefined> {
  const address = normalizeEmail(email);
  const ownAccountId = accountIdOf(address);
  const [login, baseBefore] = await Promise.all([
    store.get('logins', passwordLoginId(address)),
    store.get('accounts', ownAccountId),
  ]);
  const [account = baseBefore, member] = await Promise.all([
    store.get('accounts', login?.account_id ?? ownAccountId),
    store.get('members', login?.member_id ?? firstMemberId(ownAccountId)),
  ]);
  if (account === undefined || account.erased_at !== undefined) return undefined;
  if (login === undefined) {
    if (!isUntouched(account)) return undefined;
    return { account, member: firstMemberRecord(account), login, password_hash: account.password_hash };
  }
  const { password_hash } = login;
  if (password_hash === null || member?.login_id !== login.id || member.status !== 'active') return undefined;
  return { account, member, login, password_hash };
}

/**
 * Returns the stored member of a session; `undefined` unless the session, its member and its account are valid.
 * `leewayMs` is the accepted difference between the clocks of two nodes.
 */
export async function liveSession(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  { session_id, account_id }: { readonly session_id: string; readonly account_id: string },
  leewayMs: number,
): Promise<SignedIn | undefined> {
  const session = await store.get('sessions', session_id);
  if (session === undefined || session.account_id !== account_id || session.revoked_at !== null)
    return undefined;
  if (session.expires_at <= formatInstant(clock.now() - leewayMs)) return undefined;
  const member_id = session.member_id ?? firstMemberId(account_id);
  const [account, storedBase] = await Promise.all([
    store.get('accounts', account_id),
    store.get('members', member_id),
  ]);
  if (account === undefined || account.disabled_at !== null) return undefined;
  if (account.token_version !== session.token_version) return undefined;
  // The first member may have been made between the two reads.
  const member = storedBase ?? (isUntouched(account) ? undefined : await store.get('members', member_id));
  const record = member ?? firstMemberBefore(session, account);
  return record !== undefined && isOf(session, record) ? { account, member: record } : undefined;
}

/** Returns the first member of an account that has no member records yet; `undefined` if the session names a member. */
function firstMemberBefore(session: SessionRecord, account: AccountRecord): MemberRecord | undefined {
  const isBefore = typeof session.member_id !== 'string' && isUntouched(account);
  return isBefore ? firstMemberRecord(account) : undefined;
}

function isOf(session: SessionRecord, { account_id, status, token_version }: MemberRecord): boolean {
  if (account_id !== session.account_id || status !== 'active') return false;
  return token_version === (session.member_version ?? session.token_version);
}

/** Returns a member of the account; `undefined` if the member does not exist or belongs to another account. */
export async function memberOf(
  { store }: Pick<Context, 'store'>,
  account_id: string,
  member_id: string,
): Promise<MemberRecord | undefined> {
  const member = await store.get('members', member_id);
  return member?.account_id === account_id ? member : undefined;
}

/**
 * Returns the present record of a member of the account. If the account predates members, its first member is derived
 * from the account record.
 */
export async function presentMember(
  context: Pick<Context, 'store'>,
  account_id: string,
  member_id: string,
): Promise<MemberRecord | undefined> {
  const { store } = context;
  const member = await store.get('members', member_id);
  if (member !== undefined) return member.account_id === account_id ? member : undefined;
  if (member_id !== firstMemberId(account_id)) return undefined;
  const account = await store.get('accounts', account_id);
  if (account === undefined || account.erased_at !== undefined) return undefined;
  // It may have been made between the two reads.
  return isUntouched(account) ? firstMemberRecord(account) : store.get('members', member_id);
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

export function nextMember(
  context: Pick<Context, 'clock'>,
  member: MemberRecord,
  changed_by: string,
): MemberRecord {
  const changed_at = nowAfter(context, member.changed_at ?? member.created_at);
  return { ...member, version: member.version + 1, changed_at, changed_by };
}

/** Says whether the account has no member records yet, so that the account record still has the password. */
export function isUntouched({ password_hash }: AccountRecord): boolean {
  return password_hash !== '';
}

/**
 * Builds the first member of an account from the account record. The member keeps the token version of the account, so
 * that existing sessions stay valid.
 */
export function firstMemberRecord(account: AccountRecord): MemberRecord {
  const { id: account_id, created_at, token_version } = account;
  const id = firstMemberId(account_id);
  const email = account.email ?? '';
  const author = account.created_by ?? null;
  return {
    id,
    account_id,
    version: 1,
    created_at,
    email,
    name: null,
    role: 'owner',
    status: 'active',
    login: 'password',
    login_id: passwordLoginId(email),
    link_id: null,
    token_version,
    created_by: author === account_id ? id : author,
    changed_at: null,
    changed_by: null,
  };
}

export function firstMemberSteps(
  context: Pick<Context, 'clock'>,
  account: AccountRecord,
  password_hash: string,
): readonly Change[] {
  const firstMember = firstMemberRecord(account);
  const { account_id, created_at } = firstMember;
  return [
    insert('members', firstMember),
    insert('logins', passwordLogin(firstMember, firstMember.email ?? '', { password_hash, created_at })),
    { op: 'add', counter: usageCounter('members', account_id), by: 1, at: now(context) },
  ];
}

/**
 * Returns the account, and creates its first member if the account predates members. The same write removes the
 * password from the account record. All ids are derived, so several nodes can do this at the same time.
 *
 * @throws {IdentityError} `not_found` if the account no longer exists.
 */
export async function withFirstMember(
  context: Pick<Context, 'store' | 'clock'>,
  account: AccountRecord,
): Promise<AccountRecord> {
  if (!isUntouched(account)) return account;
  return untilWritten(async () => {
    const member = await storedAccount(context, account.id);
    if (!isUntouched(member)) return member;
    const next = { ...member, password_hash: '', version: member.version + 1 };
    const steps = firstMemberSteps(context, member, member.password_hash);
    const result = await context.store.write(replace('accounts', next, member.version), ...steps);
    return result.written ? next : undefined;
  });
}

/** Returns the account of an actor, with its first member; throws `not_found` as `storedAccount` does. */
export async function accountWithFirstMember(
  context: Pick<Context, 'store' | 'clock'>,
  account_id: string,
): Promise<AccountRecord> {
  return withFirstMember(context, await storedAccount(context, account_id));
}

/** Returns the record of an account; throws `not_found` if there is no record, or the account is deleted. */
export async function storedAccount(
  { store }: Pick<Context, 'store'>,
  account_id: string,
): Promise<AccountRecord> {
  const member = await store.get('accounts', account_id);
  if (member !== undefined && member.erased_at === undefined) return member;
  throw noSuch('account');
}
