/** Describes the valid values of each field, for error messages. */

import { APPROVAL_BY, APPROVAL_COUNT, APPROVAL_SECONDS } from '../base/values/approval.ts';
import { MAX_BUDGET_COUNT } from '../base/values/budget.ts';
import { MAX_ENTRIES, MAX_TEXT } from '../base/values/field-limits.ts';
import { PASSPORT_STATUSES } from '../base/values/passport-status.ts';
import { MANAGEMENT_SCOPES, VERDICT_SCOPES } from '../base/values/scopes.ts';
import { RESOLUTION_MS } from '../base/values/time-buckets.ts';
import { BUDGET_UNITS, OF_USAGE } from '../base/values/usage.ts';
import {
  AUDIT_TYPES,
  anyOf,
  BUDGET_WINDOWS,
  ENVIRONMENTS,
  OUTCOMES,
  ROLES,
  VERDICTS,
} from '../base/values/vocabulary.ts';
import type { SuspendInput } from '../records/state.ts';
import type {
  ApprovalRequirement,
  Budget,
  Condition,
  Intent,
  PassportInput,
  PermitRequest,
} from '../records.ts';
import {
  COORDINATE,
  OF_EARLIER,
  OF_ORDERS,
  OF_PACES,
  OF_TRUSTED_ISSUERS,
  OF_TRUSTED_KEYS,
  ORDER_RULE,
  SAME_VALUE,
  SESSION,
  TRUSTED_ENTRIES,
} from './expected-fields.ts';
import { ENTRY_HINTS, PASSPORT_HINTS } from './passport-words.ts';

// Describes the valid values of the fields of budgets, for error messages.

const OF_BUDGETS: Readonly<Record<keyof Budget, string>> = {
  name: 'a name such as day: a lower-case letter, then at most 31 of a-z, 0-9, _ and -',
  window: anyOf(BUDGET_WINDOWS),
  limit: 'a decimal such as 19.99',
  unit: anyOf(BUDGET_UNITS),
  count: `a whole number from 1 to ${MAX_BUDGET_COUNT}`,
  actions: `a list of 1 to ${MAX_ENTRIES} actions and patterns, such as ["payments.create", "orders.*"]`,
  warn_at: 'a number from 0.01 to 0.99 with at most 2 decimals',
  overrun: 'true or false; true for a budget with a unit',
};

/** Describes the valid values of the fields of a query, for error messages. */
const OF_PAGES: Readonly<Record<'limit' | 'cursor' | 'unused_days', string>> = {
  limit: 'a whole number from 1 to 100',
  unused_days: 'a whole number from 1 to 365',
  cursor: 'the next_cursor of the page before',
};

const AGENT_ID = 'the id of an agent, such as did:web:shop.example:agents:shopper';
const INSTANT = PASSPORT_HINTS.not_before;
const REASON = `text of 1 to ${MAX_TEXT} characters`;
const PASSWORD = 'text of 12 to 128 characters';

/** The fields of intents and suspensions that a passport does not have. */
const OF_INTENTS: Readonly<Record<Exclude<keyof Intent | keyof SuspendInput, keyof PassportInput>, string>> =
  {
    agent_id: AGENT_ID,
    action: 'an action such as payments.create',
    target: 'a DID such as did:web:shop.example',
    parameters: 'an object such as {"amount": "19.99", "currency": "EUR"}',
    dry_run: 'true or false',
    approval_id: 'the id of an approval, text of 1 to 128 characters',
    hold_seconds: 'a whole number of seconds from 1 to 604800',
    subject: 'an opaque id, text of 1 to 256 characters without control characters',
    session: SESSION,
    usage: 'an object such as {"tokens": 1200}, with tokens, credits or both',
    permit: 'an object such as {"audience": "https://pay.example"}',
    reason: REASON,
    until: INSTANT,
  };

const OF_APPROVALS: Readonly<Record<keyof ApprovalRequirement, string>> = {
  above: 'a decimal such as 19.99',
  actions: OF_BUDGETS.actions,
  seconds: `a whole number of seconds from ${APPROVAL_SECONDS.least} to ${APPROVAL_SECONDS.most}`,
  count: `a whole number of people from ${APPROVAL_COUNT.least} to ${APPROVAL_COUNT.most}`,
  by: anyOf(APPROVAL_BY),
  changes: 'true or false',
};

const OF_CONDITIONS: Readonly<Record<keyof Condition, string>> = {
  actions: OF_BUDGETS.actions,
  at: 'a JSON Pointer of 1 to 8 names into parameters, such as /to or /to/*; empty for only alone',
  optional: 'true or false, and not true with present or absent',
  in: 'a list of 1 to 256 different values: text of at most 256 characters, numbers, booleans, null',
  not_in: 'a list of 1 to 256 different texts',
  prefix: 'a list of 1 to 64 different texts',
  suffix: 'a list of 1 to 64 different texts',
  min: 'a decimal from -10^15 to 10^15 with at most 6 decimals',
  max: 'a decimal from -10^15 to 10^15 with at most 6 decimals, not below min',
  email_in: 'a list of 1 to 256 different addresses and domains, such as ["ann@example.com", "@example.org"]',
  url_under: 'a list of 1 to 64 different URLs, such as ["https://example.com/docs"]',
  path_under: 'a list of 1 to 64 different paths, such as ["/srv/app", "docs"]',
  max_items: 'a whole number from 0 to 1000',
  only: 'a list of at most 64 different names of at most 128 characters',
  present: 'true, or left out',
  absent: 'true, or left out',
};

const OF_TESTS: Readonly<Record<string, string>> = {
  in: 'text of at most 256 characters, a number, true, false or null',
  not_in: 'text of at most 256 characters in printable ASCII, without a space at its end',
  prefix: 'text of 1 to 256 characters; for paths use path_under, for URLs url_under',
  suffix: 'text of 1 to 256 characters; for e-mail addresses use email_in',
  email_in: 'an address such as ann@example.com or a domain such as @example.com, in lower case',
  url_under:
    'a URL such as https://example.com/docs, in lower case, without query and fragment, or https://*.example.com',
  path_under: 'a path such as /srv/app or docs, without a final /; or / or . for every path of a kind',
  only: 'text of at most 128 characters',
};

const OF_PERMITS: Readonly<Record<keyof PermitRequest, string>> = {
  audience: 'a name such as https://pay.example, of 1 to 256 characters of ASCII, not beginning with test:',
  seconds: 'a whole number of seconds from 1 to 60',
  bind: 'true or false',
};

const FIELDS: Readonly<Record<string, string>> = {
  ...PASSPORT_HINTS,
  ...OF_INTENTS,
  from: INSTANT,
  to: INSTANT,
  name: 'text of 1 to 100 characters',
  environment: anyOf(ENVIRONMENTS),
  scopes: `a list of ${VERDICT_SCOPES.slice(0, -1).join(', ')} and ${VERDICT_SCOPES.at(-1)}, or of the scopes of management keys, each at most once`,
  domains: 'a list of 1 to 20 domains',
  agent_ids: 'a list of 1 to 100 different ids of agents',
  amount: 'a decimal above 0, such as 19.99',
  intents: 'a list of 1 to 100 intents',
  outcomes: 'a list of 1 to 100 reports',
  decision_id: 'the decision_id of a verdict',
  writer: '32 lower-case hexadecimal digits',
  seq: 'a whole number from 1 to 10000000000',
  blocks: '1, or left out',
  block: 'a block in base64url without padding',
  erasable: 'the subjects of a block in base64url without padding',
  evaluated_at: INSTANT,
  outcome: anyOf(OUTCOMES),
  code: 'a lower-case letter, then at most 63 of a-z, 0-9 and _',
  mark: 'the mark of this verdict as its answer has it',
  intent: 'an object with agent_id and action',
  patch: 'an object with fields of the passport',
  passport: 'current or recorded',
  examples: 'a whole number from 0 to 100',
  turn: 'a whole number from 0 on',
  agents: 'an object with at most 200 agents, each with what is known of it',
  wait_ms: 'a whole number of milliseconds from 0 to 1000',
  everywhere: 'true or false',
  role: anyOf(ROLES),
  token: 'the token of a link',
  link: 'the token of a link',
  transaction: 'the transaction of the start of this sign-in',
  response: 'the query of the address that the issuer has led back to',
  type: anyOf(AUDIT_TYPES),
  by: 'the author of a change: mem_…, key_… or operator',
  bom: 'true or false',
  revoke_keys: 'true or false',
  created_by: 'the id of a member',
  note: `text of 1 to ${MAX_TEXT} characters`,
  ttl_seconds: 'a whole number of seconds from 60 to 86400',
  grace_seconds: 'a whole number of seconds from 0 to 604800',
  email: 'an e-mail address such as ann@example.com',
  password: PASSWORD,
  current_password: 'text',
  new_password: PASSWORD,
  ...OF_PAGES,
  types: 'a list of types of events, such as passport.*,verdict.denied',
  url: 'a URL such as https://example.com/hooks',
  format: 'event or ocsf',
  after: 'the id of an event, such as the last event that you received',
  status: anyOf(PASSPORT_STATUSES),
  suspended_until: INSTANT,
  suspension_reason: REASON,
  revoked_at: INSTANT,
  revocation_reason: REASON,
  verdict: anyOf(VERDICTS),
  time: 'left out: only the present status can be given',
  interval: anyOf(Object.keys(RESOLUTION_MS)),
  kty: anyOf(['OKP', 'EC']),
  crv: anyOf(['Ed25519', 'P-256']),
  x: COORDINATE,
  y: COORDINATE,
  kid: 'the RFC 7638 thumbprint of the key',
  alg: anyOf(['EdDSA', 'Ed25519', 'ES256']),
  use: 'sig',
};

const ENTRIES: Readonly<Record<string, string>> = {
  ...ENTRY_HINTS,
  budgets: 'an object with a window, and a limit or a count',
  pace: 'an object with max and seconds',
  order: ORDER_RULE,
  ...TRUSTED_ENTRIES,
  same: SAME_VALUE,
  conditions: 'an object with at and exactly one test, such as {"at": "/to", "email_in": ["@example.com"]}',
  actions: ENTRY_HINTS.allowed_actions,
  scopes: anyOf([...VERDICT_SCOPES, ...MANAGEMENT_SCOPES]),
  agent_ids: AGENT_ID,
  public_keys: 'a public key as JWK',
  types: 'a type of events such as passport.revoked, or all of a kind as passport.*',
  intents: 'an object with agent_id and action',
  outcomes: 'an object with decision_id, evaluated_at, agent_id and outcome',
};

/** The fields of the entries of each list. */
const OF_LISTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  budgets: OF_BUDGETS,
  conditions: OF_CONDITIONS,
  pace: OF_PACES,
  order: OF_ORDERS,
  trusted_issuers: OF_TRUSTED_ISSUERS,
  keys: OF_TRUSTED_KEYS,
};

export function expectedAt(path: string): string | undefined {
  if (path === '') return 'a JSON object';
  const [list = '', holder = '', name = ''] = `/${path}`.split('/').slice(-3);
  const ofList = own(OF_LISTS, list);
  if (ofList !== undefined) return own(ofList, name);
  if (/^\d+$/.test(list) && (holder === 'needs' || holder === 'forbids')) return own(OF_EARLIER, name);
  if (holder === 'approval') return own(OF_APPROVALS, name);
  if (holder === 'permit') return own(OF_PERMITS, name);
  if (holder === 'usage') return own(OF_USAGE, name);
  if (holder === 'metadata') return `text of at most ${MAX_TEXT} characters`;
  if (!/^\d+$/.test(name)) return own(FIELDS, name);
  return own(ENTRIES, holder) ?? own(OF_TESTS, holder);
}

function own<Entry>(words: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined;
}

export function mustBe(path: string): string {
  return `This must be ${expectedAt(path) ?? 'another value'}.`;
}
