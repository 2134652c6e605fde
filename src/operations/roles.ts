/** The roles that may call an endpoint, by its effect. */
import { DECIDING_ROLES, ROLES } from '../base/values/vocabulary.ts';
import type { Role } from '../records.ts';

/** An entry of the roles of an operation: a role, or `self`, the member that the path names as `{id}`. */
export type RoleEntry = Role | 'self';

/** The roles that read, and that end their own session: all. */
export const MEMBERS: readonly RoleEntry[] = ROLES;

/** The roles that decide approvals. */
export const APPROVERS: readonly RoleEntry[] = DECIDING_ROLES;

/** The roles that stop an agent, which narrows only. */
export const STOPPERS: readonly RoleEntry[] = ['approver', 'editor', 'admin', 'owner'];

/** The roles that change passports, keys, domains, webhooks and spends. */
export const EDITORS: readonly RoleEntry[] = ['editor', 'admin', 'owner'];

/** The roles that erase a subject. */
export const ERASERS: readonly RoleEntry[] = ['admin', 'owner'];

/** The role that manages members and deletes the account. */
export const OWNERS: readonly RoleEntry[] = ['owner'];
