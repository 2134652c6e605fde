import { IdentityError } from '../../errors.ts';
import type { Scope } from '../../records.ts';
import type { KeyCaller } from './callers.ts';

/** Throws `insufficient_scope` unless the key has one of the scopes. */
export function requireScope(caller: Pick<KeyCaller, 'scopes'>, ...scopes: readonly Scope[]): void {
  if (scopes.some((scope) => caller.scopes.includes(scope))) return;
  throw new IdentityError('insufficient_scope', `This key lacks the scope ${scopes.join(' or ')}.`);
}
