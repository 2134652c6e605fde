import { passwordErrors } from '../../credential/password.ts';
import type { RoomCode } from '../../operations/room-code.ts';
import type { AccountOverview } from '../../records.ts';
import { check } from '../../schema/check.ts';
import type { ErasuresInside } from '../erasure/erasures.ts';
import { ownedKey, toApiKey } from '../keys/key-record.ts';
import type { HostKeys } from '../keys/keys.ts';
import { founderRecord, isUntouched, memberOf, storedAccount } from '../logins/logins.ts';
import type { Actor, CallOptions } from '../shared/callers.ts';
import { accountOf, authorOf, type Context, now, usageCounter } from '../shared/context.ts';
import { logChange } from '../shared/security-log.ts';
import {
  assertStill,
  checkPassword,
  type OwnPassword,
  ownPassword,
  storePassword,
  toAccount,
  wrongPassword,
} from './account-record.ts';
import { closeAccount } from './close-account.ts';
import type { AccountRecord } from './collections.ts';
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

/** The origin of a request that contains a password. */
export interface FromClient {
  /** The client whose failures are counted. A call in process has no client and no limit. */
  readonly client?: CallerOrigin;
}

/** The methods with which an account reads and changes itself. */
export interface OwnAccount<Options = CallOptions> {
  /**
   * Returns the account with its usage and the limits of its plan; throws `not_found` if the account has no record in
   * this service.
   */
  account(options?: Options): Promise<AccountOverview>;
  /**
   * Changes the password of the acting member, by default of the first member. Ends the sessions of the member; API
   * keys stay valid.
   *
   * @throws {IdentityError} `conflict` for a member without a password
   * @throws {IdentityError} `invalid_credentials` for a wrong present password, which counts as a failed login of
   * `client`
   */
  changePassword(change: PasswordChange, options?: Options): Promise<void>;
  /**
   * Deletes the account. Its logins and API keys end at once. Then the service erases its data, except the ids of its
   * passports, which stay revoked.
   *
   * @throws {IdentityError} `invalid_credentials` as for `changePassword`
   */
  deleteAccount(deletion: AccountDeletion, options?: Options): Promise<void>;
}

/** The methods in process with which an account reads and changes itself. */
export interface HostOwnAccount extends OwnAccount<Actor> {
  changePassword(change: PasswordChange, options?: Actor & FromClient): Promise<void>;
  deleteAccount(deletion: AccountDeletion, options?: Actor & FromClient): Promise<void>;
}

/** The dependencies of `createOwnAccount`. */
export interface OwnAccountParts {
  readonly keys: RoomCode<HostKeys>;
  readonly throttle: Throttle;
  readonly erasures: Pick<ErasuresInside, 'wake'>;
}

/** Creates the methods with which accounts read and change themselves. */
export function createOwnAccount(
  context: Pick<
    Context,
    | 'store'
    | 'clock'
    | 'nextEventName'
    | 'passwords'
    | 'tokens'
    | 'plans'
    | 'defaultPlan'
    | 'auditDays'
    | 'log'
  >,
  { keys, throttle, erasures }: OwnAccountParts,
): HostOwnAccount {
  const { store, passwords } = context;

  async function checked(actor: Actor & FromClient, password: string): Promise<OwnPassword> {
    const before = await ownPassword(context, actor);
    const who = before.member.email ?? before.member.id;
    await throttle.attempt(who, actor.client, (visitor) => checkPassword(context, before, password, visitor));
    return before;
  }

  return {
    async account(actor = {}) {
      const record = await storedAccount(context, accountOf(context, actor));
      const active_keys = await keys.activeCount(actor);
      const passports = await store.count(usageCounter('passports', record.id), now(context));
      return {
        ...toAccount(record),
        usage: { active_keys, passports, members: await memberCount(context, record) },
        ...(await askerOf(context, record, actor)),
        limits: { ...context.plans[record.plan] },
      };
    },

    async changePassword(given, { client, ...actor } = {}) {
      const { current_password, new_password } = check<PasswordChange>('PasswordChange', given, (input) =>
        typeof input['new_password'] === 'string'
          ? passwordErrors(input['new_password'], '/new_password')
          : [],
      );
      const before = await checked({ ...actor, ...(client && { client }) }, current_password);
      const password_hash = await passwords.hash(new_password, visitorOf(client));
      const find = async (): Promise<OwnPassword> => {
        const found = await ownPassword(context, actor);
        // Another password was set in the meantime: the one that was checked is not the present one.
        if (found.login.password_hash !== before.login.password_hash) throw wrongPassword();
        return found;
      };
      await storePassword(context, find, { password_hash, by: authorOf(context, actor) });
      logChange(context, 'account.password_changed', actor, origin(client));
    },

    async deleteAccount(given, { client, ...actor } = {}) {
      const { current_password } = check<AccountDeletion>('AccountDeletion', given);
      const before = await checked({ ...actor, ...(client && { client }) }, current_password);
      await closeAccount(context, before.account.id, {
        by: authorOf(context, actor),
        facts: { ...origin(client), request_id: actor.request_id },
        assertStill: () => assertStill(context, before),
      });
      erasures.wake();
    },
  };
}

/** Returns the number of members. An account that predates members has one. */
async function memberCount(
  context: Pick<Context, 'store' | 'clock'>,
  record: AccountRecord,
): Promise<number> {
  if (isUntouched(record)) return 1;
  return context.store.count(usageCounter('members', record.id), now(context));
}

/** Returns the calling management key, or else the calling member. */
async function askerOf(
  context: Pick<Context, 'store' | 'clock' | 'tokens'>,
  record: AccountRecord,
  actor: Actor,
): Promise<Pick<AccountOverview, 'member' | 'key'>> {
  if (actor.management === undefined) return { member: await ownMember(context, record, actor) };
  return { key: toApiKey(await ownedKey(context, actor.key_id ?? '', actor), now(context)) };
}

/** Returns the acting member; `null` if the call names no member. */
async function ownMember(
  context: Pick<Context, 'store'>,
  record: AccountRecord,
  { member_id }: Actor,
): Promise<NonNullable<AccountOverview['member']> | null> {
  if (member_id === undefined) return null;
  const stored = await memberOf(context, record.id, member_id);
  const member = stored ?? (isUntouched(record) ? founderRecord(record) : undefined);
  if (member === undefined) return null;
  const { id, email, name, role } = member;
  return { id, email, name, role };
}
