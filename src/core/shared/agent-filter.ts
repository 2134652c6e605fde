import type { FieldError } from '../../errors.ts';
import { mustBe } from '../../schema/expected.ts';

/** Returns an error if the agent id is empty, because an empty text would match every agent. */
export function agentIdErrors(agentId: string | undefined): readonly FieldError[] {
  return agentId === '' ? [{ path: '/agent_id', code: 'too_short', message: mustBe('/agent_id') }] : [];
}
