/** Accounts: who may sign in. */
import { accountIdOf, emailErrors, normalizeEmail } from '../../credential/email.ts';
import type { Visitor } from '../../credential/fair-queue.ts';
import { passwordErrors } from '../../credential/password.ts';
import { IdentityError, invalidRequest } from '../../errors.ts';
import type { AccountRecord } from '../../ports/stored-records.ts';
import type { Account, Instant, Page, Plan } from '../../records.ts';
import { check } from '../../schema/check.ts';
import { type Context, now, nowAfter, OPERATOR } from '../shared/context.ts';
import { type PageRequest, readPage } from '../shared/pages.ts';
import { recordsBy } from '../shared/record-lists.ts';
import { type SecurityEvent, type SecurityFacts, tellSecurity } from '../shared/security-log.ts';
import { insert, replace, untilWritten } from '../storage/store.ts';
import { type Client, origin, type Throttle, visitorOf } from './throttle.ts';

/** What someone types to sign in or to open an account. */
export interface Credentials {
  /** Such as `ann@example.com`; upper and lower case are the same. */
  readonly email: string;
  /** 12 to 128 characters at creation, any Unicode. */
  readonly password: string;
}

/** An account as operators see it. */
export interface ListedAccount extends Account {
  /** Whether it is shut out. */
  readonly disabled: boolean;
  /** Its own id where it registered, else `operator`; `null` where a release before this field made it. */
  readonly created_by: string | null;
  /** The last change of its password, plan or state: by itself or by the `operator`. */
  readonly changed_at: Instant | null;
  /** Its own id, or `operator`. */
  readonly changed_by: string | null;
}

/** Manages accounts. For operators: nothing here asks who calls. */
export interface Accounts {
  /** Opens an account; `already_exists` when the e-mail has one. */
  create(credentials: Credentials): Promise<Account>;
  /** As `create`, for strangers: `not_found` unless registration is open; `rate_limited` per address of `client`. */
  register(credentials: Credentials, client?: Client): Promise<Account>;
  /** Sets a new password and ends every session of the account; `not_found` for an unknown e-mail. */
  setPassword(credentials: Credentials): Promise<Account>;
  /** Puts the account on another plan; `not_found` for an unknown e-mail. */
  setPlan(email: string, plan: Plan): Promise<Account>;
  /**
   * Shuts the account out: no login, every session ended at once, and every API key of it refused within a
   * second. Nothing is deleted. Disabling twice is fine; `not_found` for an unknown e-mail.
   */
  disable(email: string): Promise<Account>;
  /**
   * Lets a disabled account in again, and its API keys within a second; sessions of before stay ended. Enabling
   * twice is fine; `not_found` for an unknown e-mail.
   */
  enable(email: string): Promise<Account>;
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

  /** Applies `change` until no other change came in between; `undefined` means there is nothing to change. */
  async function change(
    event: SecurityEvent,
    email: string,
    changed: (found: AccountRecord) => Partial<AccountRecord> | undefined,
    facts: SecurityFacts = {},
  ): Promise<Account> {
    return untilWritten(async () => {
      const found = await store.get('accounts', accountIdOf(normalizeEmail(email)));
      if (found === undefined) throw new IdentityError('not_found', 'There is no account with this e-mail.');
      const fields = changed(found);
      if (fields === undefined) return toAccount(found);
      const record = { ...found, ...fields, ...nextChange(context, found, OPERATOR) };
      const result = await store.write(replace('accounts', record, found.version));
      if (!result.written) return undefined;
      tellSecurity(context, event, { account_id: found.id, by: OPERATOR, ...facts });
      return toAccount(record);
    });
  }

  async function create(
    credentials: Credentials,
    opener: 'operator' | 'itself',
    client?: Client,
  ): Promise<Account> {
    const { email, password } = checked(credentials);
    const id = accountIdOf(email);
    const created_by = opener === 'operator' ? OPERATOR : id;
    const record: AccountRecord = {
      id,
      account_id: id,
      version: 1,
      created_at: now(context),
      email,
      plan: context.defaultPlan,
      password_hash: await passwords.hash(password, visitorOf(client)),
      token_version: 1,
      disabled_at: null,
      created_by,
      changed_at: null,
      changed_by: null,
    };
    const result = await store.write(insert('accounts', record));
    if (!result.written) {
      throw new IdentityError('already_exists', 'There is an account with this e-mail.');
    }
    tellSecurity(context, 'account.created', { account_id: id, by: created_by, ...origin(client) });
    return toAccount(record);
  }

  return {
    create: (credentials) => create(credentials, 'operator'),

    async register(credentials, client) {
      if (context.registration !== 'open') throw new IdentityError('not_found', 'Registration is closed.');
      checked(credentials);
      await throttle.register(client);
      return create(credentials, 'itself', client);
    },

    async setPassword(credentials) {
      const { email, password } = checked(credentials);
      const password_hash = await passwords.hash(password);
      return change('account.password_changed', email, ({ token_version }) => ({
        password_hash,
        token_version: token_version + 1,
      }));
    },

    async setPlan(email, plan) {
      if (!Object.hasOwn(context.plans, plan)) {
        const message = `This must be one of ${Object.keys(context.plans).join(', ')}.`;
        throw invalidRequest([{ path: '/plan', code: 'not_allowed', message }]);
      }
      const changed = (found: AccountRecord) => (found.plan === plan ? undefined : { plan });
      return change('account.plan_changed', email, changed, { plan });
    },

    disable: (email) =>
      change('account.disabled', email, ({ created_at, disabled_at, token_version }) =>
        disabled_at === null
          ? { disabled_at: nowAfter(context, created_at), token_version: token_version + 1 }
          : undefined,
      ),

    enable: (email) =>
      change('account.enabled', email, ({ disabled_at }) =>
        disabled_at === null ? undefined : { disabled_at: null },
      ),

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

function checked(credentials: Credentials): Credentials {
  const { email, password } = check<Credentials>('RegisterRequest', credentials, (input) => [
    ...(typeof input['email'] === 'string' ? emailErrors(input['email']) : []),
    ...(typeof input['password'] === 'string' ? passwordErrors(input['password']) : []),
  ]);
  return { email: normalizeEmail(email), password };
}

function toListedAccount(record: AccountRecord): ListedAccount {
  // A store of JSON holds records of older releases, which did not say by whom.
  const { disabled_at, created_by = null, changed_at = null, changed_by = null } = record;
  return { ...toAccount(record), disabled: disabled_at !== null, created_by, changed_at, changed_by };
}

/** What a change of an account says of itself. */
export function nextChange(
  context: Context,
  found: AccountRecord,
  changed_by: string,
): Pick<AccountRecord, 'version' | 'changed_at' | 'changed_by'> {
  const changed_at = nowAfter(context, found.changed_at ?? found.created_at);
  return { version: found.version + 1, changed_at, changed_by };
}

/** The account as it is shown. */
export function toAccount({ id, email, plan, created_at }: AccountRecord): Account {
  return { id, email, plan, created_at };
}
