/** Uses a link. One write removes the link and stores the login of its member. */

import type { AccountRecord } from '../core/accounts/collections.ts';
import type { LoginRecord, MemberRecord } from '../core/members/collections.ts';
import { loginIdOf } from '../core/members/login-record.ts';
import { nextMember, type SignedIn } from '../core/members/members.ts';
import { type Context, now } from '../core/shared/context.ts';
import { logSecurityEvent } from '../core/shared/security-log.ts';
import { remove, replace, untilWritten } from '../core/storage/store.ts';
import { IdentityError } from '../errors.ts';
import { hashing } from '../platform/index.ts';
import type { Change } from '../ports/storage.ts';
import { memberCountStep, memberEvent, tooManyMembers } from './member-events.ts';
import { guardOwners, type PeopleContext } from './member-record.ts';
import { type CallerOrigin, origin } from './throttle.ts';

/** A valid link, with its member and account. */
export interface OpenLink extends SignedIn {
  readonly link: LoginRecord;
}

/** The new login of a member: the fields for the member record, and the steps that store the login. */
export interface ChosenLogin {
  readonly fields: Partial<MemberRecord> &
    Pick<MemberRecord, 'email' | 'login'> & { readonly login_id: string };
  readonly steps: readonly Change[];
}

/**
 * Chooses the login for the member of a link. Throws if the member must not have the login. The service calls the
 * function again after a conflicting change.
 */
export type ChooseLogin = (signedIn: SignedIn) => Promise<ChosenLogin>;

/** Uses a link, and returns the member with the new login; throws `not_found` for an invalid link. */
export type UseLink = (token: string, choose: ChooseLogin, client?: CallerOrigin) => Promise<SignedIn>;

/**
 * Finds a valid link.
 *
 * @throws {IdentityError} `not_found` for every invalid link, without the reason.
 */
export async function findLink(context: Pick<Context, 'store' | 'clock'>, token: string): Promise<OpenLink> {
  const { store } = context;
  const digest = hashing.sha256Hex(token);
  const link = await store.get('logins', loginIdOf(digest));
  const [account, member] =
    link === undefined
      ? []
      : await Promise.all([store.get('accounts', link.account_id), store.get('members', link.member_id)]);
  if (link === undefined || account === undefined || member === undefined) throw noLink();
  const isValid = link.digest === digest && member.link_id === link.id && link.kind === 'link';
  if (!isValid || account.disabled_at !== null || (link.expires_at ?? '') <= now(context)) throw noLink();
  return { link, account, member };
}

/** Creates the error for an invalid link. */
export function noLink(): IdentityError {
  return new IdentityError(
    'not_found',
    'The link was used or replaced, or is expired. Ask an owner for another link.',
  );
}

/** Creates the function that uses links. */
export function createLinkUse(
  context: Pick<PeopleContext, 'store' | 'clock' | 'nextEventName' | 'mapsPeople' | 'auditDays' | 'log'>,
): UseLink {
  const { store } = context;

  async function withoutOld({ id, login_id }: MemberRecord, next: string): Promise<readonly Change[]> {
    if (login_id === null || login_id === next) return [];
    const old = await store.get('logins', login_id);
    // The identity of a removed member may have become the login of another one.
    return old?.member_id === id ? [remove('logins', old.id, old.version)] : [];
  }

  return async (token, choose, client) => {
    const use = await untilWritten(async () => {
      const { link, account, member } = await findLink(context, token);
      const { fields, steps } = await choose({ account, member });
      const resets = member.status === 'active';
      const next: MemberRecord = {
        ...nextMember(context, member, member.id),
        ...fields,
        status: 'active',
        link_id: null,
        token_version: member.token_version + 1,
      };
      const guard = await guardOwners(context, account, { before: member, after: next });
      const event: 'member.joined' | 'member.login_replaced' = resets
        ? 'member.login_replaced'
        : 'member.joined';
      const result = await store.write(
        remove('logins', link.id, link.version),
        replace('members', next, member.version),
        ...steps,
        ...(await withoutOld(member, fields.login_id)),
        ...guard,
        ...(member.status === 'removed' ? [memberCountStep(context, account.id, 1)] : []),
        memberEvent(context, event, next, next.id),
      );
      if (!result.written && result.failure === 'limit') throw tooManyMembers();
      return result.written
        ? { event, who: { account: asGuarded(account, guard), member: next } }
        : undefined;
    });
    const { event, who: signedIn } = use;
    const { id, account_id } = signedIn.member;
    logSecurityEvent(context, event, { account_id, member_id: id, by: id, ...origin(client) });
    return signedIn;
  };
}

/** Returns the account with its version after the guard steps, which raise the version by 1. */
function asGuarded(account: AccountRecord, guard: readonly Change[]): AccountRecord {
  return guard.length === 0 ? account : { ...account, version: account.version + 1 };
}
