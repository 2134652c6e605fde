/** The records that a storage keeps, by collection: type aliases, so that each is a plain `StoredRecord`. */
import type { ApiKey, Instant, PassportInput, PassportStatus, Plan } from '../records.ts';
import type { StoredValue } from './stored.ts';

/** What every record has. */
export type RecordBase = {
  readonly id: string;
  readonly account_id: string;
  readonly version: number;
  readonly created_at: Instant;
};

/** Who changed the record last, and when; `null` before the first change, and where an older release made it. */
export type LastChange = {
  readonly changed_at: Instant | null;
  readonly changed_by: string | null;
};

/** `id` is derived from the e-mail, so that the e-mail is unique by the insert itself. */
export type AccountRecord = RecordBase & {
  readonly email: string;
  readonly plan: Plan;
  readonly password_hash: string;
  /** Sessions carry it; raising it ends every session of the account. */
  readonly token_version: number;
  readonly disabled_at: Instant | null;
  readonly created_by: string | null;
} & LastChange;

/** `id` is the `jti` of its token. */
export type SessionRecord = RecordBase & {
  readonly token_version: number;
  readonly expires_at: Instant;
  readonly revoked_at: Instant | null;
};

/** `digest` is the full SHA-256 of the key, in hex. `active` counts towards the plan; expiry is derived, and settled when the count matters. */
export type KeyRecord = RecordBase & ApiKey & { readonly digest: string };

/** What the account decided, with the limit as canonical decimal text. */
export type PassportFields = Omit<PassportInput, 'monetary_limit_per_txn'> & {
  readonly monetary_limit_per_txn: string;
};

/** What the service keeps of the state of a passport. */
export type PassportState = {
  readonly status: Exclude<PassportStatus, 'expired'>;
  readonly suspended_until: Instant | null;
  readonly suspended_by: string | null;
  readonly suspension_reason: string | null;
  readonly revoked_at: Instant | null;
  readonly revoked_by: string | null;
  readonly revocation_reason: string | null;
};

/** `id` is the `agent_id`. */
export type PassportRecord = RecordBase & PassportFields & PassportState & { readonly updated_at: Instant };

/** `id` is `<agent_id>@<version, ten digits>`; written in one step with the passport itself. */
export type PassportVersionRecord = RecordBase & {
  readonly agent_id: string;
  readonly changed_by: string;
  readonly changed_at: Instant;
  readonly passport: PassportRecord;
};

/** `id` is the host without port; `account_id` owns it. */
export type DomainRecord = RecordBase & LastChange;

/** `id` is derived from the account and its `Idempotency-Key`. */
export type IdempotencyRecord = RecordBase & {
  readonly expires_at: Instant;
  /** SHA-256 of the operation and its input, in hex. */
  readonly request_digest: string;
  readonly object_id: string;
  /** What was answered, without the secret. */
  readonly response: { readonly [field: string]: StoredValue };
};

/** Which record each collection holds. */
export interface StoredRecords {
  readonly accounts: AccountRecord;
  readonly sessions: SessionRecord;
  readonly keys: KeyRecord;
  readonly passports: PassportRecord;
  readonly passport_versions: PassportVersionRecord;
  readonly domains: DomainRecord;
  readonly idempotency: IdempotencyRecord;
}

/** The collections that an adapter keeps, besides the counters and the journal. */
export type CollectionName = keyof StoredRecords;
