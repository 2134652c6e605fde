/** The records that a storage keeps, by collection. They are type aliases, so that each is a plain `StoredRecord`. */
import type { DomainProofMethod, DomainStatus } from '../records/domain.ts';
import type { AgentKey } from '../records/key.ts';
import type { MemberLogin, MemberStatus } from '../records/member.ts';
import type { Webhook, WebhookDelivery } from '../records/webhook.ts';
import type { ApiKey, Instant, PassportInput, PassportStatus, Plan, Role } from '../records.ts';
import type { PublicJwk, SigningAlgorithm, SigningPurpose } from './signer.ts';
import type { RecordBase, StoredValue } from './stored.ts';
import type { ApprovalRecord } from './stored-approvals.ts';
import type { LogEntryRecord, LogHeadRecord, LogTileRecord } from './stored-logs.ts';
import type { StoredApprovalRequirement, StoredBudget, StoredCondition, StoredPace } from './stored-rules.ts';
import type { SpendRecord } from './stored-spends.ts';

/**
 * The author and the instant of the last change; `null` before the first.
 */
export type LastChange = {
  readonly changed_at: Instant | null;
  readonly changed_by: string | null;
};

/**
 * An account. Its `id` is derived from the e-mail that opened it, or from the id that the host gives it; it is never
 * given again.
 */
export type AccountRecord = RecordBase & {
  /** The e-mail that opened it; `null` in an account of the host. */
  readonly email: string | null;
  /** The host's own id of it; `null` unless the host opened it. A store of JSON may lack it. */
  readonly external_id: string | null;
  /** The name that the host gives it. A store of JSON may lack it. */
  readonly name: string | null;
  readonly plan: Plan;
  /**
   * Empty, which no password matches: passwords are in logins. An account from before members has its hash here, until
   * its first touch makes its founder.
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
  /** The member that signed in; `null` or absent in a session from before members: the founder. */
  readonly member_id: string | null;
  /** The `token_version` of the member at its issue; `null` or absent in a session from before members. */
  readonly member_version: number | null;
  readonly token_version: number;
  readonly expires_at: Instant;
  readonly revoked_at: Instant | null;
};

/** A member of an account. Its `id` is `mem_…`, that of the founder derived from the account's. */
export type MemberRecord = RecordBase & {
  readonly email: string | null;
  readonly name: string | null;
  readonly role: Role;
  readonly status: MemberStatus;
  /** The kind of the login; `null` while invited. */
  readonly login: MemberLogin | null;
  /** The record of the login; `null` without one. */
  readonly login_id: string | null;
  /** The record of the one link that is valid; `null` without one. */
  readonly link_id: string | null;
  /** A number that sessions carry; raising it ends every session of the member. */
  readonly token_version: number;
  readonly created_by: string | null;
} & LastChange;

/** A login of a member, or a link to choose one. Its `id` derives from `digest`, so that inserting it keeps it unique. */
export type LoginRecord = RecordBase & {
  readonly member_id: string;
  readonly kind: MemberLogin | 'link';
  /** The SHA-256 of the kind and the name, or of a link's token, in hex. */
  readonly digest: string;
  /** The hash of a password; `null` in any other login. */
  readonly password_hash: string | null;
  /** The end of a link; absent in a login. */
  readonly expires_at?: Instant;
};

/** An API key. `digest` is the full SHA-256 of the key, in hex. `active` keys count towards the plan. */
export type KeyRecord = RecordBase & ApiKey & { readonly digest: string };

/** The fields that the account sets, with limits as canonical decimal text and the keys with their thumbprints. */
export type PassportFields = Omit<
  PassportInput,
  'monetary_limit_per_txn' | 'public_keys' | 'budgets' | 'approval' | 'conditions' | 'pace'
> & {
  readonly monetary_limit_per_txn: string;
  readonly public_keys?: readonly AgentKey[];
  readonly budgets?: readonly StoredBudget[];
  readonly approval?: StoredApprovalRequirement;
  readonly conditions?: readonly StoredCondition[];
  readonly pace?: readonly StoredPace[];
};

/** The stored state of a passport. */
export type PassportState = {
  readonly status: Exclude<PassportStatus, 'expired'>;
  readonly suspended_until: Instant | null;
  readonly suspended_by: string | null;
  readonly suspension_reason: string | null;
  readonly revoked_at: Instant | null;
  readonly revoked_by: string | null;
  readonly revocation_reason: string | null;
};

/** A passport. Its `id` is the `agent_id`. */
export type PassportRecord = RecordBase &
  PassportFields &
  PassportState & {
    readonly updated_at: Instant;
    /**
     * The person who made the passport, or the last change that let more happen; `null` or absent in a passport from
     * before members, until its next such change.
     */
    readonly widened_by: string | null;
    readonly widened_at: Instant | null;
    /** The last reviewed version; absent: this one. */
    readonly reviewed_version?: number;
    /** The authors of the changes since that version; absent: none. */
    readonly authors?: readonly string[];
  };

/** A version of a passport, written in one step with the passport. Its `id` is `<agent_id>@<version, ten digits>`. */
export type PassportVersionRecord = RecordBase & {
  readonly agent_id: string;
  readonly changed_by: string;
  readonly changed_at: Instant;
  readonly passport: PassportRecord;
};

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

/** An idempotency record. Its `id` is derived from the account and its `Idempotency-Key`. */
export type IdempotencyRecord = RecordBase & {
  readonly expires_at: Instant;
  /** The SHA-256 of the operation and its input, in hex. */
  readonly request_digest: string;
  readonly object_id: string;
  /** The answer, without the secret. */
  readonly response: { readonly [field: string]: StoredValue };
};

/** An event, written in one step with its change. Its `id`: its position in 25 digits, a dot, and the account. */
export type EventRecord = RecordBase & {
  /** The type, such as `passport.revoked`. */
  readonly type: string;
  readonly expires_at: Instant;
  /** The instant from which on its leaf may be appended to the log of its account; absent without one to append. */
  readonly due_at?: Instant;
  readonly data: { readonly [field: string]: StoredValue };
};

/** A signing key. Its `id` is the purpose, a colon and a counter: of two keys made at the same time one is refused. */
export type SigningKeyRecord = RecordBase & {
  /** The RFC 7638 thumbprint of the public key. */
  readonly kid: string;
  readonly purpose: SigningPurpose;
  readonly alg: SigningAlgorithm;
  readonly public_jwk: PublicJwk;
  /** The private key, encrypted: JWE compact. */
  readonly sealed: string;
  readonly not_before: Instant;
  readonly retire_at: Instant | null;
  readonly revoked_at: Instant | null;
};

/**
 * A slot of a status list (Token Status List). The id of the list names its owner; the id `<list_id>:<status_index>`
 * marks the slot as taken; the `agent_id` as the id names the agent's slot. None of the records ever changes.
 */
export type StatusSlotRecord = RecordBase & {
  readonly list_id: string;
  /** The index of the slot; `null` in the record of the list itself. */
  readonly status_index: number | null;
  /** The agent; `null` in the record of the list itself. */
  readonly agent_id: string | null;
};

/** A webhook. Its `id` is `whk_…`. */
export type WebhookRecord = RecordBase &
  Pick<
    Webhook,
    'url' | 'types' | 'description' | 'status' | 'disabled_reason' | 'created_by' | 'updated_at'
  > &
  Pick<Webhook, 'last_success_at' | 'last_failure_at' | 'failures_in_a_row'> & {
    /** The secret, and the previous one while both sign, encrypted: JWE compact. */
    readonly sealed: string;
    readonly previous_sealed: string | null;
    readonly previous_until: Instant | null;
    /** The instant before which all events have their deliveries; later ones may lack them. */
    readonly read_from: Instant;
  };

/** A delivery of an event to a webhook. Its `id` is derived from both, so that there is only one. */
export type WebhookDeliveryRecord = RecordBase &
  Pick<WebhookDelivery, 'event_id' | 'event_type' | 'status' | 'attempt' | 'http_status' | 'duration_ms'> & {
    readonly webhook_id: string;
    readonly attempted_at: Instant | null;
    /** The instant of the next try; while a node tries it, the end of the node's lease. Absent once it is finished. */
    readonly due_at?: Instant;
    /** True while a node tries it. */
    readonly is_leased: boolean;
    /** The body of the request; empty: it is built from the stored event. */
    readonly payload: string;
    readonly expires_at: Instant;
  };

/** An erasure in progress, of an account or of one agent. The record is removed when nothing is left. */
export type ErasureRecord = RecordBase & {
  /** The agent; `null`: the whole account. */
  readonly agent_id: string | null;
  /** The instant at which all was removed once. Calls that were in progress then may have stored more since. */
  readonly swept_at: Instant | null;
  /** The instant until which a node has the lease on it. */
  readonly leased_until: Instant;
};

/** The record of each collection. */
export interface StoredRecords {
  readonly accounts: AccountRecord;
  readonly sessions: SessionRecord;
  readonly members: MemberRecord;
  readonly logins: LoginRecord;
  readonly keys: KeyRecord;
  readonly passports: PassportRecord;
  readonly passport_versions: PassportVersionRecord;
  readonly domains: DomainRecord;
  readonly idempotency: IdempotencyRecord;
  readonly events: EventRecord;
  readonly signing_keys: SigningKeyRecord;
  readonly status_slots: StatusSlotRecord;
  readonly spends: SpendRecord;
  readonly webhooks: WebhookRecord;
  readonly webhook_deliveries: WebhookDeliveryRecord;
  readonly approvals: ApprovalRecord;
  readonly erasures: ErasureRecord;
  readonly log_heads: LogHeadRecord;
  readonly log_entries: LogEntryRecord;
  readonly log_tiles: LogTileRecord;
}

/** The collections that an adapter keeps, besides the counters and the journal. */
export type CollectionName = keyof StoredRecords;
