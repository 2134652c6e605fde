import { mustBe } from '../../base/values/expected.ts';
import type { FieldError } from '../../errors.ts';

/** The error of an empty text, which would stand for every agent. */
export function agentIdErrors(agentId: string | undefined): readonly FieldError[] {
  return agentId === '' ? [{ path: '/agent_id', code: 'too_short', message: mustBe('/agent_id') }] : [];
}
