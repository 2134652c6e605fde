/** The domains of an account, over HTTP. */
import type { DomainClaim } from '../records/domain.ts';
import type { Page } from '../records.ts';
import type { PageRequest } from '../service.ts';
import type { AdminRequests, Pages } from './admin-requests.ts';
import { pathOf } from './path-of.ts';
import type { RequestOptions } from './transport.ts';

/** The domains of the account, and their proofs. */
export interface AdminDomains {
  /**
   * Claims a domain. The claim has the token that proves the domain, and the place to publish it; the token stays the
   * same for 7 days. Rejects with `domain_claimed` when another account has proved the domain.
   */
  claim(domain: string, options?: RequestOptions): Promise<DomainClaim>;
  /** Lists the domains, newest first: the first page, with `for await` every page. */
  list(page?: PageRequest, options?: RequestOptions): Pages<Page<DomainClaim>>;
  /**
   * Looks for the token now and returns the claim when it is proven. Rejects with `conflict` and the findings
   * otherwise, `not_found` without a claim, `rate_limited` after 10 checks of a domain in an hour, or 60 of the
   * account.
   */
  check(domain: string, options?: RequestOptions): Promise<DomainClaim>;
  /** Gives the domain up; `conflict` while there are passports for it that are not revoked. */
  release(domain: string, options?: RequestOptions): Promise<void>;
}

/** Makes the verbs of domains over these requests. */
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
