/** The domains of an account, over HTTP. */
import type { DomainClaim } from '../records/domain.ts';
import type { AdminDomains } from '../service.ts';
import type { AdminRequests } from './admin-requests.ts';
import { pathOf } from './path-of.ts';

/** Makes the methods of domains over these requests. */
export function domainsOf({ change, list, notThisAnswer }: AdminRequests): AdminDomains {
  async function claimed(
    domain: string,
    path: string,
    asked: Omit<Parameters<AdminRequests['change']>[2], 'holds'>,
  ): Promise<DomainClaim> {
    const claim = await change<DomainClaim>('POST', path, { ...asked, holds: ['status'] });
    if (claim.domain !== domain) throw notThisAnswer();
    return claim;
  }

  return {
    claim: (domain, options) =>
      claimed(domain, '/domains', { input: { domain }, options, success: 201, again: 200 }),
    list: (page = {}, options) => list('/domains', page, options),
    check: (domain, options) => claimed(domain, pathOf`/domains/${domain}/check`, { options, success: 200 }),
    async release(domain, options) {
      await change('DELETE', pathOf`/domains/${domain}`, { options, success: 204 });
    },
  };
}
