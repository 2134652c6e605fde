/** Finds an account by a name that a person types. */
import { accountIdOf, normalizeEmail } from '../../credential/email.ts';
import { hostAccountId } from '../../credential/host-ids.ts';
import { IdentityError } from '../../errors.ts';
import type { Context } from '../shared/context.ts';
import { isErased } from './account-record.ts';
import type { AccountRecord } from './collections.ts';

/**
 * Returns the account with this id, this e-mail or this id of the application; `undefined` if there is none.
 *
 * @throws {IdentityError} `conflict`: the name is the id of one account and the application's id of another.
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
    throw new IdentityError('conflict', `This names more than one account: ${ids}. Use the id.`);
  }
  return accounts[0];
}

/**
 * Returns the account that `findAccount` finds.
 *
 * @throws {IdentityError} `not_found`: there is no such account.
 */
export async function namedAccount(context: Pick<Context, 'store'>, name: string): Promise<AccountRecord> {
  const account = await findAccount(context, name);
  if (account === undefined) {
    throw new IdentityError('not_found', 'There is no account with this e-mail or id.');
  }
  return account;
}
