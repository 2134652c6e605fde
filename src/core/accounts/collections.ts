import type { Collection } from '../../ports/collection.ts';
import type { LastChange, RecordBase } from '../../ports/stored.ts';
import type { Instant, Plan } from '../../records.ts';

/**
 * An account. Its `id` derives from the e-mail that opened it, or from the id that the application uses. An id is never
 * used again.
 */
export type AccountRecord = RecordBase & {
  /** The e-mail that opened the account; `null` if the application opened it. */
  readonly email: string | null;
  /** The application's own id of the account; `null` unless the application opened it. */
  readonly external_id: string | null;
  /** The name that the application gives the account. */
  readonly name: string | null;
  readonly plan: Plan;
  /** A number that each session carries. Raising it ends every session of the account. */
  readonly token_version: number;
  readonly disabled_at: Instant | null;
  readonly created_by: string | null;
  /** The instant at which the account was deleted. From then on, its data is being erased. */
  readonly erased_at?: Instant;
} & LastChange;

/** A session. Its `id` is the `jti` of its token. */
export type SessionRecord = RecordBase & {
  /** The member that signed in. */
  readonly member_id: string;
  /** The `token_version` of the member when the session was opened. */
  readonly member_version: number;
  readonly token_version: number;
  readonly expires_at: Instant;
  readonly revoked_at: Instant | null;
};

export const accountCollection: Collection<AccountRecord> = {
  fields: {
    email: 'text|null',
    external_id: 'text|null',
    name: 'text|null',
    plan: 'text',
    token_version: 'integer',
    disabled_at: 'text|null',
    created_by: 'text|null',
    changed_at: 'text|null',
    changed_by: 'text|null',
    erased_at: 'text?',
  },
  lists: [[]],
  isCached: true,
};

export const sessionCollection: Collection<SessionRecord> = {
  fields: {
    member_id: 'text',
    member_version: 'integer',
    token_version: 'integer',
    expires_at: 'text',
    revoked_at: 'text|null',
  },
  lists: [['account_id']],
  expires: true,
  owner: { account: 'account_id' },
};
