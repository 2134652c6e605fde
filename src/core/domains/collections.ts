import type { Collection } from '../../ports/collection.ts';
import type { LastChange, RecordBase } from '../../ports/stored.ts';
import type { DomainProofMethod, DomainStatus } from '../../records/domain.ts';
import type { Instant } from '../../records.ts';

/**
 * A claim of a domain. Its `id` is the host without port, and `account_id` owns it. An account that does not own the
 * host, or lost it, has a record whose `id` is the host, a colon and the account. A record from before domains could be
 * proved has none of the fields below.
 */
export type DomainRecord = RecordBase &
  LastChange & {
    /** The status; `pending` and `lost` only in the records of accounts that do not own the host. */
    readonly status?: DomainStatus;
    /** The token that proves the domain once it is published. */
    readonly token?: string;
    readonly token_expires_at?: Instant;
    readonly method?: DomainProofMethod;
    readonly proven_at?: Instant;
    readonly checked_at?: Instant;
    /** The instant at which the proof was last seen. */
    readonly seen_at?: Instant;
    /** The number of failed checks in a row since then. */
    readonly failures?: number;
  };

export const domainCollection: Collection<DomainRecord> = {
  fields: {
    changed_at: 'text|null',
    changed_by: 'text|null',
    status: 'text?',
    token: 'text?',
    token_expires_at: 'text?',
    method: 'text?',
    proven_at: 'text?',
    checked_at: 'text?',
    seen_at: 'text?',
    failures: 'integer?',
  },
  lists: [['account_id']],
};
