/** The collections of a storage by name. Every storage creates its tables from these declarations. */

export {
  accountCollection as accounts,
  sessionCollection as sessions,
} from '../core/accounts/collections.ts';
export { approvalCollection as approvals } from '../core/approvals/collections.ts';
export { domainCollection as domains } from '../core/domains/collections.ts';
export { erasureCollection as erasures } from '../core/erasure/collections.ts';
export { eventCollection as events } from '../core/events/collections.ts';
export { keyCollection as keys } from '../core/keys/collections.ts';
export { loginCollection as logins, memberCollection as members } from '../core/members/collections.ts';
export {
  passportCollection as passports,
  passportVersionCollection as passport_versions,
} from '../core/passports/collections.ts';
export {
  idempotencyCollection as idempotency,
  sharedTextCollection as shared_texts,
} from '../core/shared/collections.ts';
export { spendCollection as spends } from '../core/spending/collections.ts';
export {
  logEntryCollection as log_entries,
  logHeadCollection as log_heads,
  logTileCollection as log_tiles,
} from '../evidence/collections.ts';
export {
  signingKeyCollection as signing_keys,
  statusSlotCollection as status_slots,
} from '../identity/collections.ts';
export {
  webhookCollection as webhooks,
  webhookDeliveryCollection as webhook_deliveries,
} from '../webhooks/collections.ts';
