/** Accounts: who may sign in. */
import { accountIdOf, normalizeEmail } from '../../credential/email.ts';
import type { Visitor } from '../../credential/fair-queue.ts';
import { IdentityError } from '../../errors.ts';
import type { AccountRecord } from '../../ports/stored-records.ts';
import type { Account, Page } from '../../records.ts';
import { check } from '../../schema/check.ts';
import { type Context, now, OPERATOR } from '../shared/context.ts';
import { type PageRequest, readPage } from '../shared/pages.ts';
import { recordsBy } from '../shared/record-lists.ts';
import { logSecurityEvent } from '../shared/security-log.ts';
import { insert } from '../storage/store.ts';
import { type AccountChanges, createAccountChanges } from './account-changes.ts';
import {
  type Credentials,
  checkedCredentials,
  type ListedAccount,
  toAccount,
  toListedAccount,
} from './account-record.ts';
import { type Client, origin, type Throttle, visitorOf } from './throttle.ts';

/** Manages accounts. For operators: nothing here asks who calls. */
export interface Accounts extends AccountChanges {
  /** Opens an account; `already_exists` when the e-mail has one. */
  create(credentials: Credentials): Promise<Account>;
  /** As `create`, for strangers: `not_found` unless registration is open; `rate_limited` per address of `client`. */
  register(credentials: Credentials, client?: Client): Promise<Account>;
  /** Every account, newest first. */
  list(request?: PageRequest): Promise<Page<ListedAccount>>;
}

/** The same for the room of sessions. */
export interface AccountsInside extends Accounts {
  /** The account of these credentials, or `invalid_credentials`, the same for both being wrong; in the turn of `visitor`. */
  authenticate(credentials: Credentials, visitor?: Visitor): Promise<AccountRecord>;
}

/** The accounts of one service. */
export function createAccounts(context: Context, throttle: Throttle): AccountsInside {
  const { store, passwords } = context;

  return {
    create: (credentials) => openAccount(context, credentials, 'operator'),

    async register(credentials, client) {
      if (context.registration !== 'open') throw new IdentityError('not_found', 'Registration is closed.');
      checkedCredentials(credentials);
      await throttle.register(client);
      return openAccount(context, credentials, 'itself', client);
    },

    ...createAccountChanges(context),

    async authenticate(credentials, visitor) {
      const { email, password } = check<Credentials>('LoginRequest', credentials);
      const found = await store.get('accounts', accountIdOf(normalizeEmail(email)));
      const matches =
        found === undefined
          ? await passwords.verifyNothing(password, visitor)
          : await passwords.verify(password, found.password_hash, visitor);
      if (found !== undefined && matches && found.disabled_at === null) return found;
      throw new IdentityError('invalid_credentials', 'The e-mail or the password is wrong.');
    },

    list: (request = {}) =>
      readPage(
        context,
        {
          query: ['accounts'],
          ...recordsBy(store, 'accounts', {}),
          show: toListedAccount,
        },
        request,
      ),
  };
}

/** Opens an account, for the operator or for itself. */
async function openAccount(
  context: Context,
  credentials: Credentials,
  opener: 'operator' | 'itself',
  client?: Client,
): Promise<Account> {
  const { email, password } = checkedCredentials(credentials);
  const id = accountIdOf(email);
  const created_by = opener === 'operator' ? OPERATOR : id;
  const record: AccountRecord = {
    id,
    account_id: id,
    version: 1,
    created_at: now(context),
    email,
    plan: context.defaultPlan,
    password_hash: await context.passwords.hash(password, visitorOf(client)),
    token_version: 1,
    disabled_at: null,
    created_by,
    changed_at: null,
    changed_by: null,
  };
  const result = await context.store.write(insert('accounts', record));
  if (!result.written) {
    throw new IdentityError('already_exists', 'There is an account with this e-mail.');
  }
  logSecurityEvent(context, 'account.created', { account_id: id, by: created_by, ...origin(client) });
  return toAccount(record);
}
