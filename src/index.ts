/** The core's public names, one by one. */

export { createIdentityClient, type IdentityClient, type IdentityClientOptions } from './client.ts';
export { IdentityError, type IdentityErrorCode } from './errors.ts';
export { noticesOf, WATCHED_COLLECTIONS } from './notices.ts';
export type {
  Census,
  Change,
  ChangeNotice,
  Clock,
  CollectionName,
  JournalBatch,
  JournalEntry,
  JournalQuery,
  ListQuery,
  LogEvent,
  Logger,
  PasswordHasher,
  Position,
  Purgeable,
  RandomSource,
  Resolution,
  RollupDelta,
  RollupKind,
  StorageAdapter,
  StorageHealth,
  StoredRecord,
  StoredValue,
  Tally,
  TallyQuery,
  WriteFailure,
  WriteResult,
} from './ports.ts';
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
