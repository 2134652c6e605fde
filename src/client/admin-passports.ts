/** The passports of an account, over HTTP. */
import type { AdminPassports } from '../service.ts';
import type { AdminRequests } from './admin-requests.ts';
import { isSignedPassport, isVerdict } from './answers.ts';
import { pathOf } from './path-of.ts';

/** Makes the methods of passports over these requests. */
export function passportsOf({ ask, change, make, list, notThisAnswer }: AdminRequests): AdminPassports {
  const holds = ['agent_id', 'version'];

  return {
    create: (input, options) => make('/passports', { input, options, holds }),
    list: (query = {}, options) => list('/passports', query, options),
    get: (agentId, options) => ask(pathOf`/passports/${agentId}`, { options, holds }),
    versions: (agentId, page = {}, options) => list(pathOf`/passports/${agentId}/versions`, page, options),
    effective: (agentId, options) =>
      ask(pathOf`/passports/${agentId}/effective`, { options, holds: ['agent_id', 'ancestors'] }),
    budgets: (agentId, query = {}, options) =>
      ask(pathOf`/passports/${agentId}/budgets`, { query, options, holds: ['data'] }),
    async update(agentId, input, options) {
      const { ifVersion, ifNarrower, approvalId } = options ?? {};
      const headers = {
        ...(ifVersion && { 'if-match': ifMatch(ifVersion) }),
        ...(ifNarrower !== undefined && { 'if-narrower': String(ifNarrower) }),
        ...(approvalId !== undefined && { 'approval-id': approvalId }),
      };
      return change('PATCH', pathOf`/passports/${agentId}`, {
        ...{ input, options, headers, success: 200, holds },
        takes: { ifVersion: true, ifNarrower: true, approvalId: true },
      });
    },
    async purge(agentId, options) {
      await change('DELETE', pathOf`/passports/${agentId}`, { options, success: 204 });
    },
    async try(agentId, input, options) {
      const asked = { input, options, success: 200 } as const;
      const answer = await change('POST', pathOf`/passports/${agentId}/try`, asked);
      if (!isVerdict(answer)) throw notThisAnswer();
      return answer;
    },
    async sign(agentId, input = {}, options) {
      const asked = { input, options, success: 200 } as const;
      const answer = await change('POST', pathOf`/passports/${agentId}/sign`, asked);
      if (!isSignedPassport(answer)) throw notThisAnswer();
      return answer;
    },
  };
}

/** Returns the condition as a header. An empty list allows no version: it becomes version 0, which does not exist. */
function ifMatch(versions: readonly number[]): string {
  return versions.length === 0 ? '"0"' : versions.map((version) => `"${Number(version)}"`).join();
}
