/** The door `./storage`: the port, its types and its limits, and what adapters share, for authors of storage adapters. */

export { createDeadlines, type Deadlines, type TimedCall } from '../base/deadlines.ts';
export { PASSPORT_STATUSES, type StatusFields, statusAt } from '../base/passport-status.ts';
export { clockDistance, MAX_AHEAD_MS, MAX_OFF_MS, purgeHorizon, raisedMark } from '../base/store-time.ts';
export { RESOLUTION_MS, type Resolution, rollupStarts } from '../base/time-buckets.ts';
export { turn } from '../base/turns.ts';
export { wholeNumber } from '../base/whole-number.ts';
export { IdentityError, type IdentityErrorCode, type IdentityErrorDetails } from '../errors.ts';
export type {
  Amount,
  ApiKey,
  ApiKeyStatus,
  Environment,
  Instant,
  PassportInput,
  PassportStatus,
  Plan,
  Reason,
  ReasonCode,
  Scope,
} from '../records.ts';
export {
  assertPageSize,
  BATCH_MEMORY_MS,
  MARK_INTERVAL_MS,
  MAX_PAGE_SIZE,
  MAX_PURGE_SIZE,
} from './limits.ts';
export { noticesOf, WATCHED_COLLECTIONS } from './notices.ts';
export {
  EXPIRING_BY,
  type ExpiredQuery,
  type ExpiringCollection,
  type ExpiryPosition,
  type JournalPiece,
  type JournalQuery,
  LISTED_BY,
  type ListQuery,
  type PassportCounts,
  type PassportCountsPiece,
  type Position,
  type RollupQuery,
  type RollupSum,
} from './queries.ts';
export {
  type Change,
  type ChangeNotice,
  type JournalBatch,
  type Purgeable,
  type RollupDelta,
  SECRET_TEXT,
  type StorageAdapter,
  type StorageHealth,
  type StoreTime,
  type TextChange,
  type WriteFailure,
  type WriteResult,
} from './storage.ts';
export type { JournalEntry, RollupKind, StoredRecord, StoredValue } from './stored.ts';
export type {
  AccountRecord,
  CollectionName,
  DomainRecord,
  IdempotencyRecord,
  KeyRecord,
  LastChange,
  PassportFields,
  PassportRecord,
  PassportState,
  PassportVersionRecord,
  RecordBase,
  SessionRecord,
  StoredRecords,
} from './stored-records.ts';
