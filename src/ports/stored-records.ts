/** The records that a storage keeps, by collection: type aliases, so that each is a plain `StoredRecord`. */

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
  /** Present from the moment on in which the account was deleted: what is left of it is being erased. */
  readonly erased_at?: Instant;
} & LastChange;

/** `id` is the `jti` of its token. */
export type SessionRecord = RecordBase & {
  readonly token_version: number;
  readonly expires_at: Instant;
  readonly revoked_at: Instant | null;
};

/** `digest` is the full SHA-256 of the key, in hex. `active` counts towards the plan; expiry is derived, and stored when the count matters. */
export type KeyRecord = RecordBase & ApiKey & { readonly digest: string };

/** What the account decided, with limits as canonical decimal text and the keys with their thumbprints. */
export type PassportFields = Omit<
  PassportInput,
  'monetary_limit_per_txn' | 'public_keys' | 'budgets' | 'approval'
> & {
  readonly monetary_limit_per_txn: string;
  readonly public_keys?: readonly AgentKey[];
  readonly budgets?: readonly StoredBudget[];
  readonly approval?: StoredApprovalRequirement;
};

/** Which intents need a person. `above` is canonical decimal text. */
export type StoredApprovalRequirement = {
  readonly above?: string;
  readonly actions?: readonly string[];
  readonly seconds: number;
};

/** A budget of a passport. Either `limit`, as canonical decimal text, or `count`. */
export type StoredBudget = {
  readonly name: string;
  readonly window: BudgetWindow;
  readonly limit?: string;
  readonly count?: number;
  readonly actions?: readonly string[];
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

/**
 * `id` is the host without port; `account_id` owns it. The token of an account that does not own the host has a record
 * of its own, whose `id` is the host, a colon and the account; so has an account that lost the host. A record from before
 * domains could be proved has none of the fields below.
 */
export type DomainRecord = RecordBase &
  LastChange & {
    /** `pending` and `lost` only in the records of accounts that do not own the host. */
    readonly status?: DomainStatus;
    /** What proves the domain where it is published. */
    readonly token?: string;
    readonly token_expires_at?: Instant;
    readonly method?: DomainProofMethod;
    readonly proven_at?: Instant;
    readonly checked_at?: Instant;
    /** When the proof was seen last. */
    readonly seen_at?: Instant;
    /** How often in a row it was not seen since. */
    readonly failures?: number;
  };

/** `id` is derived from the account and its `Idempotency-Key`. */
export type IdempotencyRecord = RecordBase & {
  readonly expires_at: Instant;
  /** SHA-256 of the operation and its input, in hex. */
  readonly request_digest: string;
  readonly object_id: string;
  /** What was answered, without the secret. */
  readonly response: { readonly [field: string]: StoredValue };
};

/**
 * What has happened, written in one step with the change itself. `id` is where it stands in the order of events, 25
 * digits, a dot, and the account.
 */
export type EventRecord = RecordBase & {
  /** What has happened, such as `passport.revoked`. */
  readonly type: string;
  readonly expires_at: Instant;
  readonly data: { readonly [field: string]: StoredValue };
};

/**
 * A key that the service signs with. `id` is the purpose, a colon and a number that counts up, so that of two keys
 * made at the same time one is refused. The states follow from the instants.
 */
export type SigningKeyRecord = RecordBase & {
  /** RFC 7638 thumbprint of the public key. */
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
 * Which agent has which place in a status list (Token Status List). One record with the id of the list says whose it is, one
 * with the id `<list_id>:<status_index>` that the place is taken, and one with the `agent_id` as its id which place
 * the agent has. None of them ever changes.
 */
export type StatusSlotRecord = RecordBase & {
  readonly list_id: string;
  /** `null` in the record of the list itself. */
  readonly status_index: number | null;
  /** `null` in the record of the list itself. */
  readonly agent_id: string | null;
};

/** Where events of an account are sent. `id` is `whk_…`. */
export type WebhookRecord = RecordBase &
  Pick<
    Webhook,
    'url' | 'types' | 'description' | 'status' | 'disabled_reason' | 'created_by' | 'updated_at'
  > &
  Pick<Webhook, 'last_success_at' | 'last_failure_at' | 'failures_in_a_row'> & {
    /** The secret, and the one before as long as both sign, encrypted: JWE compact. */
    readonly sealed: string;
    readonly previous_sealed: string | null;
    readonly previous_until: Instant | null;
    /** Events before this instant have their deliveries; later ones may lack them. */
    readonly read_from: Instant;
  };

/** An event on its way to a webhook. `id` is derived from both, so that there is one for each. */
export type WebhookDeliveryRecord = RecordBase &
  Pick<WebhookDelivery, 'event_id' | 'event_type' | 'status' | 'attempt' | 'http_status' | 'duration_ms'> & {
    readonly webhook_id: string;
    readonly attempted_at: Instant | null;
    /** When it is to be tried; while a node tries it, when another one may. Absent once it is over. */
    readonly due_at?: Instant;
    /** Whether a node tries it. */
    readonly is_leased: boolean;
    /** The body of the request; empty: it is made of the stored event. */
    readonly payload: string;
    readonly expires_at: Instant;
  };

/**
 * What a person is asked. `id` derives from the environment, the digest of the intent, which names the agent, and `round`:
 * of two that are made at the same time one is refused.
 */
export type ApprovalRecord = RecordBase & {
  readonly agent_id: string;
  readonly environment: Environment;
  /** SHA-256 of `intent` in the form of RFC 8785, in hex. */
  readonly digest: string;
  /** How many approvals of this intent there were before, as far as they are known. */
  readonly round: number;
  /** `expired` follows from `expires_at` as well. */
  readonly status: ApprovalStatus;
  readonly intent: { readonly [member: string]: StoredValue };
  readonly reasons: readonly { readonly [member: string]: StoredValue }[];
  readonly expires_at: Instant;
  /** `expires_at` as long as it is pending, or approved and not used. */
  readonly due_at?: Instant;
  readonly decided_by: string | null;
  readonly decided_at: Instant | null;
  readonly note: string | null;
  /** The verdict that used it. */
  readonly decision_id: string | null;
};

/** What is being erased: an account, whose id it has, or one agent. It goes when nothing is left. */
export type ErasureRecord = RecordBase & {
  /** `null`: all of the account. */
  readonly agent_id: string | null;
  /** When all was removed once: what was under way then may have stored more since. */
  readonly swept_at: Instant | null;
  /** Until when a node works on it. */
  readonly leased_until: Instant;
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
