/**
 * Decides for which domains the service signs passports of an account. A signature speaks in the name of the domain.
 */
import { createBoundedMap } from '../../base/bounded-map.ts';
import { hostOf } from '../../base/values/agent-id.ts';
import { IdentityError } from '../../errors.ts';
import type { PassportRecord } from '../passports/collections.ts';
import type { Context } from '../shared/context.ts';
import type { KnownPassport } from '../storage/caches.ts';
import { isProven } from './owner.ts';

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

const LEAST_RIGHTS = 1_000;

/** Returns `true` if the account of a passport may sign for its domain. */
export type MaySign = (passport: KnownPassport) => Promise<boolean>;

/** Creates the check of the right to sign. The result is cached for at most 800 ms. */
export function rememberedRight(context: Parameters<typeof createSigningRight>[0]): MaySign {
  const { monotonic } = context.caches;
  const demandRight = createSigningRight(context);
  const cache = createBoundedMap<string, { readonly at: number; readonly may: Promise<boolean> }>(
    LEAST_RIGHTS,
  );
  return ({ account_id, prepared: { passport } }) => {
    const { domain } = passport;
    const id = `${account_id} ${domain}`;
    const atMs = monotonic();
    const last = cache.get(id);
    if (last !== undefined && atMs - last.at < FRESH_MS) return last.may;
    const may = demandRight({ account_id, domain }).then(() => true, isUnproven);
    cache.set(id, { at: atMs, may });
    // A storage that did not answer has said nothing for later questions.
    may.catch(() => cache.set(id, { at: Number.NEGATIVE_INFINITY, may }));
    return may;
  };
}

function isUnproven(error: unknown): false {
  if (error instanceof IdentityError && error.code === 'domain_unproven') return false;
  throw error;
}
