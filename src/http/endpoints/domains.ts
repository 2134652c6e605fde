import { EDITORS } from '../../operations/roles.ts';
import { check } from '../../schema/check.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { domainRequestSchema } from '../validators.generated.ts';

export const domainEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/domains',
    room: 'domains',
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
    needs: ({ domains }) => domains?.isOn === true,
    async handle({ service, caller, body, signal }) {
      const { domain } = check<{ readonly domain: string }>(domainRequestSchema, body);
      const { claim, isNew } = await service.domains.claimNow(domain, { ...caller, signal: signal() });
      return { body: claim, ...(!isNew && { status: 200 }) };
    },
  }),
];
