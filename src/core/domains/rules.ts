/** Decides whether an account may issue passports for a domain. */
import { IdentityError } from '../../errors.ts';
import type { DomainClaim } from '../../records/domain.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';
import type { DomainRecord } from './collections.ts';

/** Claims a domain for an account, and returns the claim with its token. */
export type ClaimDomain = (domain: string, actor: Actor) => Promise<DomainClaim>;

export interface Issuing {
  readonly host: string;
  readonly owner: DomainRecord | undefined;
  readonly actor: Actor;
  /** Claims a domain; absent in a service without `domains()`, because no token verifies a domain there. */
  readonly claimDomain: ClaimDomain | undefined;
}

/**
 * Throws if an account may not issue passports for a domain.
 *
 * @throws {IdentityError} `domain_unproven`, with the token and where to publish it, if verification is missing or has
 * expired.
 * @throws {IdentityError} `domain_claimed` if another account has verified the domain.
 */
export async function assertIssuable(
  context: Pick<Context, 'session' | 'provesDomains'>,
  { host, owner, actor, claimDomain }: Issuing,
): Promise<void> {
  const isOwn = owner?.account_id === accountOf(context, actor);
  if (isOwn && owner.status === 'proven') return;
  // The host of the local machine cannot be proved.
  const isRequired = context.provesDomains && host !== 'localhost';
  if (!isRequired && !(isOwn && owner.status === 'lapsed')) return;
  if (claimDomain === undefined)
    throw new IdentityError('domain_unproven', `Verify the domain ${host} first.`);
  const { token, dns, https } = await claimDomain(host, actor);
  const message = `Prove the domain first: publish the TXT record ${dns?.name} with ${dns?.value}, or ${https?.url} with ${https?.body}.`;
  throw new IdentityError('domain_unproven', message, { details: { token, dns, https } });
}
