import { mustBe } from '../../base/values/expected.ts';
import type { FieldError } from '../../errors.ts';

/** Returns the error of an empty text, which would mean every agent. */
export function agentIdErrors(agentId: string | undefined): readonly FieldError[] {
  return agentId === '' ? [{ path: '/agent_id', code: 'too_short', message: mustBe('/agent_id') }] : [];
}
