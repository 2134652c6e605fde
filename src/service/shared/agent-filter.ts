import { mustBe } from '../../base/expected.ts';
import { invalidRequest } from '../../errors.ts';

/** Throws `invalid_request` for an empty text, which would stand for every agent. */
export function assertAgentId(agentId: string | undefined): void {
  if (agentId !== '') return;
  throw invalidRequest([{ path: '/agent_id', code: 'too_short', message: mustBe('/agent_id') }]);
}
