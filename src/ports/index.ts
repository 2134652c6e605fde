/** The door `./storage`: the port, its types and its limits, for authors of storage adapters. */

export type { Resolution } from '../base/resolutions.ts';
export { RESOLUTION_MS, rollupStarts } from '../base/resolutions.ts';
export { purgeHorizon, raisedMark } from '../base/store-time.ts';
export type { Environment, Instant, Reason, ReasonCode } from '../records.ts';
export { noticesOf, WATCHED_COLLECTIONS } from './notices.ts';
export {
  type Census,
  type CensusPiece,
  EXPIRING_BY,
  type ExpiredQuery,
  type ExpiringCollection,
  type ExpiryPosition,
  type JournalPiece,
  type JournalQuery,
  LISTED_BY,
  type ListQuery,
  type Position,
  type Tally,
  type TallyQuery,
} from './queries.ts';
export type {
  Change,
  ChangeNotice,
  JournalBatch,
  Purgeable,
  RollupDelta,
  StorageAdapter,
  StorageHealth,
  StoreTime,
  TextChange,
  WriteFailure,
  WriteResult,
} from './storage.ts';
export type { CollectionName, JournalEntry, RollupKind, StoredRecord, StoredValue } from './stored.ts';
