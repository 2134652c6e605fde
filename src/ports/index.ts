/**
 * The entry point `./storage`: the interface of storages with its types and limits, and helpers, for authors of storage
 * adapters.
 */

export { createDeadlines, type Deadlines, type TimedCall } from '../base/async/deadlines.ts';
export { turn } from '../base/async/turns.ts';
export { knownOptions, type OptionNames, suggestion } from '../base/known-options.ts';
export { placeOf } from '../base/place-of.ts';
export { PASSPORT_STATUSES, type StatusFields, statusAt } from '../base/values/passport-status.ts';
export {
  clockDistance,
  MAX_AHEAD_MS,
  MAX_OFF_MS,
  purgeBound,
  raisedMark,
} from '../base/values/store-time.ts';
export { RESOLUTION_MS, type Resolution, rollupStarts } from '../base/values/time-buckets.ts';
export { wholeNumber } from '../base/values/whole-number.ts';
export type { AccountRecord, SessionRecord } from '../core/accounts/collections.ts';
export type { ApprovalRecord, StoredPassportChange } from '../core/approvals/collections.ts';
export type { DomainRecord } from '../core/domains/collections.ts';
export type { ErasureRecord } from '../core/erasure/collections.ts';
export type { EventRecord } from '../core/events/collections.ts';
export type { KeyRecord } from '../core/keys/collections.ts';
export type { LoginRecord, MemberRecord } from '../core/members/collections.ts';
export type {
  PassportFields,
  PassportRecord,
  PassportState,
  PassportVersionRecord,
  StoredApprovalRequirement,
  StoredBudget,
  StoredCondition,
  StoredOrder,
  StoredPace,
  StoredTrustedIssuer,
} from '../core/passports/collections.ts';
export type { IdempotencyRecord, SharedTextRecord } from '../core/shared/collections.ts';
export type { SpendRecord, SpendTaking, StoredUsage } from '../core/spending/collections.ts';
export { IdentityError, type IdentityErrorCode, type IdentityErrorDetails } from '../errors.ts';
export type { LogEntryRecord, LogHeadRecord, LogTileRecord } from '../evidence/collections.ts';
export type { SigningKeyRecord, StatusSlotRecord } from '../identity/collections.ts';
export type { ApprovalKind, ApprovalStatus, GivenApproval } from '../records/approval.ts';
export type { ComparisonResult } from '../records/comparison.ts';
export type { Condition } from '../records/condition.ts';
export type { DomainProofMethod, DomainStatus } from '../records/domain.ts';
export type { AgentKey, PublicJwk, PublicKeyInput, SigningAlgorithm } from '../records/key.ts';
export type { MemberLogin, MemberStatus } from '../records/member.ts';
export type { Order, OrderForbids, OrderNeeds } from '../records/order.ts';
export type { AssertionAlgorithm, TrustedIssuer, TrustedKey } from '../records/trusted-issuer.ts';
export type { Webhook, WebhookDelivery } from '../records/webhook.ts';
export type {
  Amount,
  ApiKey,
  ApiKeyStatus,
  ApprovalBy,
  BudgetUnit,
  BudgetWindow,
  Environment,
  Instant,
  PassportInput,
  PassportStatus,
  Plan,
  Reason,
  ReasonCode,
  Role,
  Scope,
  SpendStatus,
} from '../records.ts';
export type { WebhookDeliveryRecord, WebhookRecord } from '../webhooks/collections.ts';
export {
  type AnyCollection,
  BASE_FIELDS,
  type Collection,
  type FieldKind,
  type FieldsOf,
  type KindOf,
  type PlainKind,
  type PlainKindOf,
} from './collection.ts';
export type { DomainProver } from './domain-prover.ts';
export { createElapsedClock, type ElapsedClock } from './elapsed-clock.ts';
export type { Clock } from './host.ts';
export {
  BLOCK_FLAGS,
  type Block,
  type BlockHeader,
  type BlockName,
  type BlockPlace,
  type BlockRewriting,
  type BlocksQuery,
  type FiledQuery,
  type FlushResult,
  isFinal,
  type JournalErasure,
  type JournalFlush,
  type JournalMerge,
  type JournalStorage,
  type JournalWriter,
  keepsCounts,
  type ListOrder,
  type ListQuery,
  MAX_BLOCK_SPAN_MS,
  MAX_FLUSHED_BLOCKS,
  MAX_LISTED_BLOCKS,
  MAX_LISTED_WRITERS,
  MAX_LOADED_BLOCKS,
  MAX_PURGED_BLOCKS,
  type PassportCounts,
  type PassportCountsPiece,
  type Position,
  type RollupDelta,
  type RollupKind,
  type RollupSum,
  type Sums,
  type SumsPart,
  type SumsQuery,
  type UnmergedQuery,
} from './journal.ts';
export { assertListed, MARK_INTERVAL_MS, MAX_PAGE_SIZE, MAX_PURGE_SIZE } from './limits.ts';
export { noticesOf, WATCHED_COLLECTIONS } from './notices.ts';
export type { OidcClaims, OidcProvider, OidcStart } from './oidc-provider.ts';
export type {
  PublicSigningKey,
  Signature,
  Signer,
  SigningPurpose,
} from './signer.ts';
export {
  type Change,
  type ChangeNotice,
  type FailedStep,
  LOG_STATE,
  type NotWritten,
  type Purgeable,
  SECRET_TEXT,
  type StorageAdapter,
  type StorageHealth,
  type StoreTime,
  type WriteFailure,
  type WriteResult,
  type Written,
} from './storage.ts';
export {
  createStorageEvents,
  type StorageEvent,
  type StorageEvents,
  type StorageObserver,
} from './storage-events.ts';
export type { LastChange, RecordBase, StoredRecord, StoredValue } from './stored.ts';
export {
  COLLECTION_NAMES,
  type CollectionName,
  collections,
  isExpiring,
  type StoredRecords,
} from './stored-records.ts';
export type { WebhookAnswer, WebhookRequest, WebhookTransport } from './webhook-transport.ts';
