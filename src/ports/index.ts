/** The door `./storage`: the port, its types and its limits, for authors of storage adapters. */

export type { Resolution } from '../base/resolutions.ts';
export { RESOLUTION_MS, rollupStarts } from '../base/resolutions.ts';
export { purgeHorizon, raisedMark } from '../base/store-time.ts';
export type { Environment, Instant, Reason, ReasonCode } from '../records.ts';
export {
  BLOCK_FLAGS,
  type Block,
  type BlockHeader,
  type BlockName,
  type BlockPlace,
  type BlocksQuery,
  type FiledQuery,
  type FlushResult,
  type JournalFlush,
  type JournalMerge,
  type JournalStorage,
  type JournalWriter,
  MAX_BLOCK_SPAN_MS,
  MAX_FLUSHED_BLOCKS,
  MAX_LISTED_BLOCKS,
  MAX_LOADED_BLOCKS,
  MAX_PURGED_BLOCKS,
  type RollupDelta,
  type RollupKind,
  type RollupSum,
  type Sums,
  type SumsPart,
  type SumsQuery,
} from './journal.ts';
export { noticesOf, WATCHED_COLLECTIONS } from './notices.ts';
export {
  type Census,
  type CensusPiece,
  EXPIRING_BY,
  type ExpiredQuery,
  type ExpiringCollection,
  type ExpiryPosition,
  LISTED_BY,
  type ListQuery,
  type Position,
} from './queries.ts';
export type {
  Change,
  ChangeNotice,
  Purgeable,
  StorageAdapter,
  StorageHealth,
  StoreTime,
  TextChange,
  WriteFailure,
  WriteResult,
} from './storage.ts';
export type { CollectionName, StoredRecord, StoredValue } from './stored.ts';
