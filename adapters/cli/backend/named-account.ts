import { type Account, IdentityError, type IdentityService } from '../../../src/index.ts';
import { usageError } from '../output/error.ts';

export const ACCOUNT_NAME =
  'the e-mail address, id or external id (given by your application) of the account';

const LOCAL_ACCOUNT = 'acc_local';

/**
 * Returns the id of the account with this e-mail, with this id, or with this id from the application. Returns
 * `undefined` if there is none.
 *
 * An application that embeds the service may use accounts that have no account record. The function finds
 * such an account by its id if the account has a passport or an API key.
 */
export async function findAccountId(service: IdentityService, name: string): Promise<string | undefined> {
  const account = await service.accounts.find(name);
  if (account !== undefined) return account.id;
  return (await hasRecords(service, name)) ? name : undefined;
}

export async function accountId(service: IdentityService, name: string): Promise<string> {
  const id = await findAccountId(service, name);
  if (id === undefined) throw new IdentityError('not_found', noAccount(name));
  return id;
}

export async function chosenAccountId(service: IdentityService, name: string | undefined): Promise<string> {
  if (name !== undefined) {
    const id = await findAccountId(service, name);
    if (id === undefined) throw usageError(noAccount(name));
    return id;
  }
  const { data } = await service.accounts.list({ limit: 2 });
  if (data.length > 1)
    throw usageError('The storage has several accounts. Name one with --account <account>.');
  const [onlyAccount] = data;
  const hasLocal = await hasRecords(service, LOCAL_ACCOUNT);
  if (onlyAccount === undefined && hasLocal) return LOCAL_ACCOUNT;
  if (onlyAccount === undefined) {
    throw usageError(
      'The storage has no account yet. Open one with: agent-identity account create. If the application names accounts by its own ids, name one with --account <id>.',
    );
  }
  if (hasLocal) {
    throw usageError(
      `The storage has the accounts ${onlyAccount.id} and ${LOCAL_ACCOUNT}. Name one with --account <id>.`,
    );
  }
  return onlyAccount.id;
}

export function accountName({ email, name, external_id, id }: Account): string {
  return email ?? name ?? external_id ?? id;
}

function noAccount(name: string): string {
  return `There is no account ${name}. See the accounts with: agent-identity account list`;
}

async function hasRecords({ passports, keys }: IdentityService, account_id: string): Promise<boolean> {
  const pages = await Promise.all([
    passports.list({ limit: 1 }, { account_id }),
    keys.list({ limit: 1 }, { account_id }),
  ]);
  return pages.some(({ data }) => data.length > 0);
}
