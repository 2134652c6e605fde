/** The accounts and members for whom a host has signed people in. */

import { hostAccountId, hostMemberId } from '../../credential/host-ids.ts';
import { IdentityError } from '../../errors.ts';
import type { HostLogin } from '../../records.ts';
import { accountCreated } from '../accounts/account-record.ts';
import type { AccountRecord } from '../accounts/collections.ts';
import type { MemberRecord } from '../members/collections.ts';
import { memberCountStep, memberEvent, tooManyMembers } from '../members/member-record.ts';
import type { Actor, SessionCaller } from '../shared/callers.ts';
import type { Context } from '../shared/context.ts';
import { logSecurityEvent } from '../shared/security-log.ts';
import { insert, replace, untilWritten } from '../storage/store.ts';
import { changedAccount, changedMember, type HostRecords, newAccount, newMember } from './host-records.ts';
import { readHostLogin } from './read-host-login.ts';

/** The actor of a person whom a host has signed in. */
export type HostActor = Actor & Pick<SessionCaller, 'account_id' | 'member_id'>;

/** Finds the accounts and members of hosts, and makes them at first sight. */
export interface HostAccounts {
  /**
   * Returns the caller of a request. `invalid_request` for a login that breaks a rule; `unauthenticated` for an account
   * that is unknown or disabled and for a member that was removed, with the reason in the details; `plan_limit_reached`
   * for a person more than 1,000 members.
   */
  authenticateHost(login: unknown): Promise<SessionCaller>;
  /** Returns the actor for methods in process, as `authenticateHost` does. */
  actorOf(login: HostLogin): Promise<HostActor>;
}

/** Makes the accounts of one service. */
export function createHostAccounts(context: Context): HostAccounts {
  async function authenticateHost(given: unknown): Promise<SessionCaller> {
    const login = readHostLogin(given);
    const records = await untilWritten(async () => {
      const found = await seen(context, login);
      return (await storeChanges(context, login, found)) ? found : undefined;
    });
    const { id: account_id, plan } = records.account;
    return { account_id, session_id: null, member_id: records.member.id, role: login.role, plan };
  }

  return {
    authenticateHost,
    async actorOf(login) {
      const { account_id, member_id } = await authenticateHost(login);
      return { account_id, member_id };
    },
  };
}

/** Returns the account and the member of a login, and makes in one write what is seen for the first time. */
function seen(context: Context, login: HostLogin): Promise<HostRecords> {
  const { store } = context;
  const account_id = login.account === undefined ? (login.account_id ?? '') : hostAccountId(login.account);
  const ids = { account_id, member_id: hostMemberId(account_id, login.member) };
  return untilWritten(async () => {
    const found = await Promise.all([
      store.get('accounts', ids.account_id),
      store.get('members', ids.member_id),
    ]);
    assertMayAct(login, ...found);
    const [account = newAccount(context, login, ids), member = newMember(context, login, ids)] = found;
    const isNewAccount = found[0] === undefined;
    if (!isNewAccount && found[1] !== undefined) return { account, member };
    const result = await store.write(
      ...(isNewAccount ? [insert('accounts', account), accountCreated(context, account.id, member.id)] : []),
      insert('members', member),
      memberCountStep(context, account.id, 1),
      memberEvent(context, 'member.joined', member, member.id),
    );
    if (!result.written && result.failure === 'limit') throw tooManyMembers();
    // Another request was faster, perhaps on another node: it has made the same records.
    if (!result.written) return undefined;
    const by = { account_id: account.id, by: member.id };
    if (isNewAccount) logSecurityEvent(context, 'account.created', by);
    logSecurityEvent(context, 'member.joined', { ...by, member_id: member.id });
    return { account, member };
  });
}

/** Throws `unauthenticated` for an account that is unknown or disabled, and for a member that was removed. */
function assertMayAct(
  login: HostLogin,
  account: AccountRecord | undefined,
  member: MemberRecord | undefined,
): void {
  const field = login.account === undefined ? 'account_id' : 'account';
  if (account === undefined && login.account === undefined) throw refused(field, 'unknown');
  if (account !== undefined && account.disabled_at !== null) throw refused(field, 'disabled');
  if (member !== undefined && member.status !== 'active') throw refused('member', 'removed');
}

/**
 * Stores what the host says otherwise now. Returns `false` for a role that is not stored because another change came
 * first: an approval counts by the stored role. Of names and e-mails a later request looks again.
 */
async function storeChanges(context: Context, login: HostLogin, records: HostRecords): Promise<boolean> {
  const { account, member } = records;
  const [nextMember, nextAccount] = [
    changedMember(context, login, member),
    changedAccount(context, login, records),
  ];
  const steps = [
    ...(nextMember === undefined
      ? []
      : [
          replace('members', nextMember, member.version),
          memberEvent(context, 'member.updated', nextMember, member.id),
        ]),
    ...(nextAccount === undefined ? [] : [replace('accounts', nextAccount, account.version)]),
  ];
  if (steps.length === 0) return true;
  return (await context.store.write(...steps)).written || member.role === login.role;
}

/** Makes the error of a login that is valid and may not act. The details are for the log of the operator. */
function refused(field: string, reason: string): IdentityError {
  return new IdentityError('unauthenticated', 'This login may not act here.', {
    details: { hostLogin: { field, reason } },
  });
}
