/**
 * Decides for which domains the service signs passports of an account. A signature speaks in the name of the domain.
 */
import { hostOf } from '../../base/values/agent-id.ts';
import { IdentityError } from '../../errors.ts';
import { isProven } from '../domains/record.ts';
import type { PassportRecord } from '../passports/collections.ts';
import type { Context } from '../shared/context.ts';

/** Throws `domain_unproven` unless the account of the passport may use its domain for signatures. */
export type DemandRight = (passport: Pick<PassportRecord, 'account_id' | 'domain'>) => Promise<void>;

/**
 * The milliseconds for which the number of accounts is cached. With a second account, a stricter rule applies. The
 * check notices the second account within a second, including the time of a read.
 */
const FRESH_MS = 800;

/**
 * Creates the check of one service. The account must own the domain, and the domain must be verified. A domain that is
 * claimed but not verified is enough if there is one account and registration is closed.
 */
export function createSigningRight(
  context: Pick<Context, 'store' | 'caches' | 'session' | 'registration' | 'claimsDomains'>,
): DemandRight {
  const { store, caches, claimsDomains, registration, session } = context;
  let count: { readonly isSeveral: boolean; readonly at: number } | undefined;

  async function hasSeveralAccounts(): Promise<boolean> {
    const atMs = caches.monotonic();
    if (count !== undefined && (count.isSeveral || atMs - count.at < FRESH_MS)) return count.isSeveral;
    const accounts = await store.list('accounts', { where: {}, limit: 2 });
    count = { isSeveral: accounts.length > 1, at: atMs };
    return count.isSeveral;
  }

  return async ({ account_id, domain }) => {
    if (!claimsDomains) {
      // Without logins there is one account, the host itself.
      if (session === undefined) return;
      throw unproven('No passport is signed with domainProof off.');
    }
    const claim = await store.get('domains', hostOf(domain));
    if (claim?.account_id !== account_id)
      throw unproven('The account does not own this domain. Claim it first.');
    if (isProven(claim)) return;
    if (registration === 'open' || (await hasSeveralAccounts())) {
      throw unproven('The account has not verified this domain. Verify it first.');
    }
  };
}

function unproven(message: string): IdentityError {
  return new IdentityError('domain_unproven', message);
}

/** Returns the error of a service without keys that sign, or without an address that names them. */
export function signsNothing(): IdentityError {
  return new IdentityError('not_found', 'This service does not sign. Set identity.publicUrl.');
}
