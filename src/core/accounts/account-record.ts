/** Checks the input for the record of an account, and creates the public form of the record. */
import { accountIdOf, emailErrors, normalizeEmail } from '../../credential/email.ts';
import { passwordErrors } from '../../credential/password.ts';
import { hostAccountId } from '../../credential/random-id.ts';
import { conflict, IdentityError, noSuch } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { Account, Instant } from '../../records.ts';
import { check } from '../../schema/check.ts';
import { registerRequestSchema } from '../../schema/validators.generated.ts';
import type { LoginRecord, MemberRecord } from '../members/collections.ts';
import { memberOf, nextMember, type SignedIn, storedAccount } from '../members/members.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context, nowAfter } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';
import { firstMemberId } from '../shared/people.ts';
import { replace, untilWritten } from '../storage/store.ts';
import type { AccountRecord } from './collections.ts';

/** The credentials to sign in or to open an account. */
export interface Credentials {
  /** The e-mail, such as `ann@example.com`. Upper and lower case are equal. */
  readonly email: string;
  /** The password: 12 to 128 characters at creation, any Unicode. */
  readonly password: string;
}

/** An account as operators see it. */
export interface ListedAccount extends Account {
  /** `true` if the account is disabled. */
  readonly disabled: boolean;
  /** The author of the account: its own id if it registered itself, else `operator`. */
  readonly created_by: string | null;
  /** The time of the last change of the account's password, plan or state. */
  readonly changed_at: Instant | null;
  /** The author of the last change: the id of the account, or `operator`. */
  readonly changed_by: string | null;
}

/**
 * Returns the checked credentials of a new account, with the e-mail in its canonical spelling; throws
 * `invalid_request`.
 */
export function checkedCredentials(credentials: Credentials): Credentials {
  const { email, password } = check<Credentials>(registerRequestSchema, credentials, (input) => [
    ...(typeof input['email'] === 'string' ? emailErrors(input['email']) : []),
    ...(typeof input['password'] === 'string' ? passwordErrors(input['password']) : []),
  ]);
  return { email: normalizeEmail(email), password };
}

/** Says whether the account was deleted. Its data is still being erased, but callers no longer see it. */
export function isErased({ erased_at }: AccountRecord): boolean {
  return erased_at !== undefined;
}

/** Returns an account as operators see it. */
export function toListedAccount(record: AccountRecord): ListedAccount {
  const { disabled_at, created_by, changed_at, changed_by } = record;
  return { ...toAccount(record), disabled: disabled_at !== null, created_by, changed_at, changed_by };
}

/** Returns the fields that every change of an account sets. */
export function nextChange(
  context: Pick<Context, 'clock'>,
  account: AccountRecord,
  changed_by: string,
): Pick<AccountRecord, 'version' | 'changed_at' | 'changed_by'> {
  const changed_at = nowAfter(context, account.changed_at ?? account.created_at);
  return { version: account.version + 1, changed_at, changed_by };
}

export function passwordChanged(
  context: Pick<Context, 'clock' | 'nextEventName' | 'auditDays'>,
  { id }: AccountRecord,
  changed_by: string,
): Change {
  return eventOf(context, 'account.password_changed', {
    account_id: id,
    data: { account_id: id, changed_by },
  });
}

/** Returns the public form of an account. */
export function toAccount({ id, email, external_id, name, plan, created_at }: AccountRecord): Account {
  return { id, email, external_id, name, plan, created_at };
}

/** Creates the step that stores the event of a new account. */
export function accountCreated(
  context: Pick<Context, 'clock' | 'nextEventName' | 'auditDays'>,
  account_id: string,
  changed_by: string,
): Change {
  return eventOf(context, 'account.created', { account_id, data: { account_id, changed_by } });
}

/**
 * Returns the account with this id, with this e-mail, or with this id from the application. Returns
 * `undefined` if there is none.
 *
 * @throws {IdentityError} `conflict` if the name is the id of one account and the application's id of another account.
 */
export async function findAccount(
  { store }: Pick<Context, 'store'>,
  name: string,
): Promise<AccountRecord | undefined> {
  const ids = [name, hostAccountId(name), ...(name.includes('@') ? [accountIdOf(normalizeEmail(name))] : [])];
  const records = await Promise.all(ids.map((id) => store.get('accounts', id)));
  const accounts = records.filter((record) => record !== undefined && !isErased(record));
  if (accounts.length > 1) {
    const ids = accounts.map((account) => account?.id).join(' and ');
    throw conflict(`This names more than one account: ${ids}. Use the id.`);
  }
  return accounts[0];
}

/**
 * Returns the account that `findAccount` finds.
 *
 * @throws {IdentityError} `not_found` if there is no such account.
 */
export async function namedAccount(context: Pick<Context, 'store'>, name: string): Promise<AccountRecord> {
  const account = await findAccount(context, name);
  if (account === undefined) {
    throw new IdentityError('not_found', 'There is no account with this e-mail or id. Check it.');
  }
  return account;
}

/** A member that signs in with a password. */
export interface OwnPassword extends SignedIn {
  readonly login: LoginRecord & { readonly password_hash: string };
}

/**
 * Returns the acting member with its password login; by default the first member.
 *
 * @throws {IdentityError} `conflict` if the member has no password.
 */
export async function ownPassword(
  context: Pick<Context, 'store' | 'clock' | 'session'>,
  actor: Actor,
): Promise<OwnPassword> {
  const account = await storedAccount(context, accountOf(context, actor));
  const id = actor.member_id ?? firstMemberId(account.id);
  const member = await memberOf(context, account.id, id);
  if (member === undefined) throw noSuch('member');
  const login = member.login_id === null ? undefined : await context.store.get('logins', member.login_id);
  if (login === undefined || login.password_hash === null || member.status !== 'active')
    throw conflict('The member signs in without a password. Create a sign-in link instead.');
  return { account, member, login: { ...login, password_hash: login.password_hash } };
}

/** Stores a new password, which ends the sessions of the member. Calls `find` again if another change came first. */
export async function storePassword(
  context: Pick<Context, 'store' | 'clock' | 'nextEventName' | 'auditDays'>,
  find: () => Promise<OwnPassword>,
  { password_hash, by }: { readonly password_hash: string; readonly by: string },
): Promise<OwnPassword> {
  return untilWritten(async () => {
    const { account, member, login } = await find();
    const next: MemberRecord = {
      ...nextMember(context, member, by),
      token_version: member.token_version + 1,
    };
    const changedLogin = { ...login, password_hash, version: login.version + 1 };
    const result = await context.store.write(
      replace('logins', changedLogin, login.version),
      replace('members', next, member.version),
      passwordChanged(context, account, by),
    );
    return result.written ? { account, member: next, login: changedLogin } : undefined;
  });
}
