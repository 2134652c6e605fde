import { Option } from 'commander';
import type { PassportInput, PassportPatch } from '../../../src/index.ts';
import type { OptionalPassportField } from '../../../src/types.ts';
import {
  readApproval,
  readBudget,
  readCondition,
  readOrder,
  readPace,
  readTrustedIssuer,
} from '../input/named-values.ts';
import type { FieldOptions } from './command.ts';

interface Flag {
  readonly value: `<${string}>`;
  readonly help: string;
  readonly name?: string;
  /** Parses the value. `before` is the value of an earlier occurrence of the flag. Default: returns the text. */
  readonly read?: (text: string, before: unknown) => unknown;
}

const FIXED: Readonly<Record<Exclude<keyof PassportInput, keyof PassportPatch>, Flag>> = {
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
};

const REQUIRED: Readonly<Record<Exclude<keyof PassportPatch, OptionalPassportField>, Flag>> = {
  allowed_actions: {
    value: '<action...>',
    help: 'actions that the agent may take, or patterns such as orders.*',
  },
  monetary_limit_per_txn: {
    value: '<amount>',
    help: 'the largest amount of one transaction, as an exact decimal such as 99.50',
  },
};

/** The flags of optional fields; `undefined` for fields that only a file can set. */
const OPTIONAL: Readonly<Record<OptionalPassportField & keyof PassportPatch, Flag | undefined>> = {
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
    read: addBudget,
  },
  approval: {
    value: '<approval>',
    help: 'intents that people must approve; above=250,actions=payments.refund,seconds=600,count=2 means amounts above 250 and every payments.refund, within 600 seconds, by two people; by=another excludes the person who asks; with changes=true, changes of this passport that allow more also need an approval; JSON with these fields works too',
    read: readApproval,
  },
  conditions: {
    name: 'condition',
    value: '<json...>',
    help: 'rule that the parameters of an action must meet, such as {"actions": ["email.send"], "at": "/to", "email_in": ["@example.com"]}',
    read: addCondition,
  },
  pace: {
    name: 'pace',
    value: '<pace...>',
    help: 'the most actions per period, such as max=5,seconds=60 (all actions together) or max=1,seconds=10,actions=email.send; JSON with these fields works too',
    read: addPace,
  },
  order: {
    name: 'order',
    value: '<json...>',
    help: 'rule about earlier actions; {"name": "tested", "actions": ["deploy.run"], "needs": {"actions": ["tests.run"], "seconds": 3600}} allows deploy.run only within 3600 seconds after a successful tests.run; with forbids instead of needs, an allowed tests.run blocks deploy.run for this time',
    read: addOrder,
  },
  trusted_issuers: {
    name: 'trusted-issuer',
    value: '<json...>',
    help: 'issuer whose JWTs the agent may exchange for access tokens, such as {"issuer": "https://idp.example", "use": "user"}; the field use is "user" if the JWTs identify people, and "workload" if they identify programs',
    read: addTrustedIssuer,
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

const CHANGING = { ...REQUIRED, ...OPTIONAL };

/** The fields that an account sets, in the order in which `passport export` writes them. */
export const PASSPORT_FIELDS: readonly string[] = Object.keys({ ...FIXED, ...CHANGING });

export const OPTIONAL_FIELDS: readonly string[] = Object.keys(OPTIONAL).map(flagName);

/** The options for the changeable fields. Amounts stay texts, because texts are exact. */
export const CHANGEABLE: FieldOptions<PassportPatch> = optionsOf(CHANGING);

export const FIELDS: FieldOptions<PassportInput> = optionsOf({ ...FIXED, ...CHANGING });

export const AGENT_ID: { readonly agent_id: string } = {
  agent_id: 'id of the agent, in the form did:web:<domain>:agents:<agent_name>',
};

function optionsOf(flags: Readonly<Record<string, Flag | undefined>>): Readonly<Record<string, Option>> {
  const options: Record<string, Option> = {};
  for (const [field, flag] of Object.entries(flags)) {
    if (flag === undefined) continue;
    const option = new Option(`--${flag.name ?? flagName(field)} ${flag.value}`, flag.help);
    options[field] = flag.read === undefined ? option : option.argParser(flag.read);
  }
  return options;
}

export function fieldName(flag: string): string {
  return flag.replaceAll('-', '_');
}

function addBudget(text: string, before: unknown): unknown {
  return [...(Array.isArray(before) ? before : []), readBudget(text)];
}

function addCondition(text: string, before: unknown): unknown {
  return [...(Array.isArray(before) ? before : []), readCondition(text)];
}

function addPace(text: string, before: unknown): unknown {
  return [...(Array.isArray(before) ? before : []), readPace(text)];
}

function addOrder(text: string, before: unknown): unknown {
  return [...(Array.isArray(before) ? before : []), readOrder(text)];
}

function addTrustedIssuer(text: string, before: unknown): unknown {
  return [...(Array.isArray(before) ? before : []), readTrustedIssuer(text)];
}

function flagName(field: string): string {
  return field.replaceAll('_', '-');
}
