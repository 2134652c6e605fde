/** The password of a member: its check and its change. */
import type { Visitor } from '../../credential/fair-queue.ts';
import { IdentityError } from '../../errors.ts';
import { accountWithFounder, memberOf, nextMember, type SignedIn } from '../logins/logins.ts';
import type { LoginRecord, MemberRecord } from '../members/collections.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';
import { founderOf } from '../shared/people.ts';
import { replace, untilWritten } from '../storage/store.ts';
import { passwordChanged } from './account-record.ts';

/** A member that signs in with a password. */
export interface OwnPassword extends SignedIn {
  readonly login: LoginRecord & { readonly password_hash: string };
}

/** Returns the member that acts, else the founder, with its password; `conflict` if it has none. */
export async function ownPassword(context: Context, actor: Actor): Promise<OwnPassword> {
  const account = await accountWithFounder(context, accountOf(context, actor));
  const member = await memberOf(context, account.id, actor.member_id ?? founderOf(account.id));
  if (member === undefined) throw new IdentityError('not_found', 'There is no such member.');
  const login = member.login_id === null ? undefined : await context.store.get('logins', member.login_id);
  if (login === undefined || login.password_hash === null || member.status !== 'active')
    throw new IdentityError('conflict', 'The member signs in without a password.');
  return { account, member, login: { ...login, password_hash: login.password_hash } };
}

/** Throws `invalid_credentials` unless the password is that of the login. */
export async function checkPassword(
  { passwords }: Context,
  { account, login }: OwnPassword,
  password: string,
  visitor: Visitor,
): Promise<void> {
  if (account.disabled_at !== null) throw wrongPassword();
  if (!(await passwords.verify(password, login.password_hash, visitor))) throw wrongPassword();
}

/** Rejects with `invalid_credentials` if the password that was checked is not the present one any more. */
export async function assertStill({ store }: Context, { login }: OwnPassword): Promise<void> {
  const present = await store.get('logins', login.id);
  if (present?.password_hash !== login.password_hash) throw wrongPassword();
}

/** Stores a new password, which ends the sessions of the member. `find` is asked again after another change. */
export async function storePassword(
  context: Context,
  find: () => Promise<OwnPassword>,
  { password_hash, by }: { readonly password_hash: string; readonly by: string },
): Promise<OwnPassword> {
  return untilWritten(async () => {
    const { account, member, login } = await find();
    const next: MemberRecord = {
      ...nextMember(context, member, by),
      token_version: member.token_version + 1,
    };
    const changed = { ...login, password_hash, version: login.version + 1 };
    const result = await context.store.write(
      replace('logins', changed, login.version),
      replace('members', next, member.version),
      passwordChanged(context, account, by),
    );
    return result.written ? { account, member: next, login: changed } : undefined;
  });
}

/** Makes the error of a wrong password. */
export function wrongPassword(): IdentityError {
  return new IdentityError('invalid_credentials', 'The current password is wrong.');
}
