/** The scopes of a local verifier. */
import type { KeyCaller } from '../core/shared/callers.ts';
import { requireScope } from '../core/shared/callers.ts';

/** Throws `insufficient_scope` for a key without `verify` or `decide`. */
export function requireBoth(caller: KeyCaller): void {
  requireScope(caller, 'verify');
  requireScope(caller, 'decide');
}
