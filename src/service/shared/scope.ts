import { IdentityError } from '../../errors.ts';
import type { Scope } from '../../records.ts';
import type { KeyCaller } from './callers.ts';

/** Throws `insufficient_scope` unless the key has the scope. */
export function requireScope(caller: KeyCaller, scope: Scope): void {
  if (caller.scopes.includes(scope)) return;
  throw new IdentityError('insufficient_scope', `This key lacks the scope ${scope}.`);
}
