/** The account's own view of itself, and the change of its password. */
import type { Visitor } from '../../credential/fair-queue.ts';
import { passwordErrors } from '../../credential/password.ts';
import { IdentityError } from '../../errors.ts';
import type { AccountRecord } from '../../ports/stored-records.ts';
import type { AccountOverview } from '../../records.ts';
import { check } from '../../schema/check.ts';
import type { ErasuresInside } from '../erasure/erasures.ts';
import type { Keys } from '../keys/keys.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, authorOf, type Context, now, usageCounter } from '../shared/context.ts';
import { logChange } from '../shared/security-log.ts';
import { replace, untilWritten } from '../storage/store.ts';
import { isErased, nextChange, passwordChanged, toAccount } from './account-record.ts';
import { closeAccount } from './close-account.ts';
import { type CallerOrigin, origin, type Throttle, visitorOf } from './throttle.ts';

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

/** The source of a password. */
export interface FromClient {
  /** The client whose failures are counted. A call in process has none, and no limit. */
  readonly client?: CallerOrigin;
}

/** The methods with which an account reads and changes itself. */
export interface OwnAccount {
  /** Returns the account with its usage and the limits of its plan; `not_found` for an account without a record here. */
  account(actor?: Actor): Promise<AccountOverview>;
  /**
   * Changes the password and ends every session of the account; its API keys stay valid. `invalid_credentials` for a
   * wrong present password, counted as a failed login of `client`.
   */
  changePassword(change: PasswordChange, options?: Actor & FromClient): Promise<void>;
  /**
   * Deletes the account. At once it cannot sign in and its keys are refused; then its data is erased, except the ids
   * of its passports, which stay revoked. `invalid_credentials` as for `changePassword`.
   */
  deleteAccount(deletion: AccountDeletion, options?: Actor & FromClient): Promise<void>;
}

/** The dependencies of these methods. */
export interface OwnAccountParts {
  readonly keys: Keys;
  readonly throttle: Throttle;
  readonly erasures: Pick<ErasuresInside, 'wake'>;
}

/** Makes the methods with which the accounts of one service act on themselves. */
export function createOwnAccount(
  context: Context,
  { keys, throttle, erasures }: OwnAccountParts,
): OwnAccount {
  const { store, passwords } = context;

  async function own(actor: Actor): Promise<AccountRecord> {
    const record = await store.get('accounts', accountOf(context, actor));
    if (record !== undefined && !isErased(record)) return record;
    throw new IdentityError('not_found', 'There is no such account.');
  }

  async function checkPassword(record: AccountRecord, password: string, visitor: Visitor): Promise<void> {
    if (record.disabled_at === null && (await passwords.verify(password, record.password_hash, visitor)))
      return;
    throw wrongPassword();
  }

  return {
    async account(actor = {}) {
      const record = await own(actor);
      const active_keys = await keys.activeCount(actor);
      const passports = await store.count(usageCounter('passports', record.id), now(context));
      return {
        ...toAccount(record),
        usage: { active_keys, passports },
        limits: { ...context.plans[record.plan] },
      };
    },

    async changePassword(given, { client, ...actor } = {}) {
      const { current_password, new_password } = check<PasswordChange>('PasswordChange', given, (input) =>
        typeof input['new_password'] === 'string'
          ? passwordErrors(input['new_password'], '/new_password')
          : [],
      );
      const before = await own(actor);
      await throttle.attempt(before.email, client, (visitor) =>
        checkPassword(before, current_password, visitor),
      );
      const password_hash = await passwords.hash(new_password, visitorOf(client));
      await untilWritten(async () => {
        const found = await own(actor);
        // Another password was set in the meantime: the one that was checked is not the present one.
        if (found.password_hash !== before.password_hash) throw wrongPassword();
        const token_version = found.token_version + 1;
        const changed = nextChange(context, found, authorOf(context, actor));
        const record = { ...found, password_hash, token_version, ...changed };
        const event = passwordChanged(context, record, authorOf(context, actor));
        const result = await store.write(replace('accounts', record, found.version), event);
        if (!result.written) return undefined;
        logChange(context, 'account.password_changed', actor, origin(client));
        return true;
      });
    },

    async deleteAccount(given, { client, ...actor } = {}) {
      const { current_password } = check<AccountDeletion>('AccountDeletion', given);
      const before = await own(actor);
      await throttle.attempt(before.email, client, (visitor) =>
        checkPassword(before, current_password, visitor),
      );
      await closeAccount(context, before.id, {
        by: authorOf(context, actor),
        facts: { ...origin(client), request_id: actor.request_id },
        assertStill: ({ password_hash }) => {
          // Another password was set in the meantime: the one that was checked is not the present one.
          if (password_hash !== before.password_hash) throw wrongPassword();
        },
      });
      erasures.wake();
    },
  };
}

function wrongPassword(): IdentityError {
  return new IdentityError('invalid_credentials', 'The current password is wrong.');
}
