import { IdentityError } from '../../errors.ts';
import type { Role, Scope } from '../../records.ts';
import type { KeyCaller, SessionCaller } from './callers.ts';

/** Throws `insufficient_scope` unless the key has one of the scopes. */
export function requireScope(caller: Pick<KeyCaller, 'scopes'>, ...scopes: readonly Scope[]): void {
  if (scopes.some((scope) => caller.scopes.includes(scope))) return;
  throw new IdentityError('insufficient_scope', `This key lacks the scope ${scopes.join(' or ')}.`);
}

/** Throws `insufficient_role` unless the member has one of the roles, or the roles hold `self` and it is `subject`. */
export function requireRole(
  { role, member_id }: Pick<SessionCaller, 'role' | 'member_id'>,
  roles: readonly (Role | 'self')[],
  subject?: string,
): void {
  if (roles.includes(role) || (roles.includes('self') && member_id === subject)) return;
  const named = roles.filter((one) => one !== 'self');
  throw new IdentityError('insufficient_role', `This needs the role ${named.join(' or ')}.`, {
    details: { roles: named },
  });
}
