import type { RoomCode } from '../../operations/room-code.ts';
import type { AccountOverview } from '../../records.ts';
import { ownedKey, toApiKey } from '../keys/key-record.ts';
import type { HostKeys } from '../keys/keys.ts';
import { memberOf, storedAccount } from '../members/members.ts';
import type { Actor, CallOptions } from '../shared/callers.ts';
import { accountOf, type Context, now, usageCounter } from '../shared/context.ts';
import { toAccount } from './account-record.ts';
import type { AccountRecord } from './collections.ts';

/** The method with which an account reads itself. */
export interface OwnAccount<Options = CallOptions> {
  /**
   * Returns the account with its usage and the limits of its plan.
   *
   * @throws {IdentityError} `not_found` if the account has no record in this service.
   */
  account(options?: Options): Promise<AccountOverview>;
}

/** The dependencies of `createOwnAccount`. */
export interface OwnAccountParts {
  readonly keys: RoomCode<HostKeys>;
}

/** Creates the method that returns the caller's own account. */
export function createOwnAccount(
  context: Pick<Context, 'store' | 'clock' | 'session' | 'plans'>,
  { keys }: OwnAccountParts,
): OwnAccount<Actor> {
  const { store } = context;

  return {
    async account(actor = {}) {
      const record = await storedAccount(context, accountOf(context, actor));
      const active_keys = await keys.activeCount(actor);
      const [passports, members] = await Promise.all([
        store.count(usageCounter('passports', record.id), now(context)),
        store.count(usageCounter('members', record.id), now(context)),
      ]);
      return {
        ...toAccount(record),
        usage: { active_keys, passports, members },
        ...(await askerOf(context, record, actor)),
        limits: { ...context.plans[record.plan] },
      };
    },
  };
}

async function askerOf(
  context: Pick<Context, 'store' | 'clock' | 'session'>,
  record: AccountRecord,
  actor: Actor,
): Promise<Pick<AccountOverview, 'member' | 'key'>> {
  if (actor.management === undefined) return { member: await ownMember(context, record, actor) };
  return { key: toApiKey(await ownedKey(context, actor.key_id ?? '', actor), now(context)) };
}

async function ownMember(
  context: Pick<Context, 'store'>,
  record: AccountRecord,
  { member_id }: Actor,
): Promise<NonNullable<AccountOverview['member']> | null> {
  if (member_id === undefined) return null;
  const member = await memberOf(context, record.id, member_id);
  if (member === undefined) return null;
  const { id, email, name, role } = member;
  return { id, email, name, role };
}
