/** Finds members by their e-mail and by their sessions. */
import { formatInstant } from '../../base/values/instant.ts';
import { accountIdOf, normalizeEmail } from '../../credential/email.ts';
import { noSuch } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { AccountRecord, SessionRecord } from '../accounts/collections.ts';
import { type Context, now, nowAfter, usageCounter } from '../shared/context.ts';
import { firstMemberId } from '../shared/people.ts';
import { insert } from '../storage/store.ts';
import type { LoginRecord, MemberRecord } from './collections.ts';
import { passwordLogin, passwordLoginId } from './login-record.ts';

/** A member with its account. */
export interface SignedIn {
  readonly account: AccountRecord;
  readonly member: MemberRecord;
}

/** A member that was found by its e-mail, with its password. */
export interface FoundLogin extends SignedIn {
  readonly password_hash: string;
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
  const login = await store.get('logins', passwordLoginId(address));
  const [account, member] = await Promise.all([
    store.get('accounts', login?.account_id ?? ownAccountId),
    store.get('members', login?.member_id ?? firstMemberId(ownAccountId)),
  ]);
  if (account === undefined || account.erased_at !== undefined) return undefined;
  if (login === undefined || login.password_hash === null) return undefined;
  if (member?.login_id !== login.id || member.status !== 'active') return undefined;
  return { account, member, password_hash: login.password_hash };
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
  const [account, member] = await Promise.all([
    store.get('accounts', account_id),
    store.get('members', session.member_id),
  ]);
  if (account === undefined || account.disabled_at !== null) return undefined;
  if (account.token_version !== session.token_version) return undefined;
  return member !== undefined && isOf(session, member) ? { account, member } : undefined;
}

function isOf(session: SessionRecord, { account_id, status, token_version }: MemberRecord): boolean {
  return account_id === session.account_id && status === 'active' && token_version === session.member_version;
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

/** Returns the next version of a member, with the author and the instant of the change. */
export function nextMember(
  context: Pick<Context, 'clock'>,
  member: MemberRecord,
  changed_by: string,
): MemberRecord {
  const changed_at = nowAfter(context, member.changed_at ?? member.created_at);
  return { ...member, version: member.version + 1, changed_at, changed_by };
}

/** Creates the steps that store the first member of a new account, an owner with a password. */
export function firstMemberSteps(
  context: Pick<Context, 'clock'>,
  { id: account_id, created_at, created_by, token_version }: AccountRecord,
  { email, password_hash }: { readonly email: string; readonly password_hash: string },
): readonly Change[] {
  const id = firstMemberId(account_id);
  const login: LoginRecord = passwordLogin({ id, account_id }, email, { password_hash, created_at });
  const member: MemberRecord = {
    id,
    account_id,
    version: 1,
    created_at,
    email,
    name: null,
    role: 'owner',
    status: 'active',
    login: 'password',
    login_id: login.id,
    link_id: null,
    token_version,
    created_by: created_by === account_id ? id : created_by,
    changed_at: null,
    changed_by: null,
  };
  return [
    insert('members', member),
    insert('logins', login),
    { op: 'add', counter: usageCounter('members', account_id), by: 1, at: now(context) },
  ];
}

/** Returns the record of an account; throws `not_found` if there is no record, or the account is deleted. */
export async function storedAccount(
  { store }: Pick<Context, 'store'>,
  account_id: string,
): Promise<AccountRecord> {
  const account = await store.get('accounts', account_id);
  if (account !== undefined && account.erased_at === undefined) return account;
  throw noSuch('account');
}
