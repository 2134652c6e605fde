/** The door `./storage`: the port, its types and its limits, for authors of storage adapters. */

export { noticesOf, WATCHED_COLLECTIONS } from './notices.ts';
export type {
  Change,
  ChangeNotice,
  CollectionName,
  JournalBatch,
  JournalEntry,
  Purgeable,
  Resolution,
  RollupDelta,
  RollupKind,
  StorageAdapter,
  StorageHealth,
  StoredRecord,
  StoredValue,
  StoreTime,
  WriteFailure,
  WriteResult,
} from './ports.ts';
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
export type { Environment, Instant, Reason, ReasonCode } from './records.ts';
export { RESOLUTION_MS, rollupStarts } from './resolutions.ts';
export { purgeHorizon, raisedMark } from './store-time.ts';
