/** The founder of an account: the first member, made with the account, or on the first touch of an older one. */
import { IdentityError } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { AccountRecord } from '../accounts/collections.ts';
import type { MemberRecord } from '../members/collections.ts';
import { type Context, now, usageCounter } from '../shared/context.ts';
import { founderOf } from '../shared/people.ts';
import { insert, replace, untilWritten } from '../storage/store.ts';
import { passwordLogin, passwordLoginId } from './login-record.ts';

/** Says whether the account is from before members, and its password is still in its own record. */
export function isUntouched({ password_hash }: AccountRecord): boolean {
  return password_hash !== '';
}

/** Returns the founder of an account as it is made. Its sessions from before carry the version of the account. */
export function founderRecord(account: AccountRecord): MemberRecord {
  const { id: account_id, created_at, token_version } = account;
  const id = founderOf(account_id);
  const email = account.email ?? '';
  const author = account.created_by ?? null;
  return {
    ...{ id, account_id, version: 1, created_at, email, name: null, role: 'owner', status: 'active' },
    ...{ login: 'password', login_id: passwordLoginId(email), link_id: null, token_version },
    created_by: author === account_id ? id : author,
    ...{ changed_at: null, changed_by: null },
  };
}

/** Makes the steps that store the founder of an account and its login. */
export function founderSteps(
  context: Context,
  account: AccountRecord,
  password_hash: string,
): readonly Change[] {
  const founder = founderRecord(account);
  const { account_id, created_at } = founder;
  return [
    insert('members', founder),
    insert('logins', passwordLogin(founder, founder.email ?? '', { password_hash, created_at })),
    { op: 'add', counter: usageCounter('members', account_id), by: 1, at: now(context) },
  ];
}

/**
 * Returns the account with its founder: one from before members gets the founder in one write, which empties its
 * password. All ids are derived, so that nodes race without harm; `not_found` if the account is gone.
 */
export async function withFounder(context: Context, account: AccountRecord): Promise<AccountRecord> {
  if (!isUntouched(account)) return account;
  return untilWritten(async () => {
    const found = await storedAccount(context, account.id);
    if (!isUntouched(found)) return found;
    const next = { ...found, password_hash: '', version: found.version + 1 };
    const steps = founderSteps(context, found, found.password_hash);
    const result = await context.store.write(replace('accounts', next, found.version), ...steps);
    return result.written ? next : undefined;
  });
}

/** Returns the account of an actor with its founder; `not_found` as for `storedAccount`. */
export async function accountWithFounder(context: Context, account_id: string): Promise<AccountRecord> {
  return withFounder(context, await storedAccount(context, account_id));
}

/** Returns the record of an account; `not_found` for one without a record, or that is deleted. */
export async function storedAccount({ store }: Context, account_id: string): Promise<AccountRecord> {
  const found = await store.get('accounts', account_id);
  if (found !== undefined && found.erased_at === undefined) return found;
  throw new IdentityError('not_found', 'There is no such account.');
}
