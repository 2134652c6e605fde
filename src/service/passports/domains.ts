/** Who issues for which domain, and how an operator mends a wrong claim. */
import { hostOf } from '../../base/agent-id.ts';
import { IdentityError } from '../../errors.ts';
import { MAX_PAGE_SIZE } from '../../ports/limits.ts';
import type { DomainRecord } from '../../ports/stored-records.ts';
import type { DomainClaim, Page } from '../../records.ts';
import { type Context, nowAfter, OPERATOR } from '../shared/context.ts';
import { type PageRequest, readPage } from '../shared/pages.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import { tellSecurity } from '../shared/security-log.ts';
import { remove, replace, untilWritten } from '../storage/store.ts';

/** Which claims to list. */
export interface DomainQuery extends PageRequest {
  /** Only the claims of this account. */
  readonly account_id?: string;
}

/** Manages the claims of domains. For operators: nothing here asks who calls. */
export interface Domains {
  /** The claims of every account, or of one, newest first. */
  list(query?: DomainQuery): Promise<Page<DomainClaim>>;
  /**
   * Gives the domain up: the next account that issues for it owns it. `not_found` when no account owns it; `conflict`
   * while its owner has passports for it that are not revoked, unless `force`. Passports stay as they are.
   */
  release(domain: string, options?: { readonly force?: boolean }): Promise<void>;
  /** Gives the domain to another account; `not_found` when there is no such claim or account. Passports stay with theirs. */
  transfer(domain: string, to: { readonly account_id: string }): Promise<DomainClaim>;
}

/** The domains of one service. */
export function createDomains(context: Context): Domains {
  const { store } = context;

  async function claimed(domain: string): Promise<DomainRecord> {
    const record = await store.get('domains', domain);
    if (record !== undefined) return record;
    throw new IdentityError('not_found', 'No account has claimed this domain.');
  }

  async function inUse({ id, account_id }: DomainRecord): Promise<boolean> {
    for await (const { domain, status } of everyRecord(
      recordsBy(store, 'passports', { account_id }),
      MAX_PAGE_SIZE,
    )) {
      if (hostOf(domain) === id && status !== 'revoked') return true;
    }
    return false;
  }

  return {
    list: ({ account_id, ...page } = {}) =>
      readPage(
        context,
        {
          query: ['domains', account_id],
          ...recordsBy(store, 'domains', account_id === undefined ? {} : { account_id }),
          show: toClaim,
        },
        page,
      ),

    async release(domain, { force = false } = {}) {
      await untilWritten(async () => {
        const found = await claimed(domain);
        if (!force && (await inUse(found))) {
          throw new IdentityError(
            'conflict',
            'The account has passports for this domain: revoke them first.',
          );
        }
        const result = await store.write(remove('domains', domain, found.version));
        if (!result.written) return undefined;
        const { account_id } = found;
        tellSecurity(context, 'domain.released', { domain, account_id, by: OPERATOR });
        return true;
      });
    },

    async transfer(domain, { account_id }) {
      if ((await store.get('accounts', account_id)) === undefined) {
        throw new IdentityError('not_found', 'There is no such account.');
      }
      return untilWritten(async () => {
        const found = await claimed(domain);
        const changed_at = nowAfter(context, found.changed_at ?? found.created_at);
        const changed = { changed_at, changed_by: OPERATOR, version: found.version + 1 };
        const record = { ...found, account_id, ...changed };
        const result = await store.write(replace('domains', record, found.version));
        if (!result.written) return undefined;
        const moved = { account_id: found.account_id, to_account_id: account_id };
        tellSecurity(context, 'domain.transferred', { domain, ...moved, by: OPERATOR });
        return toClaim(record);
      });
    },
  };
}

function toClaim(record: DomainRecord): DomainClaim {
  const { id, account_id, created_at, changed_at = null, changed_by = null } = record;
  return { domain: id, account_id, created_at, changed_at, changed_by };
}
