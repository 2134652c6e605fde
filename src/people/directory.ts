/** Maps the claims of an issuer to an account and a role, with the `map` of the application. */

import { accountCreated } from '../core/accounts/account-record.ts';
import type { AccountRecord } from '../core/accounts/collections.ts';
import type { LoginRecord, MemberRecord } from '../core/members/collections.ts';
import { loginDigest, loginIdOf, passwordLoginId } from '../core/members/login-record.ts';
import { nextMember, type SignedIn } from '../core/members/members.ts';
import { type Context, now } from '../core/shared/context.ts';
import { isName } from '../core/shared/people.ts';
import { logSecurityEvent } from '../core/shared/security-log.ts';
import { insert, replace, untilWritten } from '../core/storage/store.ts';
import { emailErrors, normalizeEmail } from '../credential/email.ts';
import { hostAccountId, randomId } from '../credential/random-id.ts';
import { conflict } from '../errors.ts';
import type { OidcClaims } from '../ports/oidc-provider.ts';
import type { HostLogin } from '../records.ts';
import { readHostLogin } from './host-accounts.ts';
import { newAccount } from './host-records.ts';
import { memberCountStep, memberEvent, tooManyMembers } from './member-events.ts';
import type { MapPerson, MappedPerson } from './oidc-options.ts';
import { inTime, signInRefused } from './sign-in-steps.ts';

type Needs = Pick<
  Context,
  'store' | 'clock' | 'random' | 'nextEventName' | 'defaultPlan' | 'auditDays' | 'log'
>;

export interface Placed {
  readonly login: HostLogin;
  readonly account_id: string;
}

/**
 * Returns the account and the role of a person.
 *
 * @throws {IdentityError} `invalid_credentials` if the map throws, or returns no account and role.
 */
export async function placedBy(
  context: Pick<Context, 'awaitedAfter'>,
  map: MapPerson,
  person: Person,
): Promise<Placed> {
  // The claims are a copy: the map may change what it gets, but not who the person is.
  const givenPerson = await inTime(context, async () => {
    try {
      return await map(structuredClone(person.claims));
    } catch {
      throw signInRefused('map_failed');
    }
  });
  if (givenPerson === null || givenPerson === undefined) throw signInRefused('not_mapped');
  const { account, account_id, role, ...otherFields } = givenPerson as MappedPerson;
  if (Object.keys(otherFields).length > 0) throw signInRefused('map_answer');
  const namedIds = {
    ...(account !== undefined && { account }),
    ...(account_id !== undefined && { account_id }),
  };
  const login = readPlaced({ ...namedIds, role, member: person.login_id });
  return {
    login,
    account_id: login.account === undefined ? (login.account_id ?? '') : hostAccountId(login.account),
  };
}

function readPlaced(login: HostLogin): HostLogin {
  try {
    return readHostLogin(login);
  } catch {
    throw signInRefused('map_answer');
  }
}

export function mappedMember(context: Needs, person: Person, placement: Placed): Promise<SignedIn> {
  const { store } = context;
  return untilWritten(async () => {
    // In this order: one write makes both, and a login is never found without its account.
    const login = await store.get('logins', person.login_id);
    const account = await store.get('accounts', placement.account_id);
    if (account === undefined && placement.login.account === undefined)
      throw signInRefused('unknown_account');
    if (account !== undefined && account.disabled_at !== null) throw signInRefused('account_disabled');
    return login === undefined
      ? addFirstMember(context, person, placement, account)
      : knownMember(context, person, { placed: placement, account, login });
  });
}

/** Stores a member at the first sign-in; returns `undefined` if another change came first. */
async function addFirstMember(
  context: Needs,
  person: Person,
  { login: place, account_id }: Placed,
  record: AccountRecord | undefined,
): Promise<SignedIn | undefined> {
  // The insert of the login keeps the person unique.
  const id = randomId('mem', context.random);
  const account = record ?? newAccount(context, place, { account_id, member_id: id });
  await assertOneSelf(context, person, { account_id });
  const member: MemberRecord = {
    id,
    account_id,
    version: 1,
    created_at: now(context),
    created_by: id,
    ...claimedNames(person),
    role: place.role,
    status: 'active',
    login: 'oidc',
    login_id: person.login_id,
    link_id: null,
    token_version: 1,
    changed_at: null,
    changed_by: null,
  };
  const result = await context.store.write(
    ...(record === undefined ? [insert('accounts', account), accountCreated(context, account_id, id)] : []),
    insert('members', member),
    insert('logins', loginOf(person, member, member.created_at)),
    memberCountStep(context, account_id, 1),
    memberEvent(context, 'member.joined', member, id),
  );
  if (!result.written && result.failure === 'limit') throw tooManyMembers();
  if (!result.written) return undefined;
  if (record === undefined) logSecurityEvent(context, 'account.created', { account_id, by: id });
  logSecurityEvent(context, 'member.joined', { account_id, member_id: id, by: id });
  return { account, member };
}

/** Returns the existing member for this person, with the mapped role; `undefined` if another change came first. */
async function knownMember(
  context: Needs,
  person: Person,
  {
    placed,
    account,
    login,
  }: { readonly placed: Placed; readonly account: AccountRecord | undefined; readonly login: LoginRecord },
): Promise<SignedIn | undefined> {
  if (account === undefined || login.account_id !== account.id) throw signInRefused('another_account');
  const member = await context.store.get('members', login.member_id);
  if (!isLoginOf(login, person, member)) throw signInRefused('no_login');
  if (member.status !== 'active') throw signInRefused('removed');
  const { role } = placed.login;
  if (member.role === role) return { account, member };
  const next = { ...nextMember(context, member, member.id), role };
  const event = memberEvent(context, 'member.updated', next, next.id);
  const result = await context.store.write(replace('members', next, member.version), event);
  return result.written ? { account, member: next } : undefined;
}

export interface Person {
  readonly claims: OidcClaims;
  readonly digest: string;
  /**
   * The id of the login, derived from the digest. One `get` therefore finds the login, and a second insert of the same
   * login fails.
   */
  readonly login_id: string;
  /** The e-mail of the claims, verified or not; `undefined` if there is none. It never identifies the person. */
  readonly email: string | undefined;
}

export function personOf(claims: OidcClaims): Person {
  const { iss, sub, email } = claims;
  // JSON separates the two: no other pair has this text.
  const digest = loginDigest('oidc', JSON.stringify([iss, sub]));
  const isEmail = typeof email === 'string' && emailErrors(email).length === 0;
  return { claims, digest, login_id: loginIdOf(digest), email: isEmail ? normalizeEmail(email) : undefined };
}

/** Returns the name and the e-mail for the member. The e-mail is used only if the issuer has verified it. */
export function claimedNames({ claims, email }: Person): Pick<MemberRecord, 'email' | 'name'> {
  const { name, email_verified } = claims;
  return {
    email: email_verified === true ? (email ?? null) : null,
    name: isName(name) ? name : null,
  };
}

export function loginOf(
  { login_id: id, digest }: Person,
  { id: member_id, account_id }: Pick<MemberRecord, 'id' | 'account_id'>,
  created_at: string,
): LoginRecord {
  return { id, account_id, version: 1, created_at, member_id, kind: 'oidc', digest, password_hash: null };
}

export function isLoginOf(
  { id, digest, kind, member_id }: LoginRecord,
  person: Person,
  member: MemberRecord | undefined,
): member is MemberRecord {
  const isPerson = kind === 'oidc' && digest === person.digest;
  return isPerson && member?.id === member_id && member.login_id === id;
}

/** Throws `conflict` if another member of the account signs in with a password under the e-mail of this person. */
export async function assertOneSelf(
  { store }: Pick<Context, 'store'>,
  { email }: Person,
  { account_id, member_id }: { readonly account_id: string; readonly member_id?: string },
): Promise<void> {
  if (email === undefined) return;
  const login = await store.get('logins', passwordLoginId(email));
  if (login === undefined || login.account_id !== account_id || login.member_id === member_id) return;
  throw conflict(
    'A member of this account signs in with a password under this e-mail. A link of an owner for that member moves the login.',
  );
}
