/** Changes of members: role and name, removal, and the end of their sessions. */

import type { AccountRecord } from '../core/accounts/collections.ts';
import { makerOf } from '../core/keys/key-record.ts';
import type { HostKeys } from '../core/keys/keys.ts';
import type { MemberRecord } from '../core/members/collections.ts';
import { nextMember, storedAccount } from '../core/members/members.ts';
import type { Actor } from '../core/shared/callers.ts';
import { accountOf, authorOf } from '../core/shared/context.ts';
import { isSamePerson, nameErrors } from '../core/shared/people.ts';
import { everyRecord, recordsBy } from '../core/shared/record-lists.ts';
import { logChange } from '../core/shared/security-log.ts';
import { remove, replace, untilWritten } from '../core/storage/store.ts';
import { conflict, refuseAny } from '../errors.ts';
import type { Change } from '../ports/storage.ts';
import type { Member } from '../records/member.ts';
import type { Role } from '../records.ts';
import { check } from '../schema/check.ts';
import { mustBe } from '../schema/expected.ts';
import { memberCountStep, memberEvent } from './member-events.ts';
import {
  endMemberSessions,
  guardOwners,
  ownedMember,
  type PeopleContext,
  toMember,
} from './member-record.ts';
import { memberPatchSchema } from './validators.generated.ts';

/** A change of a member. */
export interface MemberPatch {
  /** The role. */
  readonly role?: Role;
  /** The display name, 1 to 100 characters. */
  readonly name?: string;
}

/** The settings of a removal. */
export interface MemberRemoval {
  /** `true` to revoke the keys that the member made. */
  readonly revoke_keys?: boolean;
}

/** Changes the members of an account. */
export interface MemberChanges<Options> {
  /**
   * Changes the role or the name.
   *
   * @throws {IdentityError} `not_found` if the account has no such member.
   * @throws {IdentityError} `conflict` for a removed member, for the last owner, and for a change of the role if the
   * `map` of the option `oidc` sets the roles.
   * @throws {IdentityError} `invalid_request` for a wrong patch.
   */
  update(id: string, patch: MemberPatch, options?: Options): Promise<Member>;
  /**
   * Removes a member. The service refuses the sessions and logins of the member at once. The record of the member
   * stays.
   *
   * @throws {IdentityError} `not_found` if the account has no such member.
   * @throws {IdentityError} `conflict` for the last owner.
   * @throws {IdentityError} `invalid_request` for a wrong `revoke_keys`.
   */
  remove(id: string, removal?: MemberRemoval, options?: Options): Promise<void>;
  /**
   * Ends every session of a member at once, on every node.
   *
   * @throws {IdentityError} `not_found` if the account has no such member.
   */
  endSessions(id: string, options?: Options): Promise<void>;
}

const KEYS_PAGE = 100;

export function createMemberChanges(
  context: Pick<
    PeopleContext,
    'store' | 'clock' | 'nextEventName' | 'session' | 'mapsPeople' | 'auditDays' | 'log'
  >,
  keys: Pick<HostKeys, 'revoke'>,
): MemberChanges<Actor> {
  const { store } = context;
  const ownAccount = (actor: Actor): Promise<AccountRecord> =>
    storedAccount(context, accountOf(context, actor));

  async function revokeKeys({ id, account_id }: MemberRecord, actor: Actor): Promise<void> {
    for await (const key of everyRecord(recordsBy(store, 'keys', { account_id }), KEYS_PAGE)) {
      if (isSamePerson(makerOf(key), id) && key.status !== 'revoked') await keys.revoke(key.id, actor);
    }
  }

  async function storeRemoved(
    account: AccountRecord,
    record: MemberRecord,
    author: string,
  ): Promise<true | undefined> {
    const isRemoved = record.status === 'removed';
    if (isRemoved && record.link_id === null) return true;
    const login = record.login_id === null ? undefined : await store.get('logins', record.login_id);
    // A password frees its e-mail; an identity of an issuer stays and is refused, so that no directory brings it back.
    const freedChanges =
      !isRemoved && login?.kind === 'password' ? [remove('logins', login.id, login.version)] : [];
    const next: MemberRecord = {
      ...nextMember(context, record, author),
      status: 'removed',
      link_id: null,
      login_id: freedChanges.length > 0 ? null : record.login_id,
      token_version: record.token_version + 1,
    };
    const steps: readonly Change[] = isRemoved
      ? []
      : [memberCountStep(context, account.id, -1), memberEvent(context, 'member.removed', next, author)];
    const guard = await guardOwners(context, account, { before: record, after: next });
    const result = await store.write(
      replace('members', next, record.version),
      ...freedChanges,
      ...guard,
      ...steps,
    );
    return result.written ? true : undefined;
  }

  return {
    async update(id, givenPatch, actor = {}) {
      const patch = check<MemberPatch>(memberPatchSchema, givenPatch, nameErrors);
      const author = authorOf(context, actor);
      return untilWritten(async () => {
        const account = await ownAccount(actor);
        const record = await ownedMember(context, account.id, id);
        if (record.status === 'removed')
          throw conflict(`The member ${id} is removed. Invite the person again.`);
        const { role = record.role, name = record.name } = patch;
        if (role === record.role && name === record.name) return toMember(record);
        if (role !== record.role && record.login === 'oidc' && context.mapsPeople)
          throw conflict('The directory of the issuer sets the role of this member. Change it there.');
        const next = { ...nextMember(context, record, author), role, name };
        const guard = await guardOwners(context, account, { before: record, after: next });
        const event = memberEvent(context, 'member.updated', next, author);
        const result = await store.write(replace('members', next, record.version), ...guard, event);
        if (!result.written) return undefined;
        logChange(context, 'member.updated', actor, { member_id: id });
        return toMember(next);
      });
    },

    async remove(id, removal = {}, actor = {}) {
      const { revoke_keys = false } = removal;
      if (typeof revoke_keys !== 'boolean')
        refuseAny([{ path: '/revoke_keys', code: 'wrong_type', message: mustBe('/revoke_keys') }]);
      const record = await untilWritten(async () => {
        const account = await ownAccount(actor);
        const member = await ownedMember(context, account.id, id);
        return (await storeRemoved(account, member, authorOf(context, actor))) && member;
      });
      if (record.status !== 'removed') logChange(context, 'member.removed', actor, { member_id: id });
      if (revoke_keys) await revokeKeys(record, actor);
    },

    async endSessions(id, actor = {}) {
      const account = await ownAccount(actor);
      const record = await ownedMember(context, account.id, id);
      await endMemberSessions(context, record, { by: authorOf(context, actor) });
      logChange(context, 'member.sessions_ended', actor, { member_id: id });
    },
  };
}
