/** Decides for which domains an account may have passports signed: a signature speaks in the name of the domain. */
import { hostOf } from '../../base/values/agent-id.ts';
import { IdentityError } from '../../errors.ts';
import { isProven } from '../domains/record.ts';
import type { PassportRecord } from '../passports/collections.ts';
import type { Context } from '../shared/context.ts';

/** Throws `domain_unproven` unless the account of the passport may speak for its domain. */
export type DemandRight = (passport: Pick<PassportRecord, 'account_id' | 'domain'>) => Promise<void>;

/** With the time of a read, a second account counts within a second. */
const FRESH_MS = 800;

/**
 * Creates the check of one service. An account needs the claim of the domain. A claim that is not proven shows only
 * who came first. That is enough if there is one account and third parties cannot open another.
 */
export function createSigningRight(
  context: Pick<Context, 'store' | 'caches' | 'tokens' | 'registration' | 'claimsDomains'>,
): DemandRight {
  const { store, caches, claimsDomains, registration, tokens } = context;
  let counted: { readonly isSeveral: boolean; readonly at: number } | undefined;

  async function hasSeveralAccounts(): Promise<boolean> {
    const at = caches.monotonic();
    if (counted !== undefined && (counted.isSeveral || at - counted.at < FRESH_MS)) return counted.isSeveral;
    const accounts = await store.list('accounts', { where: {}, limit: 2 });
    counted = { isSeveral: accounts.length > 1, at };
    return counted.isSeveral;
  }

  return async ({ account_id, domain }) => {
    if (!claimsDomains) {
      // Without logins there is one account, the host itself.
      if (tokens === undefined) return;
      throw unproven('Without claims of domains no passport is signed.');
    }
    const claim = await store.get('domains', hostOf(domain));
    if (claim?.account_id !== account_id) throw unproven('The account does not own this domain.');
    if (isProven(claim)) return;
    if (registration === 'open' || (await hasSeveralAccounts())) {
      throw unproven('The account has claimed this domain and not proven that it is its own.');
    }
  };
}

function unproven(message: string): IdentityError {
  return new IdentityError('domain_unproven', message);
}
