/** Checks the scopes of a local verifier. */
import type { KeyCaller } from '../core/shared/callers.ts';
import { requireScope } from '../core/shared/callers.ts';

export function requireBoth(caller: KeyCaller): void {
  requireScope(caller, 'verify');
  requireScope(caller, 'decide');
}
