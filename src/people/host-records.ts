/** Creates and updates the records of the accounts and members of an application. */
import { formatInstant } from '../base/values/instant.ts';
import type { AccountRecord } from '../core/accounts/collections.ts';
import type { MemberRecord } from '../core/members/collections.ts';
import { type Context, now, nowAfter } from '../core/shared/context.ts';
import { normalizeEmail } from '../credential/email.ts';
import type { HostLogin } from '../records.ts';

export interface HostIds {
  readonly account_id: string;
  readonly member_id: string;
}

export interface HostRecords {
  readonly account: AccountRecord;
  readonly member: MemberRecord;
}

/** The minimum time between two stored changes of names and e-mails in one record. A new role is stored at once. */
const QUIET_MS = 60_000;

/** Creates the record of an account that no password opens. It has no e-mail to sign in with, and an empty hash. */
export function newAccount(
  context: Pick<Context, 'clock' | 'defaultPlan'>,
  login: HostLogin,
  { account_id, member_id }: HostIds,
): AccountRecord {
  const present = context.clock.now();
  const version = Math.max(present, 1);
  return {
    id: account_id,
    account_id,
    version,
    created_at: formatInstant(present),
    email: null,
    external_id: login.account ?? null,
    name: login.account_name ?? null,
    plan: context.defaultPlan,
    token_version: version,
    disabled_at: null,
    created_by: member_id,
    changed_at: null,
    changed_by: null,
  };
}

export function newMember(
  context: Pick<Context, 'clock'>,
  login: HostLogin,
  { account_id, member_id }: HostIds,
): MemberRecord {
  return {
    id: member_id,
    account_id,
    version: 1,
    created_at: now(context),
    created_by: member_id,
    email: emailOf(login) ?? null,
    name: login.name ?? null,
    role: login.role,
    status: 'active',
    login: 'host',
    login_id: null,
    link_id: null,
    token_version: 1,
    changed_at: null,
    changed_by: null,
  };
}

export function changedMember(
  context: Pick<Context, 'clock'>,
  login: HostLogin,
  member: MemberRecord,
): MemberRecord | undefined {
  return changed(context, member, { role: login.role, name: login.name, email: emailOf(login) }, member.id);
}

export function changedAccount(
  context: Pick<Context, 'clock'>,
  login: HostLogin,
  { account, member }: HostRecords,
): AccountRecord | undefined {
  if (login.account === undefined) return undefined;
  return changed(context, account, { name: login.account_name }, member.id);
}

function changed<Found extends AccountRecord | MemberRecord>(
  context: Pick<Context, 'clock'>,
  finding: Found,
  fields: Readonly<Record<string, string | undefined>>,
  changed_by: string,
): Found | undefined {
  const differing = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && value !== finding[name as keyof Found],
  );
  const sinceVersion = finding.changed_at ?? finding.created_at;
  const isQuiet = differing.every(([name]) => name !== 'role');
  if (isQuiet && context.clock.now() - Date.parse(sinceVersion) < QUIET_MS) return undefined;
  if (differing.length === 0) return undefined;
  const changed_at = nowAfter(context, sinceVersion);
  return {
    ...finding,
    ...Object.fromEntries(differing),
    version: finding.version + 1,
    changed_at,
    changed_by,
  };
}

function emailOf({ email }: HostLogin): string | undefined {
  return email === undefined ? undefined : normalizeEmail(email);
}
