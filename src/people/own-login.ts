/** The password of the acting member, and the deletion of the account, which needs the password. */
import { type OwnPassword, ownPassword, storePassword } from '../core/accounts/account-record.ts';
import { closeAccount } from '../core/accounts/close-account.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import { authorOf, type Context } from '../core/shared/context.ts';
import { logChange } from '../core/shared/security-log.ts';
import type { Visitor } from '../credential/fair-queue.ts';
import { passwordErrors } from '../credential/password.ts';
import { IdentityError } from '../errors.ts';
import { check } from '../schema/check.ts';
import { type CallerOrigin, origin, type Throttle, visitorOf } from './throttle.ts';
import { accountDeletionSchema, passwordChangeSchema } from './validators.generated.ts';

/** The present and the new password. */
export interface PasswordChange {
  /** The present password. */
  readonly current_password: string;
  /** The new password: 12 to 128 characters, any Unicode. */
  readonly new_password: string;
}

/** The confirmation of a deletion. */
export interface AccountDeletion {
  /** The present password. */
  readonly current_password: string;
}

/** The origin of a request that contains a password. */
export interface FromClient {
  /** The client. Its failures count against a limit. A call in process has no client and no limit. */
  readonly client?: CallerOrigin;
}

/** The method with which a member changes the password. */
export interface PasswordChanges<Options = CallOptions> {
  /**
   * Changes the password of the acting member, by default of the first member. Ends the sessions of the member; API
   * keys stay valid.
   *
   * @throws {IdentityError} `conflict` for a member without a password.
   * @throws {IdentityError} `invalid_credentials` for a wrong present password, which counts as a failed login of
   * `client`.
   * @throws {IdentityError} `rate_limited` after too many failures of `client`.
   * @throws {IdentityError} `overloaded` if too many passwords wait for their check.
   * @throws {IdentityError} `invalid_request` for a new password that breaks a rule.
   */
  changePassword(change: PasswordChange, options?: Options): Promise<void>;
}

/** The method with which an owner deletes the account. */
export interface AccountDeletions<Options = CallOptions> {
  /**
   * Deletes the account. Its logins and API keys end at once. Then the service erases its data, except the ids of its
   * passports, which stay revoked.
   *
   * @throws {IdentityError} `invalid_credentials` as for `changePassword`.
   * @throws {IdentityError} `rate_limited` after too many failures of `client`.
   * @throws {IdentityError} `overloaded` if too many passwords wait for their check.
   * @throws {IdentityError} `conflict` for a member without a password.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  deleteAccount(deletion: AccountDeletion, options?: Options): Promise<void>;
}

/** The methods in process that need the password of the acting member. */
export interface HostOwnLogin extends PasswordChanges<Actor>, AccountDeletions<Actor> {
  changePassword(change: PasswordChange, options?: Actor & FromClient): Promise<void>;
  deleteAccount(deletion: AccountDeletion, options?: Actor & FromClient): Promise<void>;
}

/** The dependencies of `createOwnLogin`. */
export interface OwnLoginParts {
  readonly throttle: Throttle;
  /** Begins the erasure of deleted accounts. */
  readonly wakeErasures: () => void;
}

/** Creates the methods that need the password of the acting member. */
export function createOwnLogin(
  context: Pick<
    Context,
    'store' | 'clock' | 'nextEventName' | 'passwords' | 'session' | 'defaultPlan' | 'auditDays' | 'log'
  >,
  { throttle, wakeErasures }: OwnLoginParts,
): HostOwnLogin {
  const { passwords } = context;

  async function checked(actor: Actor & FromClient, password: string): Promise<OwnPassword> {
    const passwordBefore = await ownPassword(context, actor);
    const email = passwordBefore.member.email ?? passwordBefore.member.id;
    await throttle.attempt(email, actor.client, (visitor) =>
      checkPassword(context, passwordBefore, password, visitor),
    );
    return passwordBefore;
  }

  return {
    async changePassword(change, { client, ...actor } = {}) {
      const { current_password, new_password } = check<PasswordChange>(
        passwordChangeSchema,
        change,
        (input) =>
          typeof input['new_password'] === 'string'
            ? passwordErrors(input['new_password'], '/new_password')
            : [],
      );
      const passwordBefore = await checked({ ...actor, ...(client && { client }) }, current_password);
      const password_hash = await passwords.hash(new_password, visitorOf(client));
      const find = async (): Promise<OwnPassword> => {
        const password = await ownPassword(context, actor);
        // Another password was set in the meantime: the one that was checked is not the present one.
        if (password.login.password_hash !== passwordBefore.login.password_hash) throw wrongPassword();
        return password;
      };
      await storePassword(context, find, { password_hash, by: authorOf(context, actor) });
      logChange(context, 'account.password_changed', actor, origin(client));
    },

    async deleteAccount(deletion, { client, ...actor } = {}) {
      const { current_password } = check<AccountDeletion>(accountDeletionSchema, deletion);
      const passwordBefore = await checked({ ...actor, ...(client && { client }) }, current_password);
      await closeAccount(context, passwordBefore.account.id, {
        by: authorOf(context, actor),
        facts: { ...origin(client), request_id: actor.request_id },
        assertStill: () => assertStill(context, passwordBefore),
      });
      wakeErasures();
    },
  };
}

async function checkPassword(
  { passwords }: Pick<Context, 'passwords'>,
  { account, login }: OwnPassword,
  password: string,
  visitor: Visitor,
): Promise<void> {
  if (account.disabled_at !== null) throw wrongPassword();
  if (!(await passwords.verify(password, login.password_hash, visitor))) throw wrongPassword();
}

/** Rejects with `invalid_credentials` if the password has changed since it was checked. */
async function assertStill({ store }: Pick<Context, 'store'>, { login }: OwnPassword): Promise<void> {
  const present = await store.get('logins', login.id);
  if (present?.password_hash !== login.password_hash) throw wrongPassword();
}

function wrongPassword(): IdentityError {
  return new IdentityError('invalid_credentials', 'The current password is wrong.');
}
