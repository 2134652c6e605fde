import { formatInstant } from '../../base/values/instant.ts';
import { accountIdOf } from '../../credential/email.ts';
import type { Visitor } from '../../credential/fair-queue.ts';
import { IdentityError } from '../../errors.ts';
import type { Account, Page } from '../../records.ts';
import type { ErasuresInside } from '../erasure/erasures.ts';
import { firstMemberSteps } from '../logins/logins.ts';
import { type Context, OPERATOR } from '../shared/context.ts';
import { type PageRequest, readPage } from '../shared/pages.ts';
import { firstMemberId } from '../shared/people.ts';
import { recordsBy } from '../shared/record-lists.ts';
import { logSecurityEvent, type SecurityFacts } from '../shared/security-log.ts';
import { insert } from '../storage/store.ts';
import { type AccountChanges, createAccountChanges } from './account-changes.ts';
import {
  accountCreated,
  type Credentials,
  checkedCredentials,
  findAccount,
  isErased,
  type ListedAccount,
  toAccount,
  toListedAccount,
} from './account-record.ts';
import { closeAccount } from './close-account.ts';
import type { AccountRecord } from './collections.ts';

/** The parts of the service that this file uses. */
type Needs = Pick<
  Context,
  | 'store'
  | 'caches'
  | 'clock'
  | 'nextEventName'
  | 'passwords'
  | 'seal'
  | 'session'
  | 'plans'
  | 'defaultPlan'
  | 'auditDays'
  | 'log'
>;

/** Manages accounts. The methods do not check the caller, so offer them to operators only. */
export interface Accounts extends AccountChanges {
  /**
   * Opens an account.
   *
   * @throws {IdentityError} `already_exists` if the e-mail already has an account.
   * @throws {IdentityError} `overloaded` if too many passwords wait for their check.
   * @throws {IdentityError} `invalid_request` for a wrong e-mail or password.
   */
  create(credentials: Credentials): Promise<Account>;
  /**
   * Deletes the account. Nobody can sign in, and its keys are refused at once. Then its data is erased, except the ids
   * of its passports, which stay revoked.
   *
   * @throws {IdentityError} `not_found` if there is no data of the account.
   */
  delete(account_id: string): Promise<void>;
  /**
   * Returns the account with this id, with this e-mail, or with this id from the application. Returns `undefined` if
   * there is none.
   *
   * @throws {IdentityError} `conflict` if the name is the id of one account and the application's id of another
   * account.
   */
  find(name: string): Promise<ListedAccount | undefined>;
  /**
   * Lists every account, newest first.
   *
   * @throws {IdentityError} `invalid_request` for a wrong limit or cursor.
   */
  list(request?: PageRequest): Promise<Page<ListedAccount>>;
}

export function createAccounts(context: Needs, erasures: Pick<ErasuresInside, 'wake'>): Accounts {
  const { store } = context;

  return {
    create: (credentials) => openAccount(context, credentials, { opener: 'operator' }),

    ...createAccountChanges(context),

    async delete(account_id) {
      await closeAccount(context, account_id);
      erasures.wake();
    },

    async find(name) {
      const record = await findAccount(context, name);
      return record && toListedAccount(record);
    },

    list: (request = {}) =>
      readPage(
        context,
        {
          query: ['accounts'],
          ...recordsBy(store, 'accounts', {}),
          show: toListedAccount,
          keep: (record: AccountRecord) => !isErased(record),
        },
        request,
      ),
  };
}

/** Says who opens an account. */
export interface Opening {
  readonly opener: 'operator' | 'itself';
  /** The visitor under which the hash of the password waits in the queue; default: the application. */
  readonly visitor?: Visitor;
  /** Facts for the service log. */
  readonly facts?: SecurityFacts;
}

/** Opens an account whose first member signs in with these credentials; throws `already_exists`. */
export async function openAccount(
  context: Pick<
    Context,
    'store' | 'clock' | 'nextEventName' | 'passwords' | 'defaultPlan' | 'auditDays' | 'log'
  >,
  credentials: Credentials,
  { opener, visitor, facts }: Opening,
): Promise<Account> {
  const { email, password } = checkedCredentials(credentials);
  const id = accountIdOf(email);
  const created_by = opener === 'operator' ? OPERATOR : id;
  const present = context.clock.now();
  const record: AccountRecord = {
    id,
    account_id: id,
    // Higher than the version of an erased account with the same e-mail: a node that knows that account does not take
    // this one for an older version, and no session of it is valid here.
    version: Math.max(present, 1),
    created_at: formatInstant(present),
    email,
    external_id: null,
    name: null,
    plan: context.defaultPlan,
    password_hash: '',
    token_version: Math.max(present, 1),
    disabled_at: null,
    created_by,
    changed_at: null,
    changed_by: null,
  };
  const password_hash = await context.passwords.hash(password, visitor);
  const firstMember = firstMemberSteps(context, record, password_hash);
  const author = opener === 'operator' ? OPERATOR : firstMemberId(id);
  const openChange = accountCreated(context, id, author);
  const result = await context.store.write(insert('accounts', record), ...firstMember, openChange);
  if (!result.written) {
    throw new IdentityError(
      'already_exists',
      'There is an account with this e-mail. Log in, or use another e-mail.',
    );
  }
  logSecurityEvent(context, 'account.created', { account_id: id, by: created_by, ...facts });
  return toAccount(record);
}
