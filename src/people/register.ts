/** Opens accounts for unknown clients. */
import { type Credentials, checkedCredentials } from '../core/accounts/account-record.ts';
import { openAccount } from '../core/accounts/accounts.ts';
import type { Context } from '../core/shared/context.ts';
import { IdentityError } from '../errors.ts';
import type { Account } from '../records.ts';
import { type CallerOrigin, origin, type Throttle, visitorOf } from './throttle.ts';

/**
 * Opens an account for an unknown client.
 *
 * @throws {IdentityError} `not_found` unless `registration` is `open`.
 * @throws {IdentityError} `already_exists` if the e-mail has an account.
 * @throws {IdentityError} `rate_limited` if the address of `client` has made too many attempts.
 * @throws {IdentityError} `overloaded` if too many passwords wait for their check.
 * @throws {IdentityError} `invalid_request` for a wrong e-mail or password.
 */
export type Register = (credentials: Credentials, client?: CallerOrigin) => Promise<Account>;

/** Creates the method `register`. */
export function createRegister(
  context: Pick<
    Context,
    'store' | 'clock' | 'nextEventName' | 'passwords' | 'defaultPlan' | 'registration' | 'auditDays' | 'log'
  >,
  throttle: Pick<Throttle, 'register'>,
): Register {
  return async (credentials, client) => {
    if (context.registration !== 'open')
      throw new IdentityError('not_found', 'Registration is closed. Ask an operator to create the account.');
    checkedCredentials(credentials);
    await throttle.register(client);
    const visitor = visitorOf(client);
    return openAccount(context, credentials, { opener: 'itself', visitor, facts: origin(client) });
  };
}
