/** Checks which scopes a management key needs for a call or an event. */
import { isFromJournal } from '../../base/values/event-types.ts';
import { IdentityError } from '../../errors.ts';
import type { ManagementScope, Role, Scope } from '../../records.ts';
import { type ManagementCaller, requireScope } from './callers.ts';

/**
 * Checks the scopes of a management key, and the role of the member who uses it.
 *
 * @throws {IdentityError} `insufficient_scope` if the key has none of the scopes.
 * @throws {IdentityError} `insufficient_role` if the member has none of the roles.
 */
export function requireManagement(
  { management, role }: ManagementCaller,
  scopes: readonly Scope[] | 'any' | undefined,
  roles: readonly (Role | 'self')[] = [],
): void {
  if (scopes === undefined)
    throw new IdentityError(
      'insufficient_scope',
      'No scope of a management key allows this: a person does it.',
    );
  if (scopes !== 'any') requireScope(management, ...scopes);
  if (role === null || roles.length === 0 || roles.includes(role)) return;
  const namedRoles = roles.filter((otherRole) => otherRole !== 'self');
  const message = `The person behind the key needs the role ${namedRoles.join(' or ')}.`;
  throw new IdentityError('insufficient_role', message, { details: { roles: namedRoles } });
}

/**
 * Returns the scope that a management key needs to read events of this type. `type` may also be a pattern,
 * such as `verdict.*`.
 */
export function readScopeOf(type: string): ManagementScope {
  return isFromJournal(type) ? 'verifications:read' : 'audit:read';
}
