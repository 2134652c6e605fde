import { EDITORS, MEMBERS } from '../../operations/roles.ts';
import { check } from '../../schema/check.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { pageOf, pageParameters } from '../page-query.ts';

/** The endpoints of an account's domains and their proofs. */
export const domainEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/domains',
    verb: 'domains',
    tag: 'Domains',
    summary: 'Claim a domain and get the token that verifies it',
    credential: 'session',
    role: EDITORS,
    writes: true,
    body: { schema: 'DomainRequest' },
    success: {
      status: 201,
      description: 'The claim with its token.',
      schema: 'Domain',
      again: 'The claim that was there, with its token.',
    },
    errors: ['domain_claimed', 'plan_limit_reached'],
    needs: ({ domains }) => domains.isOn,
    async handle({ service, caller, body, signal }) {
      const { domain } = check<{ readonly domain: string }>('DomainRequest', body);
      const { claim, isNew } = await service.domains.claimNow(domain, { ...caller, signal: signal() });
      return { body: claim, ...(!isNew && { status: 200 }) };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/domains',
    verb: 'domains',
    tag: 'Domains',
    summary: 'List the domains of the account, newest first',
    credential: 'session',
    role: MEMBERS,
    query: pageParameters,
    success: { status: 200, description: 'A page of claims.', schema: 'DomainPage' },
    needs: ({ domains }) => domains.isOn,
    handle: async ({ service, caller, query }) => ({
      body: await service.domains.list(pageOf(query), caller),
    }),
  }),
  endpoint({
    method: 'POST',
    path: '/domains/{domain}/check',
    verb: 'domains',
    tag: 'Domains',
    summary: 'Verify a domain now, by DNS or its web server',
    credential: 'session',
    role: EDITORS,
    writes: true,
    patient: true,
    success: { status: 200, description: 'The claim, proven.', schema: 'Domain' },
    errors: ['invalid_request', 'not_found', 'domain_claimed', 'conflict', 'rate_limited'],
    needs: ({ domains }) => domains.isOn,
    handle: async ({ service, caller, params }) => ({
      body: await service.domains.check(params['domain'] ?? '', caller),
    }),
  }),
  endpoint({
    method: 'DELETE',
    path: '/domains/{domain}',
    verb: 'domains',
    tag: 'Domains',
    summary: 'Release a domain without active passports',
    credential: 'session',
    role: EDITORS,
    success: { status: 204, description: 'The claim is gone.' },
    errors: ['not_found', 'conflict'],
    needs: ({ domains }) => domains.isOn,
    async handle({ service, caller, params }) {
      await service.domains.release(params['domain'] ?? '', caller);
      return {};
    },
  }),
];
