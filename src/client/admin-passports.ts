/** The passports of an account, over HTTP. */
import { IdentityError } from '../errors.ts';
import type { AdminPassports } from '../service.ts';
import type { AdminRequests } from './admin-requests.ts';
import { isSignedPassport, isVerdict } from './answers.ts';
import { pathOf } from './path-of.ts';

/** Makes the methods of passports over these requests. */
export function passportsOf({ ask, change, make, list, notThisAnswer }: AdminRequests): AdminPassports {
  const holds = ['agent_id', 'version'];

  /** Throws `invalid_configuration` for a service of a release that ignores the condition. */
  async function assertCompares(agentId: string, signal: AbortSignal | undefined): Promise<void> {
    const at = new Date().toISOString();
    const options = signal === undefined ? {} : { signal };
    try {
      const asked = { input: { from: at, to: at }, options, success: 200 } as const;
      await change('POST', pathOf`/passports/${agentId}/replay`, asked);
    } catch (cause) {
      if (!(cause instanceof IdentityError) || cause.code !== 'not_found') throw cause;
      const message = 'The service has no such passport, or it is of a release without ifNarrower.';
      throw new IdentityError('invalid_configuration', message, { cause });
    }
  }

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
      if (ifNarrower !== undefined) await assertCompares(agentId, options?.signal);
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
    async replay(agentId, input = {}, options) {
      const asked = { input, options, success: 200, holds: ['covered', 'unknown', 'change'] } as const;
      return change('POST', pathOf`/passports/${agentId}/replay`, asked);
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
