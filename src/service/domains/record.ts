/** The claims of domains, as they are stored and as they are shown. */
import { hostOf } from '../../base/values/agent-id.ts';
import type { DomainClaim, DomainStatus } from '../../records/domain.ts';
import type { Instant } from '../../records.ts';
import type { DomainRecord } from './collections.ts';

/**
 * Returns the id of the record of an account that does not own the host: it has the token for a proof, or says that the
 * account has lost the domain. The claim that counts has the host as its id.
 */
export function besideId(host: string, account_id: string): string {
  return `${host}:${account_id}`;
}

/** Returns the counter of the checks of one domain, or of all domains of an account. */
export function checksCounter(account_id: string, domain?: string): string {
  return `domain_checks:${account_id}${domain === undefined ? '' : `:${domain}`}`;
}

/** Returns `true` for the claim that counts. */
export function isOwner({ id }: DomainRecord): boolean {
  return !id.includes(':');
}

/** Returns the domain of a record. */
export function claimedHost({ id }: DomainRecord): string {
  return hostOf(id.split(':', 1)[0] ?? '');
}

/** Returns `true` if the account has proved the domain. The proof may be missing for a time. */
export function isProven({ status }: DomainRecord): boolean {
  return status === 'proven' || status === 'lapsed';
}

/** Returns the claim as it is shown. */
export function toClaim(record: DomainRecord, at: Instant): DomainClaim {
  const { account_id, created_at, changed_at = null, changed_by = null } = record;
  const { token, token_expires_at = null, method = null, proven_at = null, checked_at = null } = record;
  const domain = claimedHost(record);
  const hasToken =
    token !== undefined && (isProven(record) || token_expires_at === null || at < token_expires_at);
  return {
    domain,
    account_id,
    status: shownStatus(record, hasToken),
    method,
    proven_at,
    checked_at,
    ...(hasToken && {
      token,
      ...placesOf(domain, token),
      expires_at: isProven(record) ? null : token_expires_at,
    }),
    created_at,
    changed_at,
    changed_by,
  };
}

function shownStatus(record: DomainRecord, hasToken: boolean): DomainStatus {
  const { status = 'claimed' } = record;
  if (isProven(record)) return status;
  if (hasToken) return 'pending';
  return status === 'lost' ? 'lost' : 'claimed';
}

/** Returns the places in which the token of a domain is looked for. */
export function placesOf(domain: string, token: string): Required<Pick<DomainClaim, 'dns' | 'https'>> {
  return {
    dns: { name: `_agent-identity.${domain}`, value: `agent-identity=${token}` },
    https: { url: `https://${domain}/.well-known/agent-identity`, body: token },
  };
}
