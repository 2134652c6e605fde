import type { Collection } from '../../ports/collection.ts';
import type { LastChange, RecordBase } from '../../ports/stored.ts';
import type { DomainProofMethod, DomainStatus } from '../../records/domain.ts';
import type { Instant } from '../../records.ts';

/**
 * A claim of a domain. Its `id` is the host without port, and `account_id` is the owner. An account that does not own
 * the host has a record whose `id` is the host, a colon and the account. A record that predates domain verification has
 * none of the fields below.
 */
export type DomainRecord = RecordBase &
  LastChange & {
    /** The status. Only the records of accounts that do not own the host are `pending` or `lost`. */
    readonly status?: DomainStatus;
    /** The token that verifies the domain once it is published. */
    readonly token?: string;
    readonly token_expires_at?: Instant;
    readonly method?: DomainProofMethod;
    readonly proven_at?: Instant;
    readonly checked_at?: Instant;
    /** The instant of the last successful check. */
    readonly seen_at?: Instant;
    /** The number of consecutive failed checks since `seen_at`. */
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
