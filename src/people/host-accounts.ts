/** Finds or creates the accounts and members of people whom an application has signed in. */

import { plainCopy } from '../base/values/plain-data.ts';
import { ROLES } from '../base/values/vocabulary.ts';
import { accountCreated } from '../core/accounts/account-record.ts';
import type { AccountRecord } from '../core/accounts/collections.ts';
import type { MemberRecord } from '../core/members/collections.ts';
import type { Actor, AuthenticateHost, SessionCaller } from '../core/shared/callers.ts';
import type { Context } from '../core/shared/context.ts';
import { isName, NAME_WORDS } from '../core/shared/people.ts';
import { logSecurityEvent } from '../core/shared/security-log.ts';
import { insert, replace, untilWritten } from '../core/storage/store.ts';
import { emailErrors } from '../credential/email.ts';
import { hostAccountId, hostMemberId } from '../credential/random-id.ts';
import { type FieldError, IdentityError, notPlain, pointer, refuseAny } from '../errors.ts';
import type { HostLogin, Role } from '../records.ts';
import { changedAccount, changedMember, type HostRecords, newAccount, newMember } from './host-records.ts';
import { memberCountStep, memberEvent, tooManyMembers } from './member-events.ts';

/** The parts of the service that this file uses. */
type Needs = Pick<Context, 'store' | 'clock' | 'nextEventName' | 'defaultPlan' | 'auditDays' | 'log'>;

/** The actor for a person whom an application has signed in. */
export type HostActor = Actor & Pick<SessionCaller, 'account_id' | 'member_id'>;

/** Creates the function that finds the account and the member of a login, and creates them at its first request. */
export function createAuthenticateHost(context: Needs): AuthenticateHost {
  return async (givenLogin) => {
    const login = readHostLogin(givenLogin);
    const records = await untilWritten(async () => {
      const records = await seen(context, login);
      return (await storeChanges(context, login, records)) ? records : undefined;
    });
    const { id: account_id, plan } = records.account;
    return { account_id, session_id: null, member_id: records.member.id, role: login.role, plan };
  };
}

/** Returns the account and the member of a login. Creates missing records in one write. */
function seen(context: Needs, login: HostLogin): Promise<HostRecords> {
  const { store } = context;
  const account_id = login.account === undefined ? (login.account_id ?? '') : hostAccountId(login.account);
  const ids = { account_id, member_id: hostMemberId(account_id, login.member) };
  return untilWritten(async () => {
    const records = await Promise.all([
      store.get('accounts', ids.account_id),
      store.get('members', ids.member_id),
    ]);
    assertMayAct(login, ...records);
    const [account = newAccount(context, login, ids), member = newMember(context, login, ids)] = records;
    const isNewAccount = records[0] === undefined;
    if (!isNewAccount && records[1] !== undefined) return { account, member };
    const result = await store.write(
      ...(isNewAccount ? [insert('accounts', account), accountCreated(context, account.id, member.id)] : []),
      insert('members', member),
      memberCountStep(context, account.id, 1),
      memberEvent(context, 'member.joined', member, member.id),
    );
    if (!result.written && result.failure === 'limit') throw tooManyMembers();
    // Another request was faster, perhaps on another node: it has made the same records.
    if (!result.written) return undefined;
    const filter = { account_id: account.id, by: member.id };
    if (isNewAccount) logSecurityEvent(context, 'account.created', filter);
    logSecurityEvent(context, 'member.joined', { ...filter, member_id: member.id });
    return { account, member };
  });
}

function assertMayAct(
  login: HostLogin,
  account: AccountRecord | undefined,
  member: MemberRecord | undefined,
): void {
  const field = login.account === undefined ? 'account_id' : 'account';
  if (account === undefined && login.account === undefined) throw refused(field, 'unknown');
  if (account !== undefined && account.disabled_at !== null) throw refused(field, 'disabled');
  if (member !== undefined && member.status !== 'active') throw refused('member', 'removed');
}

/**
 * Stores the name, e-mail and role that the application now gives. If another change was stored first, stores nothing.
 * Then returns `false` for a new role, because approvals depend on the role. A new name or e-mail can wait for a later
 * request.
 */
async function storeChanges(context: Needs, login: HostLogin, records: HostRecords): Promise<boolean> {
  const { account, member } = records;
  const [nextMember, nextAccount] = [
    changedMember(context, login, member),
    changedAccount(context, login, records),
  ];
  const steps = [
    ...(nextMember === undefined
      ? []
      : [
          replace('members', nextMember, member.version),
          memberEvent(context, 'member.updated', nextMember, member.id),
        ]),
    ...(nextAccount === undefined ? [] : [replace('accounts', nextAccount, account.version)]),
  ];
  if (steps.length === 0) return true;
  return (await context.store.write(...steps)).written || member.role === login.role;
}

function refused(field: string, reason: string): IdentityError {
  return new IdentityError('unauthenticated', 'This login may not act here.', {
    details: { hostLogin: { field, reason } },
  });
}

type FieldRule = readonly [fits: (value: unknown) => boolean, words: string];

const OWN_ID: FieldRule = [
  (value) => typeof value === 'string' && /^[\x21-\x7e]{1,128}$/.test(value),
  'text of 1 to 128 visible ASCII characters',
];
const NAME: FieldRule = [isName, NAME_WORDS];

const RULES: Readonly<Record<keyof HostLogin, FieldRule>> = {
  account: OWN_ID,
  account_id: OWN_ID,
  member: OWN_ID,
  role: [(value) => ROLES.includes(value as Role), `one of ${ROLES.join(', ')}`],
  email: [(value) => typeof value === 'string' && emailErrors(value).length === 0, 'an e-mail address'],
  name: NAME,
  account_name: NAME,
};

const REQUIRED = ['member', 'role'] as const;

/**
 * Returns a copy of the login; throws `invalid_request` with the name of every invalid field, but without its value.
 */
export function readHostLogin(givenLogin: unknown): HostLogin {
  const login = copyOf(givenLogin);
  refuseAny([...wrongFields(login), ...missingFields(login)]);
  return login as unknown as HostLogin;
}

/**
 * Copies the login before its fields are checked, because a getter or a `Proxy` could give another value at the second
 * read. `structuredClone` refuses a `Proxy`.
 */
function copyOf(login: unknown): Readonly<Record<string, unknown>> {
  if (typeof login !== 'object' || login === null || Array.isArray(login)) throw notPlain([]);
  try {
    return plainCopy(structuredClone(login)) as Readonly<Record<string, unknown>>;
  } catch {
    throw notPlain([]);
  }
}

function wrongFields(login: Readonly<Record<string, unknown>>): readonly FieldError[] {
  return Object.entries(login).flatMap(([name, value]) => {
    const path = pointer(name);
    if (!Object.hasOwn(RULES, name))
      return { path, code: 'unknown_field', message: 'There is no such field.' };
    const [fits, words] = RULES[name as keyof HostLogin];
    return fits(value) ? [] : { path, code: 'invalid', message: `This must be ${words}.` };
  });
}

function missingFields(login: Readonly<Record<string, unknown>>): readonly FieldError[] {
  const missing: FieldError[] = REQUIRED.filter((name) => !Object.hasOwn(login, name)).map((name) => ({
    path: pointer(name),
    code: 'required',
    message: `This field is required: ${RULES[name][1]}.`,
  }));
  if (Object.hasOwn(login, 'account') !== Object.hasOwn(login, 'account_id')) return missing;
  const message = 'Name the account by either account or account_id.';
  return [...missing, { path: '/account', code: 'one_of', message }];
}
