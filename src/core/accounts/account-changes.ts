import { IdentityError, wrongField } from '../../errors.ts';
import type { Change } from '../../ports/storage.ts';
import type { Account, Plan } from '../../records.ts';
import { findLogin, withFirstMember } from '../logins/logins.ts';
import { type Context, nowAfter, OPERATOR } from '../shared/context.ts';
import { eventOf } from '../shared/outbox.ts';
import { logSecurityEvent, type SecurityFacts } from '../shared/security-log.ts';
import { replace, untilWritten } from '../storage/store.ts';
import {
  type Credentials,
  checkedCredentials,
  namedAccount,
  nextChange,
  ownPassword,
  storePassword,
  toAccount,
} from './account-record.ts';
import type { AccountRecord } from './collections.ts';

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

export function createAccountChanges(
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
      const foundRecord = await withFirstMember(context, await namedAccount(context, account));
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
