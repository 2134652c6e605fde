/** The condition on which a claim lets an account issue for its domain. */
import { IdentityError } from '../../errors.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';
import type { DomainRecord } from './collections.ts';
import type { HostDomainProofs } from './proof.ts';

/** An account that is about to issue for a domain. */
export interface Issuing {
  readonly host: string;
  /** The claim that counts. */
  readonly owner: DomainRecord | undefined;
  readonly actor: Actor;
  readonly proofs: HostDomainProofs;
}

/**
 * Throws `domain_unproven`, with the token and where to publish it, if the proof has lapsed, or if a proof is required
 * and missing. Throws `domain_claimed` if another account has proved the domain.
 */
export async function assertIssuable(
  context: Pick<Context, 'tokens' | 'provesDomains'>,
  { host, owner, actor, proofs }: Issuing,
): Promise<void> {
  const isOwn = owner?.account_id === accountOf(context, actor);
  if (isOwn && owner.status === 'proven') return;
  // The host of the local machine cannot be proved.
  const isRequired = context.provesDomains && host !== 'localhost';
  if (!isRequired && !(isOwn && owner.status === 'lapsed')) return;
  const { token, dns, https } = await proofs.claim(host, actor);
  const message = `Prove the domain first: publish the TXT record ${dns?.name} with ${dns?.value}, or ${https?.url} with ${https?.body}.`;
  throw new IdentityError('domain_unproven', message, { details: { token, dns, https } });
}
