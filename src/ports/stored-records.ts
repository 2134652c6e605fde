/** The records that a storage keeps, by collection. They are type aliases, so that each is a plain `StoredRecord`. */

import type { ApprovalStatus } from '../records/approval.ts';
import type { DomainProofMethod, DomainStatus } from '../records/domain.ts';
import type { AgentKey } from '../records/key.ts';
import type { Webhook, WebhookDelivery } from '../records/webhook.ts';
import type {
  ApiKey,
  BudgetWindow,
  Environment,
  Instant,
  PassportInput,
  PassportStatus,
  Plan,
} from '../records.ts';
import type { PublicJwk, SigningAlgorithm, SigningPurpose } from './signer.ts';
import type { RecordBase, StoredValue } from './stored.ts';
import type { SpendRecord } from './stored-spends.ts';

/**
 * The author and the instant of the last change; `null` before the first, and when an older release made the record.
 */
export type LastChange = {
  readonly changed_at: Instant | null;
  readonly changed_by: string | null;
};

/** An account. Its `id` is derived from the e-mail, so that inserting it keeps the e-mail unique. */
export type AccountRecord = RecordBase & {
  readonly email: string;
  readonly plan: Plan;
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
  readonly token_version: number;
  readonly expires_at: Instant;
  readonly revoked_at: Instant | null;
};

/** An API key. `digest` is the full SHA-256 of the key, in hex. `active` keys count towards the plan. */
export type KeyRecord = RecordBase & ApiKey & { readonly digest: string };

/** The fields that the account sets, with limits as canonical decimal text and the keys with their thumbprints. */
export type PassportFields = Omit<
  PassportInput,
  'monetary_limit_per_txn' | 'public_keys' | 'budgets' | 'approval'
> & {
  readonly monetary_limit_per_txn: string;
  readonly public_keys?: readonly AgentKey[];
  readonly budgets?: readonly StoredBudget[];
  readonly approval?: StoredApprovalRequirement;
};

/** An approval rule. `above` is canonical decimal text. */
export type StoredApprovalRequirement = {
  readonly above?: string;
  readonly actions?: readonly string[];
  readonly seconds: number;
};

/** A budget of a passport: either `limit`, as canonical decimal text, or `count`. */
export type StoredBudget = {
  readonly name: string;
  readonly window: BudgetWindow;
  readonly limit?: string;
  readonly count?: number;
  readonly actions?: readonly string[];
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
export type PassportRecord = RecordBase & PassportFields & PassportState & { readonly updated_at: Instant };

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

/** An approval. Its `id` derives from environment, digest and `round`: of two made at the same time one is refused. */
export type ApprovalRecord = RecordBase & {
  readonly agent_id: string;
  readonly environment: Environment;
  /** The SHA-256 of `intent` in the form of RFC 8785, in hex. */
  readonly digest: string;
  /** The number of known approvals of this intent before this one. */
  readonly round: number;
  /** The status. It is `expired` also when `expires_at` has passed. */
  readonly status: ApprovalStatus;
  readonly intent: { readonly [member: string]: StoredValue };
  readonly reasons: readonly { readonly [member: string]: StoredValue }[];
  readonly expires_at: Instant;
  /** Equals `expires_at` while it is pending, or approved and not used. */
  readonly due_at?: Instant;
  readonly decided_by: string | null;
  readonly decided_at: Instant | null;
  readonly note: string | null;
  /** The verdict that used it. */
  readonly decision_id: string | null;
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
}

/** The collections that an adapter keeps, besides the counters and the journal. */
export type CollectionName = keyof StoredRecords;
