/** What each field takes, in words, for errors that say what would be right. */
import type { Intent, PassportInput, PassportListField } from '../records.ts';
import type { SuspendInput } from '../state-records.ts';
import { MAX_ENTRIES, MAX_METADATA_NAMES, MAX_TEXT } from './field-limits.ts';
import { PASSPORT_STATUSES } from './passport-status.ts';
import { RESOLUTION_MS } from './time-buckets.ts';
import { anyOf, ENVIRONMENTS, SCOPES, VERDICTS } from './vocabulary.ts';

const ACTIONS = `a list of at most ${MAX_ENTRIES} actions and patterns, such as ["payments.create", "orders.*"]`;
const ACTION_ENTRY = 'an action such as payments.create, or a pattern such as orders.*';
const AGENT_ID = 'the id of an agent, such as did:web:shop.example:agents:shopper';
const INSTANT = 'an instant such as 2027-01-31T09:00:00Z';
const PASSWORD = 'text of 12 to 128 characters';

/** No field of these may be forgotten: the compiler asks for its words. */
const OF_RECORDS: Readonly<Record<keyof PassportInput | keyof Intent | keyof SuspendInput, string>> = {
  domain: 'a lower-case host name such as shop.example',
  agent_name: 'a lower-case name such as shopper',
  allowed_actions: ACTIONS,
  denied_actions: ACTIONS,
  monetary_actions: ACTIONS,
  monetary_limit_per_txn: 'a decimal such as 19.99',
  currency: 'an ISO 4217 code such as EUR',
  allowed_targets: `a list of at most ${MAX_ENTRIES} DIDs and patterns, such as ["did:web:*.shop.example"]`,
  not_before: INSTANT,
  expires_at: INSTANT,
  description: `text of at most ${MAX_TEXT} characters`,
  metadata: `an object of at most ${MAX_METADATA_NAMES} texts, such as {"team": "sales"}`,
  agent_id: AGENT_ID,
  action: 'an action such as payments.create',
  target: 'a DID such as did:web:shop.example',
  parameters: 'an object such as {"amount": "19.99", "currency": "EUR"}',
  dry_run: 'true or false',
  reason: `text of 1 to ${MAX_TEXT} characters`,
  until: INSTANT,
};

const FIELDS: Readonly<Record<string, string>> = {
  ...OF_RECORDS,
  from: INSTANT,
  to: INSTANT,
  name: 'text of 1 to 100 characters',
  environment: anyOf(ENVIRONMENTS),
  scopes: 'a list of verify, revoke and reinstate, each at most once',
  agent_ids: 'a list of 1 to 100 different ids of agents',
  intents: 'a list of 1 to 100 intents',
  grace_seconds: 'a whole number of seconds from 0 to 604800',
  email: 'an e-mail address such as ann@example.com',
  password: PASSWORD,
  current_password: 'text',
  new_password: PASSWORD,
  limit: 'a whole number from 1 to 100',
  cursor: 'the next_cursor of the page before',
  status: anyOf(PASSPORT_STATUSES),
  verdict: anyOf(VERDICTS),
  interval: anyOf(Object.keys(RESOLUTION_MS)),
};

/** What one entry of a list of a passport takes. */
const OF_LISTS: Readonly<Record<PassportListField, string>> = {
  allowed_actions: ACTION_ENTRY,
  denied_actions: ACTION_ENTRY,
  monetary_actions: ACTION_ENTRY,
  allowed_targets: 'a DID such as did:web:shop.example, or a pattern such as did:web:*.shop.example',
};

/** What one entry of a list takes. */
const ENTRIES: Readonly<Record<string, string>> = {
  ...OF_LISTS,
  scopes: anyOf(SCOPES),
  agent_ids: AGENT_ID,
  intents: 'an object with agent_id and action',
};

/** What the field at a JSON Pointer takes, such as `a decimal such as 19.99`; `undefined` for an unknown field. */
export function expectedAt(path: string): string | undefined {
  if (path === '') return 'a JSON object';
  const [holder = '', name = ''] = path.split('/').slice(-2);
  if (holder === 'metadata') return `text of at most ${MAX_TEXT} characters`;
  return /^\d+$/.test(name) ? own(ENTRIES, holder) : own(FIELDS, name);
}

function own(words: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined;
}

/** The sentence for what breaks the grammar of the field at `path`. */
export function mustBe(path: string): string {
  return `This must be ${expectedAt(path) ?? 'another value'}.`;
}
