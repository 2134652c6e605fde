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
import { ORDER_LIST, PACE_LIST, TRUSTED_LIST } from './expected-fields.ts';

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
  proof: `${/* @__PURE__ */ anyOf(PROOF_REQUIREMENTS)} in a passport, a compact JWS of 1 to ${MAX_PROOF_LENGTH} characters in an intent`,
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

interface Flag {
  readonly value: `<${string}>`;
  readonly help: string;
  /** Default: the name of the field, with dashes. */
  readonly name?: string;
}

/** The flag of each field, in the order of `passport export`. `undefined`: only a file can set the field. */
export const PASSPORT_FLAGS: Readonly<Record<keyof PassportInput, Flag | undefined>> = {
  domain: {
    value: '<domain>',
    help: 'domain of the organization that runs the agent; the id of the agent contains it',
  },
  agent_name: { value: '<name>', help: 'name of the agent, unique in the domain' },
  parent_agent_id: {
    name: 'parent',
    value: '<agent_id>',
    help: 'id of the parent agent; the new agent may do only what both passports allow',
  },
  allowed_actions: {
    value: '<action...>',
    help: 'actions that the agent may take, or patterns such as orders.*',
  },
  monetary_limit_per_txn: {
    value: '<amount>',
    help: 'the largest amount of one transaction, as an exact decimal such as 99.50',
  },
  denied_actions: { value: '<action...>', help: 'actions that are denied even if they are allowed' },
  currency: { value: '<code>', help: 'currency of the amounts, as an ISO 4217 code such as EUR' },
  allowed_targets: {
    value: '<did...>',
    help: 'DIDs that an action may have as target, or patterns such as did:web:*.example.com (default: any target)',
  },
  monetary_actions: { value: '<action...>', help: 'actions that must have an amount' },
  budgets: {
    name: 'budget',
    value: '<budget...>',
    help: 'limit per period, such as window=day,limit=500 (an amount in the currency of the passport), window=day,count=20 (a number of actions) or window=day,limit=100000,unit=tokens,actions=model.call; JSON with these fields works too',
  },
  approval: {
    value: '<approval>',
    help: 'intents that people must approve; above=250,actions=payments.refund,seconds=600,count=2 means amounts above 250 and every payments.refund, within 600 seconds, by two people; by=another excludes the person who asks; with changes=true, changes of this passport that allow more also need an approval; JSON with these fields works too',
  },
  conditions: {
    name: 'condition',
    value: '<json...>',
    help: 'rule that the parameters of an action must meet, such as {"actions": ["email.send"], "at": "/to", "email_in": ["@example.com"]}',
  },
  pace: {
    value: '<pace...>',
    help: 'the most actions per period, such as max=5,seconds=60 (all actions together) or max=1,seconds=10,actions=email.send; JSON with these fields works too',
  },
  order: {
    value: '<json...>',
    help: 'rule about earlier actions; {"name": "tested", "actions": ["deploy.run"], "needs": {"actions": ["tests.run"], "seconds": 3600}} allows deploy.run only within 3600 seconds after a successful tests.run; with forbids instead of needs, an allowed tests.run blocks deploy.run for this time',
  },
  trusted_issuers: {
    name: 'trusted-issuer',
    value: '<json...>',
    help: 'issuer whose JWTs the agent may exchange for access tokens, such as {"issuer": "https://idp.example", "use": "user"}; the field use is "user" if the JWTs identify people, and "workload" if they identify programs',
  },
  not_before: { value: '<instant>', help: 'RFC 3339 instant at which the passport becomes valid' },
  expires_at: { value: '<instant>', help: 'RFC 3339 instant at which the passport expires' },
  proof: {
    value: '<requirement>',
    help: 'parts of an intent that the agent must sign with its key; `optional` (default) requires no signature, `identity` requires a signature over the agent id and the target, and `intent` also over the action and the parameters',
  },
  description: { value: '<text>', help: 'description of the passport, at most 500 characters' },
  owner: {
    value: '<owner>',
    help: 'person or team that is responsible for the agent, as a text or the id of a member',
  },
  managed_by: {
    value: '<set>',
    help: 'name of the set that the passport belongs to; `apply --set <name>` updates a set from files',
  },
  // By --public-key, from a file.
  public_keys: undefined,
  metadata: undefined,
};

/** The fields that the form of the dashboard has as one text each. */
export type FormField = Exclude<keyof PassportInput, 'approval' | 'owner' | 'managed_by'>;

/** The ways in which the form writes a value as text and reads it again. */
export type TextKind =
  | 'text'
  | 'prose'
  | 'lines'
  | 'time'
  | 'json lines'
  | 'budgets'
  | 'paces'
  | 'keys'
  | 'pairs';

export const TEXT_KINDS: Readonly<Record<FormField, TextKind>> = {
  domain: 'text',
  agent_name: 'text',
  parent_agent_id: 'text',
  allowed_actions: 'lines',
  denied_actions: 'lines',
  monetary_actions: 'lines',
  monetary_limit_per_txn: 'text',
  currency: 'text',
  budgets: 'budgets',
  conditions: 'json lines',
  pace: 'paces',
  order: 'json lines',
  trusted_issuers: 'json lines',
  allowed_targets: 'lines',
  not_before: 'time',
  expires_at: 'time',
  proof: 'text',
  description: 'prose',
  public_keys: 'keys',
  metadata: 'pairs',
};

/** The fields for which the form and the page have code. */
type OwnControl =
  | 'domain'
  | 'agent_name'
  | 'parent_agent_id'
  | 'allowed_actions'
  | 'monetary_actions'
  | 'monetary_limit_per_txn'
  | 'currency'
  | 'budgets'
  | 'conditions'
  | 'pace'
  | 'order'
  | 'trusted_issuers'
  | 'not_before'
  | 'expires_at'
  | 'proof'
  | 'description'
  | 'public_keys'
  | 'metadata';

export type PlainField = Exclude<FormField, OwnControl>;

interface Label {
  readonly label: string;
  readonly hint: string;
  /** The text of the page if the passport does not have the field. Default: none. */
  readonly absent?: string;
}

/** The label and the hint of each other field, in the order of the form and the page. Both show them as lists. */
export const PASSPORT_LABELS: Readonly<Record<PlainField, Label>> = {
  denied_actions: { label: 'Denied actions', hint: 'Denied even if they are allowed above.' },
  allowed_targets: {
    label: 'Allowed targets',
    hint: 'DIDs, or did:web:*.example.com for every sub-domain. Empty: any target.',
    absent: 'any',
  },
};
