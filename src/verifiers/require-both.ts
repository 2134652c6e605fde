/** Checks the scopes of a local verifier. */
import type { KeyCaller } from '../core/shared/callers.ts';
import { requireScope } from '../core/shared/callers.ts';

/** Throws `insufficient_scope` if the key does not have both `verify` and `decide`. */
export function requireBoth(caller: KeyCaller): void {
  requireScope(caller, 'verify');
  requireScope(caller, 'decide');
}
