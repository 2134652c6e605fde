import type { Collection } from '../../ports/collection.ts';
import type { LastChange, RecordBase } from '../../ports/stored.ts';
import type { Instant, Plan } from '../../records.ts';

/**
 * An account. Its `id` is derived from the e-mail that opened it, or from the id that the application gives it; it is
 * never given again.
 */
export type AccountRecord = RecordBase & {
  /** The e-mail that opened it; `null` in an account of the application. */
  readonly email: string | null;
  /** The application's own id of it; `null` unless the application opened it. A store of JSON may lack it. */
  readonly external_id: string | null;
  /** The name that the application gives it. A store of JSON may lack it. */
  readonly name: string | null;
  readonly plan: Plan;
  /**
   * Empty, which no password matches: passwords are in logins. An account from before members has its hash here, until
   * its first touch makes its first member.
   */
  readonly password_hash: string;
  /** A number that sessions carry; raising it ends every session of the account. */
  readonly token_version: number;
  readonly disabled_at: Instant | null;
  readonly created_by: string | null;
  /** The instant of the deletion of the account; from then on its data is being erased. */
  readonly erased_at?: Instant;
} & LastChange;

/** A session. Its `id` is the `jti` of its token. */
export type SessionRecord = RecordBase & {
  /** The member that signed in; `null` or absent in a session from before members: the first member. */
  readonly member_id: string | null;
  /** The `token_version` of the member at its issue; `null` or absent in a session from before members. */
  readonly member_version: number | null;
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
    password_hash: 'text',
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
    member_id: 'text|null',
    member_version: 'integer|null',
    token_version: 'integer',
    expires_at: 'text',
    revoked_at: 'text|null',
  },
  lists: [['account_id']],
  expires: true,
  owner: { account: 'account_id' },
};
