/** The entry point `./storage`: the storage port with its types and limits, and helpers, for authors of storage adapters. */

export { createDeadlines, type Deadlines, type TimedCall } from '../base/async/deadlines.ts';
export { turn } from '../base/async/turns.ts';
export { knownOptions, type OptionNames } from '../base/known-options.ts';
export { suggestion } from '../base/nearest-name.ts';
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
export { IdentityError, type IdentityErrorCode, type IdentityErrorDetails } from '../errors.ts';
export type { ApprovalKind, ApprovalStatus, GivenApproval } from '../records/approval.ts';
export type { ComparisonResult } from '../records/comparison.ts';
export type { Condition } from '../records/condition.ts';
export type { DomainProofMethod, DomainStatus } from '../records/domain.ts';
export type { AgentKey, PublicJwk, PublicKeyInput, SigningAlgorithm } from '../records/key.ts';
export type { MemberLogin, MemberStatus } from '../records/member.ts';
export type { Webhook, WebhookDelivery } from '../records/webhook.ts';
export type {
  Amount,
  ApiKey,
  ApiKeyStatus,
  ApprovalBy,
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
  MAX_BLOCK_SPAN_MS,
  MAX_FLUSHED_BLOCKS,
  MAX_LISTED_BLOCKS,
  MAX_LISTED_WRITERS,
  MAX_LOADED_BLOCKS,
  MAX_PURGED_BLOCKS,
  type RollupDelta,
  type RollupKind,
  type RollupSum,
  type Sums,
  type SumsPart,
  type SumsQuery,
} from './journal.ts';
export { assertPageSize, MARK_INTERVAL_MS, MAX_PAGE_SIZE, MAX_PURGE_SIZE } from './limits.ts';
export { noticesOf, WATCHED_COLLECTIONS } from './notices.ts';
export type { OidcClaims, OidcProvider, OidcStart } from './oidc-provider.ts';
export {
  DUE_BY,
  type DueCollection,
  type DuePart,
  type DuePosition,
  EXPIRING_BY,
  type ExpiredQuery,
  type ExpiringCollection,
  type ExpiryPosition,
  LISTED_BY,
  type ListQuery,
  type PassportCounts,
  type PassportCountsPiece,
  type Position,
  type UnmergedQuery,
} from './queries.ts';
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
  type NotWritten,
  type Purgeable,
  SECRET_TEXT,
  type StorageAdapter,
  type StorageHealth,
  type StoreTime,
  type TextChange,
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
export type { RecordBase, StoredRecord, StoredValue } from './stored.ts';
export type { ApprovalRecord, StoredPassportChange } from './stored-approvals.ts';
export { LOG_STATE, type LogEntryRecord, type LogHeadRecord, type LogTileRecord } from './stored-logs.ts';
export type {
  AccountRecord,
  CollectionName,
  DomainRecord,
  ErasureRecord,
  EventRecord,
  IdempotencyRecord,
  KeyRecord,
  LastChange,
  LoginRecord,
  MemberRecord,
  PassportFields,
  PassportRecord,
  PassportState,
  PassportVersionRecord,
  SessionRecord,
  SigningKeyRecord,
  StatusSlotRecord,
  StoredRecords,
  WebhookDeliveryRecord,
  WebhookRecord,
} from './stored-records.ts';
export type {
  StoredApprovalRequirement,
  StoredBudget,
  StoredCondition,
  StoredPace,
} from './stored-rules.ts';
export type { SpendRecord, SpendTaking } from './stored-spends.ts';
export type { WebhookAnswer, WebhookRequest, WebhookTransport } from './webhook-transport.ts';
