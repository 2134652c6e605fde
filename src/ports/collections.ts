/** The collections of a storage, each by its name there. Every storage derives the rest from their declarations. */

export {
  logEntryCollection as log_entries,
  logHeadCollection as log_heads,
  logTileCollection as log_tiles,
} from '../evidence/collections.ts';
export {
  accountCollection as accounts,
  sessionCollection as sessions,
} from '../service/accounts/collections.ts';
export { approvalCollection as approvals } from '../service/approvals/collections.ts';
export { domainCollection as domains } from '../service/domains/collections.ts';
export { erasureCollection as erasures } from '../service/erasure/collections.ts';
export { eventCollection as events } from '../service/events/collections.ts';
export { keyCollection as keys } from '../service/keys/collections.ts';
export { loginCollection as logins, memberCollection as members } from '../service/members/collections.ts';
export {
  passportCollection as passports,
  passportVersionCollection as passport_versions,
} from '../service/passports/collections.ts';
export { idempotencyCollection as idempotency } from '../service/shared/collections.ts';
export {
  signingKeyCollection as signing_keys,
  statusSlotCollection as status_slots,
} from '../service/signing/collections.ts';
export { spendCollection as spends } from '../service/spending/collections.ts';
export {
  webhookCollection as webhooks,
  webhookDeliveryCollection as webhook_deliveries,
} from '../webhooks/collections.ts';
