import type { DomainClaim } from '../../records/domain.ts';

const DOMAIN_TOKEN = 'aid-0000000000000000000000000000000000000000000';

export function domainExample(
  claim: Pick<DomainClaim, 'account_id' | 'created_at' | 'expires_at'>,
): DomainClaim {
  const { account_id, created_at, expires_at } = claim;
  return {
    domain: 'shop.example',
    account_id,
    status: 'pending',
    method: null,
    proven_at: null,
    checked_at: null,
    token: DOMAIN_TOKEN,
    dns: { name: '_agent-identity.shop.example', value: `agent-identity=${DOMAIN_TOKEN}` },
    https: { url: 'https://shop.example/.well-known/agent-identity', body: DOMAIN_TOKEN },
    ...(expires_at !== undefined && { expires_at }),
    created_at,
    changed_at: null,
    changed_by: null,
  };
}
