/** The words of each passport field for people, as data. The compiler requires every field. */
import { MAX_BUDGETS } from '../base/values/budget.ts';
import { MAX_CONDITIONS } from '../base/values/conditions/condition.ts';
import {
  MAX_ENTRIES,
  MAX_METADATA_NAMES,
  MAX_OWNER,
  MAX_PUBLIC_KEYS,
  MAX_TEXT,
} from '../base/values/field-limits.ts';
import { MAX_PROOF_LENGTH } from '../base/values/proof-format.ts';
import { anyOf, PROOF_REQUIREMENTS } from '../base/values/vocabulary.ts';
import type { PassportInput, PassportListField } from '../records.ts';
import { ORDER_LIST, PACE_LIST } from './expected-history.ts';
import { TRUSTED_LIST } from './expected-trust.ts';

const ACTIONS = `a list of at most ${MAX_ENTRIES} actions and patterns, such as ["payments.create", "orders.*"]`;
const INSTANT = 'an instant such as 2027-01-31T09:00:00Z';

/** The valid values of each field. An error message says "This must be", and then this text. */
export const PASSPORT_HINTS: Readonly<Record<keyof PassportInput, string>> = {
  domain: 'a lower-case host name such as shop.example',
  agent_name: 'a lower-case name such as shopper',
  allowed_actions: ACTIONS,
  monetary_limit_per_txn: 'a decimal such as 19.99',
  parent_agent_id: 'the id of a passport of this account that is not revoked',
  denied_actions: ACTIONS,
  currency: 'an ISO 4217 code such as EUR',
  allowed_targets: `a list of at most ${MAX_ENTRIES} DIDs and patterns, such as ["did:web:*.shop.example"]`,
  monetary_actions: ACTIONS,
  budgets: `a list of at most ${MAX_BUDGETS} budgets, such as [{"window": "day", "limit": 500}]`,
  approval: 'an object such as {"above": 100}, with above, actions or changes',
  conditions: `a list of at most ${MAX_CONDITIONS} conditions, such as [{"at": "/to", "email_in": ["@example.com"]}]`,
  pace: PACE_LIST,
  order: ORDER_LIST,
  trusted_issuers: TRUSTED_LIST,
  not_before: INSTANT,
  expires_at: INSTANT,
  proof: `${anyOf(PROOF_REQUIREMENTS)} in a passport, a compact JWS of 1 to ${MAX_PROOF_LENGTH} characters in an intent`,
  description: `text of at most ${MAX_TEXT} characters`,
  public_keys: `a list of at most ${MAX_PUBLIC_KEYS} public keys as JWK`,
  metadata: `an object of at most ${MAX_METADATA_NAMES} texts, such as {"team": "sales"}`,
  owner: `text of 1 to ${MAX_OWNER} characters, or the id of a member, mem_…`,
  managed_by: 'a name of 1 to 64 characters, such as prod: [a-z0-9][a-z0-9._-]*',
};

const ACTION = 'an action such as payments.create, or a pattern such as orders.*';

/** The valid entries of each field that is a list of texts, as in `PASSPORT_HINTS`. */
export const ENTRY_HINTS: Readonly<Record<PassportListField, string>> = {
  allowed_actions: ACTION,
  denied_actions: ACTION,
  monetary_actions: ACTION,
  allowed_targets: 'a DID such as did:web:shop.example, or a pattern such as did:web:*.shop.example',
};
