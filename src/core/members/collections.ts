import type { Collection } from '../../ports/collection.ts';
import type { LastChange, RecordBase } from '../../ports/stored.ts';
import type { MemberLogin, MemberStatus } from '../../records/member.ts';
import type { Instant, Role } from '../../records.ts';

/** A member of an account. Its `id` is `mem_…`. The id of the first member is derived from the id of the account. */
export type MemberRecord = RecordBase & {
  readonly email: string | null;
  readonly name: string | null;
  readonly role: Role;
  readonly status: MemberStatus;
  /** The kind of the login; `null` while invited. */
  readonly login: MemberLogin | null;
  /** The record of the login; `null` if there is none. */
  readonly login_id: string | null;
  /** The record of the valid link; `null` if there is none. */
  readonly link_id: string | null;
  /** A number that each session carries. Raising it ends every session of the member. */
  readonly token_version: number;
  readonly created_by: string | null;
} & LastChange;

/**
 * The login of a member, or a link with which a member creates the login. The `id` derives from `digest`, so the
 * storage refuses a second record for the same login.
 */
export type LoginRecord = RecordBase & {
  readonly member_id: string;
  readonly kind: MemberLogin | 'link';
  /** The SHA-256 of the kind and the name, or of a link's token, in hex. */
  readonly digest: string;
  /** The hash of the password; `null` for another kind of login. */
  readonly password_hash: string | null;
  /** The expiry of a link; absent in a login. */
  readonly expires_at?: Instant;
};

export const memberCollection: Collection<MemberRecord> = {
  fields: {
    email: 'text|null',
    name: 'text|null',
    role: 'text',
    status: 'text',
    login: 'text|null',
    login_id: 'text|null',
    link_id: 'text|null',
    token_version: 'integer',
    created_by: 'text|null',
    changed_at: 'text|null',
    changed_by: 'text|null',
  },
  lists: [[], ['account_id'], ['account_id', 'status']],
  owner: { account: 'account_id' },
};

export const loginCollection: Collection<LoginRecord> = {
  fields: {
    member_id: 'text',
    kind: 'text',
    digest: 'text',
    password_hash: 'text|null',
    expires_at: 'text?',
  },
  lists: [[], ['account_id'], ['member_id']],
  expires: true,
  owner: { account: 'account_id' },
};
