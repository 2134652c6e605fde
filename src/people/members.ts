/** The members of an account: people with roles, and the links with which they join. */

import type { Pages } from '../base/pages.ts';
import { MEMBER_STATUSES } from '../base/values/vocabulary.ts';
import type { AccountRecord } from '../core/accounts/collections.ts';
import type { HostKeys } from '../core/keys/keys.ts';
import type { MemberRecord } from '../core/members/collections.ts';
import { nextMember, storedAccount } from '../core/members/members.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import { accountOf, authorOf, now } from '../core/shared/context.ts';
import { limitErrors, type PageRequest, readPage } from '../core/shared/pages.ts';
import { nameErrors } from '../core/shared/people.ts';
import { recordsBy } from '../core/shared/record-lists.ts';
import { logChange } from '../core/shared/security-log.ts';
import { insert, notWritten, remove, replace, untilWritten } from '../core/storage/store.ts';
import { emailErrors } from '../credential/email.ts';
import { randomId } from '../credential/random-id.ts';
import { conflict, refuseAny } from '../errors.ts';
import type { RoomCode } from '../operations/room-code.ts';
import type { Member, MemberLink, MemberStatus, NewMember } from '../records/member.ts';
import type { Page, Role } from '../records.ts';
import { check } from '../schema/check.ts';
import { mustBe } from '../schema/expected.ts';
import { newLink } from './links.ts';
import { createMemberChanges, type MemberChanges } from './member-changes.ts';
import { memberCountStep, memberEvent, tooManyMembers } from './member-events.ts';
import { emailOrNull, ownedMember, type PeopleContext, toMember } from './member-record.ts';
import { memberRequestSchema } from './validators.generated.ts';

/** A person to invite. */
export interface MemberInput {
  /** The role. */
  readonly role: Role;
  /** The e-mail address to sign in with. If absent, the person chooses an address. */
  readonly email?: string;
  /** The display name, 1 to 100 characters. */
  readonly name?: string;
}

/** A query of members. */
export interface MemberQuery extends PageRequest {
  /** Only members of this status. Default: all except removed members. */
  readonly status?: MemberStatus;
}

/** Manages the members of an account. */
export interface AccountMembers<Options = CallOptions> extends MemberChanges<Options> {
  /**
   * Lists the members, newest first.
   *
   * @throws {IdentityError} `invalid_request` for a wrong filter, limit or cursor.
   */
  list(query?: MemberQuery, options?: Options & CallOptions): Pages<Page<Member>>;
  /**
   * Invites a person. Only this answer contains the link.
   *
   * @throws {IdentityError} `plan_limit_reached` if the account already has 1,000 members.
   * @throws {IdentityError} `invalid_request` for a wrong input.
   */
  invite(input: MemberInput, options?: Options): Promise<NewMember>;
  /**
   * Creates a link, which replaces an earlier link. An invited member joins with the link within 7 days. An active
   * member chooses a new login with the link within 24 hours.
   *
   * @throws {IdentityError} `not_found` if the account has no such member.
   * @throws {IdentityError} `conflict` for a member that the application signs in.
   */
  link(id: string, options?: Options): Promise<MemberLink>;
}

export function createMembers(
  context: Pick<
    PeopleContext,
    | 'store'
    | 'caches'
    | 'clock'
    | 'random'
    | 'nextEventName'
    | 'seal'
    | 'session'
    | 'mapsPeople'
    | 'auditDays'
    | 'log'
  >,
  keys: Pick<HostKeys, 'revoke'>,
): RoomCode<AccountMembers<Actor>> {
  const { store } = context;
  const ownAccount = (actor: Actor): Promise<AccountRecord> =>
    storedAccount(context, accountOf(context, actor));

  return {
    async list(query = {}, options = {}) {
      const { status, ...request } = query;
      refuseAny([
        ...(status === undefined || MEMBER_STATUSES.includes(status)
          ? []
          : [{ path: '/status', code: 'not_allowed', message: mustBe('/status') }]),
        ...limitErrors(request.limit),
      ]);
      const { id: account_id } = await ownAccount(options);
      const filter = { account_id, ...(status !== undefined && { status }) };
      const keep = status === undefined && { keep: (member: MemberRecord) => member.status !== 'removed' };
      const source = { query: ['members', account_id, status], ...recordsBy(store, 'members', filter) };
      return readPage(context, { ...source, show: toMember, ...keep }, request, options);
    },

    async invite(givenInput, actor = {}) {
      const input = check<MemberInput>(memberRequestSchema, givenInput, (fields) => [
        ...(typeof fields['email'] === 'string' ? emailErrors(fields['email']) : []),
        ...nameErrors(fields),
      ]);
      const { id: account_id } = await ownAccount(actor);
      const author = authorOf(context, actor);
      const id = randomId('mem', context.random);
      const { link, record } = newLink(context, { id, account_id, status: 'invited' });
      const member: MemberRecord = {
        id,
        account_id,
        version: 1,
        created_at: now(context),
        created_by: author,
        email: emailOrNull(input.email),
        name: input.name ?? null,
        role: input.role,
        status: 'invited',
        login: null,
        login_id: null,
        link_id: record.id,
        token_version: 1,
        changed_at: null,
        changed_by: null,
      };
      const result = await store.write(
        insert('members', member),
        insert('logins', record),
        memberCountStep(context, account_id, 1),
        memberEvent(context, 'member.invited', member, author),
      );
      if (!result.written) throw result.failure === 'limit' ? tooManyMembers() : notWritten();
      logChange(context, 'member.invited', actor, { member_id: id });
      return { member: toMember(member), link };
    },

    async link(id, actor = {}) {
      const { id: account_id } = await ownAccount(actor);
      const author = authorOf(context, actor);
      return untilWritten(async () => {
        const foundRecord = await ownedMember(context, account_id, id);
        if (foundRecord.login === 'host')
          throw conflict('Your application signs this member in. A sign-in link is not needed.');
        const { link, record } = newLink(context, foundRecord);
        const old = foundRecord.link_id === null ? undefined : await store.get('logins', foundRecord.link_id);
        const next = { ...nextMember(context, foundRecord, author), link_id: record.id };
        const result = await store.write(
          replace('members', next, foundRecord.version),
          insert('logins', record),
          ...(old === undefined ? [] : [remove('logins', old.id, old.version)]),
          memberEvent(context, 'member.link_created', next, author),
        );
        if (!result.written) return undefined;
        logChange(context, 'member.link_created', actor, { member_id: id });
        return link;
      });
    },

    ...createMemberChanges(context, keys),
  };
}
