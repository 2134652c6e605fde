/** The roles that may call an endpoint, grouped by the effect of the call. */
import { DECIDING_ROLES, ROLES } from '../base/values/vocabulary.ts';
import type { Role } from '../records.ts';

/** A role that may call an operation, or `self`: the member with the id `{id}` from the path. */
export type RoleEntry = Role | 'self';

/** The roles that may read, and end their own session: all roles. */
export const MEMBERS: readonly RoleEntry[] = ROLES;

/** The roles that may decide approvals. */
export const APPROVERS: readonly RoleEntry[] = DECIDING_ROLES;

/** The roles that may stop an agent. Stopping never lets an agent do more. */
export const STOPPERS: readonly RoleEntry[] = ['approver', 'editor', 'admin', 'owner'];

/** The roles that may change passports, keys, domains, webhooks and spends. */
export const EDITORS: readonly RoleEntry[] = ['editor', 'admin', 'owner'];

/** The roles that may erase a subject. */
export const ERASERS: readonly RoleEntry[] = ['admin', 'owner'];

/** The role that may manage members and delete the account. */
export const OWNERS: readonly RoleEntry[] = ['owner'];
