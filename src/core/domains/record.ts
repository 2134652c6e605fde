import { hostOf } from '../../base/values/agent-id.ts';
import type { DomainProver } from '../../ports/domain-prover.ts';
import type { DomainClaim, DomainProofMethod, DomainStatus } from '../../records/domain.ts';
import type { Instant } from '../../records.ts';
import type { DomainRecord } from './collections.ts';

/**
 * Returns the id of the record of an account that does not own the host. Such a record has the token for a
 * verification, or says that the account has lost the domain. The owner's record has the host as its id.
 */
export function besideId(host: string, account_id: string): string {
  return `${host}:${account_id}`;
}

export function checksCounter(account_id: string, domain?: string): string {
  return `domain_checks:${account_id}${domain === undefined ? '' : `:${domain}`}`;
}

export function isOwner({ id }: DomainRecord): boolean {
  return !id.includes(':');
}

export function claimedHost({ id }: DomainRecord): string {
  return hostOf(id.split(':', 1)[0] ?? '');
}

/**
 * Says whether the account has verified the domain. It is still verified with the status `lapsed`, which
 * means that the latest regular checks did not find the token.
 */
export function isProven({ status }: DomainRecord): boolean {
  return status === 'proven' || status === 'lapsed';
}

export function toClaim(record: DomainRecord, instant: Instant): DomainClaim {
  const { account_id, created_at, changed_at = null, changed_by = null } = record;
  const { token, token_expires_at = null, method = null, proven_at = null, checked_at = null } = record;
  const domain = claimedHost(record);
  const hasToken =
    token !== undefined && (isProven(record) || token_expires_at === null || instant < token_expires_at);
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

export function placesOf(domain: string, token: string): Required<Pick<DomainClaim, 'dns' | 'https'>> {
  return {
    dns: { name: `_agent-identity.${domain}`, value: `agent-identity=${token}` },
    https: { url: `https://${domain}/.well-known/agent-identity`, body: token },
  };
}

/** The result of one check. The service shows nothing else from the reply of the domain. */
type LookupResult = 'found' | 'not found' | 'no answer';

export type Seen = Readonly<Record<DomainProofMethod, LookupResult>>;

export async function lookFor(prover: DomainProver, domain: string, token: string): Promise<Seen> {
  const { dns: record, https: page } = placesOf(domain, token);
  const [dns, https] = await Promise.all([
    lookUp(async () => (await prover.txt(record.name)).includes(record.value)),
    lookUp(async () => (await prover.text(page.url)).trim() === page.body),
  ]);
  return { dns, https };
}

async function lookUp(look: () => Promise<boolean>): Promise<LookupResult> {
  try {
    return (await look()) ? 'found' : 'not found';
  } catch {
    return 'no answer';
  }
}

export function methodIn({ dns, https }: Seen): DomainProofMethod | undefined {
  if (dns === 'found') return 'dns';
  return https === 'found' ? 'https' : undefined;
}
