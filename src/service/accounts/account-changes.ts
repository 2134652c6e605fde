/** Changes of accounts by the operator. */
import { accountIdOf, normalizeEmail } from '../../credential/email.ts';
import { IdentityError, invalidRequest } from '../../errors.ts';
import type { AccountRecord } from '../../ports/stored-records.ts';
import type { Account, Plan } from '../../records.ts';
import { type Context, nowAfter, OPERATOR } from '../shared/context.ts';
import { logSecurityEvent, type SecurityEvent, type SecurityFacts } from '../shared/security-log.ts';
import { replace, untilWritten } from '../storage/store.ts';

import {
  type Credentials,
  checkedCredentials,
  isErased,
  nextChange,
  passwordChanged,
  toAccount,
} from './account-record.ts';

/** Changes accounts. For operators: the caller is not checked. */
export interface AccountChanges {
  /** Sets a new password and ends every session of the account; `not_found` for an unknown e-mail. */
  setPassword(credentials: Credentials): Promise<Account>;
  /** Changes the plan of the account; `not_found` for an unknown e-mail. */
  setPlan(email: string, plan: Plan): Promise<Account>;
  /**
   * Disables the account: it cannot log in, every session ends at once, and every API key is refused within a second.
   * Nothing is deleted. Disabling it again does nothing; `not_found` for an unknown e-mail.
   */
  disable(email: string): Promise<Account>;
  /**
   * Enables a disabled account, and its API keys within a second; earlier sessions stay ended. Enabling it again does
   * nothing; `not_found` for an unknown e-mail.
   */
  enable(email: string): Promise<Account>;
}

/** Makes the methods that change accounts. */
export function createAccountChanges(context: Context): AccountChanges {
  const { store, passwords } = context;

  /** Applies `change`, and retries if another change came first; `undefined` means that there is nothing to change. */
  async function change(
    event: SecurityEvent,
    email: string,
    changed: (found: AccountRecord) => Partial<AccountRecord> | undefined,
    facts: SecurityFacts = {},
  ): Promise<Account> {
    return untilWritten(async () => {
      const found = await store.get('accounts', accountIdOf(normalizeEmail(email)));
      if (found === undefined || isErased(found))
        throw new IdentityError('not_found', 'There is no account with this e-mail.');
      const fields = changed(found);
      if (fields === undefined) return toAccount(found);
      const record = { ...found, ...fields, ...nextChange(context, found, OPERATOR) };
      const steps = event === 'account.password_changed' ? [passwordChanged(context, record, OPERATOR)] : [];
      const result = await store.write(replace('accounts', record, found.version), ...steps);
      if (!result.written) return undefined;
      logSecurityEvent(context, event, { account_id: found.id, by: OPERATOR, ...facts });
      return toAccount(record);
    });
  }

  return {
    async setPassword(credentials) {
      const { email, password } = checkedCredentials(credentials);
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
  };
}
