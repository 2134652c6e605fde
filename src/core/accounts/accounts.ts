import { formatInstant } from '../../base/values/instant.ts';
import { accountIdOf } from '../../credential/email.ts';
import type { Visitor } from '../../credential/fair-queue.ts';
import { IdentityError, wrongField } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { Account, Page, Plan } from '../../records.ts';
import type { ErasuresInside } from '../erasure/erasures.ts';
import { findLogin, firstMemberSteps } from '../members/members.ts';
import { type Context, nowAfter, OPERATOR } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';
import { type PageRequest, readPage } from '../shared/pages.ts';
import { firstMemberId } from '../shared/people.ts';
import { recordsBy } from '../shared/record-lists.ts';
import { logSecurityEvent, type SecurityFacts } from '../shared/security-log.ts';
import { insert, replace, untilWritten } from '../storage/store.ts';
import {
  accountCreated,
  type Credentials,
  checkedCredentials,
  findAccount,
  isErased,
  type ListedAccount,
  namedAccount,
  nextChange,
  ownPassword,
  storePassword,
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
    token_version: Math.max(present, 1),
    disabled_at: null,
    created_by,
    changed_at: null,
    changed_by: null,
  };
  const password_hash = await context.passwords.hash(password, visitor);
  const firstMember = firstMemberSteps(context, record, { email, password_hash });
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

/** Changes accounts. The methods do not check the caller, so offer them to operators only. */
export interface AccountChanges {
  /**
   * Sets the password of the member with this e-mail, and ends the sessions of the member.
   *
   * @throws {IdentityError} `not_found` if no member with a password has the e-mail.
   * @throws {IdentityError} `overloaded` if too many passwords wait for their check.
   * @throws {IdentityError} `invalid_request` for a wrong e-mail or password.
   */
  setPassword(credentials: Credentials): Promise<Account>;
  /**
   * Changes the plan of an account. `account` is an e-mail or an id, as in `find`.
   *
   * @throws {IdentityError} `not_found` if there is no such account.
   * @throws {IdentityError} `invalid_request` for an unknown plan.
   * @throws {IdentityError} `conflict` as `find`.
   */
  setPlan(account: string, plan: Plan): Promise<Account>;
  /**
   * Disables an account. Nobody can sign in, every session ends at once, and every API key is refused within a second.
   * Nothing is deleted. A second call does nothing. `account` is an e-mail or an id, as in `find`.
   *
   * @throws {IdentityError} `not_found` if there is no such account.
   * @throws {IdentityError} `conflict` as `find`.
   */
  disable(account: string): Promise<Account>;
  /**
   * Enables a disabled account, and within a second its API keys. Earlier sessions stay ended. A second call does
   * nothing. `account` is an e-mail or an id, as in `find`.
   *
   * @throws {IdentityError} `not_found` if there is no such account.
   * @throws {IdentityError} `conflict` as `find`.
   */
  enable(account: string): Promise<Account>;
}

function createAccountChanges(
  context: Pick<
    Context,
    'store' | 'clock' | 'nextEventName' | 'passwords' | 'session' | 'plans' | 'auditDays' | 'log'
  >,
): AccountChanges {
  const { store, passwords } = context;

  async function change(
    event: 'account.plan_changed' | 'account.disabled' | 'account.enabled',
    account: string,
    changeOf: (record: AccountRecord) => Partial<AccountRecord> | undefined,
    facts: SecurityFacts = {},
  ): Promise<Account> {
    return untilWritten(async () => {
      const foundRecord = await namedAccount(context, account);
      const fields = changeOf(foundRecord);
      if (fields === undefined) return toAccount(foundRecord);
      const record = { ...foundRecord, ...fields, ...nextChange(context, foundRecord, OPERATOR) };
      const result = await store.write(
        replace('accounts', record, foundRecord.version),
        accountEvent(context, event, record),
      );
      if (!result.written) return undefined;
      logSecurityEvent(context, event, { account_id: foundRecord.id, by: OPERATOR, ...facts });
      return toAccount(record);
    });
  }

  return {
    async setPassword(credentials) {
      const { email, password } = checkedCredentials(credentials);
      const password_hash = await passwords.hash(password);
      const find = async () => {
        const login = await findLogin(context, email);
        if (login === undefined)
          throw new IdentityError(
            'not_found',
            'No member with a password has this e-mail. Check the e-mail.',
          );
        return ownPassword(context, { account_id: login.account.id, member_id: login.member.id });
      };
      const { account } = await storePassword(context, find, { password_hash, by: OPERATOR });
      logSecurityEvent(context, 'account.password_changed', { account_id: account.id, by: OPERATOR });
      return toAccount(account);
    },

    async setPlan(account, plan) {
      if (!Object.hasOwn(context.plans, plan)) {
        const message = `This must be one of ${Object.keys(context.plans).join(', ')}.`;
        throw wrongField('/plan', 'not_allowed', message);
      }
      const changeOf = (record: AccountRecord) => (record.plan === plan ? undefined : { plan });
      return change('account.plan_changed', account, changeOf, { plan });
    },

    disable: (account) =>
      change('account.disabled', account, ({ created_at, disabled_at, token_version }) =>
        disabled_at === null
          ? { disabled_at: nowAfter(context, created_at), token_version: token_version + 1 }
          : undefined,
      ),

    enable: (account) =>
      change('account.enabled', account, ({ disabled_at }) =>
        disabled_at === null ? undefined : { disabled_at: null },
      ),
  };
}

function accountEvent(
  context: Pick<Context, 'clock' | 'nextEventName' | 'auditDays'>,
  type: 'account.plan_changed' | 'account.disabled' | 'account.enabled',
  { id: account_id, plan }: AccountRecord,
): Change {
  const data = { account_id, changed_by: OPERATOR };
  return type === 'account.plan_changed'
    ? eventOf(context, type, { account_id, data: { ...data, plan } })
    : eventOf(context, type, { account_id, data });
}
