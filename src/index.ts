/** The core's public names, one by one. */

export { createIdentityClient, type IdentityClient, type IdentityClientOptions } from './client.ts';
export { IdentityError, type IdentityErrorCode } from './errors.ts';
export { noticesOf, WATCHED_COLLECTIONS } from './notices.ts';
export type {
  Change,
  ChangeNotice,
  Clock,
  CollectionName,
  JournalBatch,
  JournalEntry,
  LogEvent,
  Logger,
  PasswordHasher,
  Purgeable,
  RandomSource,
  Resolution,
  RollupDelta,
  RollupKind,
  StorageAdapter,
  StorageHealth,
  StoredRecord,
  StoredValue,
  WriteFailure,
  WriteResult,
} from './ports.ts';
export type {
  Census,
  CensusPiece,
  ExpiredQuery,
  ExpiringCollection,
  ExpiryPosition,
  JournalPiece,
  JournalQuery,
  ListQuery,
  Position,
  Tally,
  TallyQuery,
} from './queries.ts';
export type {
  Account,
  ApiKey,
  Environment,
  Instant,
  Intent,
  Page,
  Passport,
  PassportInput,
  PassportPatch,
  Reason,
  ReinstateInput,
  Reinstatement,
  Revocation,
  RevokeInput,
  Scope,
  SuspendInput,
  Suspension,
  Verdict,
  VerdictRecord,
} from './records.ts';
export { RESOLUTION_MS, rollupStarts } from './resolutions.ts';
export {
  type Client,
  createIdentityService,
  type IdentityService,
  type IdentityServiceOptions,
  type KeyCaller,
  type OnceOptions,
  type SessionCaller,
} from './service/index.ts';
export { defaultRules, type Facts, type Rule } from './verdict/index.ts';
