/** Field schemas that several records share: the vocabulary of the wire, each written once. */
import { MAX_ENTRIES, MAX_TEXT } from '../base/field-limits.ts';
import { MAX_DECIMALS } from '../base/money.ts';
import { ENVIRONMENTS, PLANS, SCOPES } from '../base/vocabulary.ts';
import type { JsonSchema } from './json-schema.ts';

/** An instant of a caller, or of ours. */
export const instant: JsonSchema = {
  type: 'string',
  maxLength: 64,
  description: 'RFC 3339 instant; any offset in, UTC with milliseconds and Z out.',
  examples: ['2026-11-20T12:00:00.000Z'],
};

/** The id of an agent. */
export const agentId: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 512,
  description: 'did:web:<domain>:agents:<agent_name>',
  examples: ['did:web:example.com:agents:shopper'],
};

/** An amount of money. */
export const amount: JsonSchema = {
  type: ['number', 'string'],
  description: `Exact decimal, 0 to 10^15, at most ${MAX_DECIMALS} decimals (at most those of the currency). Send as a string what a JSON number cannot hold exactly.`,
  examples: [100, '19.99'],
};

/** The currency of an amount. */
export const currency: JsonSchema = {
  type: 'string',
  description: 'ISO 4217 code in upper case.',
  examples: ['EUR'],
};

/** Where a key is used. */
export const environment: JsonSchema = { type: 'string', enum: ENVIRONMENTS };

/** What a key may do. */
export const scopes: JsonSchema = {
  type: 'array',
  items: { type: 'string', enum: SCOPES },
  minItems: 1,
  uniqueItems: true,
  description: 'What the key may do.',
};

/** The agents of a key. */
export const agentIds: JsonSchema = {
  type: 'array',
  items: agentId,
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'The only agents this key may ask about. Any other agent is agent_not_found.',
};

/** How long a rotated key goes on working. */
export const graceSeconds: JsonSchema = {
  type: 'integer',
  minimum: 0,
  maximum: 604_800,
  description: 'Seconds the old key goes on working, never past its own expiry; by default it ends at once.',
};

/** What an account calls a key. */
export const keyName: JsonSchema = { type: 'string', minLength: 1, maxLength: 100 };

/** The plan of an account. */
export const plan: JsonSchema = { type: 'string', enum: PLANS };

/** Why a passport is taken out of use. */
export const reason: JsonSchema = { type: 'string', minLength: 1, maxLength: MAX_TEXT };

/** The e-mail address of an account. */
export const email: JsonSchema = { type: 'string', minLength: 3, maxLength: 254 };

/** A list of actions and patterns of them. */
export const actionEntries: JsonSchema = {
  type: 'array',
  items: { type: 'string' },
  maxItems: MAX_ENTRIES,
  uniqueItems: true,
  description:
    'Actions, compared exactly, or patterns that end in .* or :*, or * alone for every action of the grammar [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}.',
  examples: [['payments.create', 'orders.*']],
};

/** A list of targets and patterns of them. */
export const targetEntries: JsonSchema = {
  type: 'array',
  items: { type: 'string', maxLength: 512 },
  maxItems: MAX_ENTRIES,
  uniqueItems: true,
  description: 'DIDs, exact, or did:web:*.example.com for every sub-domain. Absent: any target.',
  examples: [['did:web:shop.example.com', 'did:web:*.suppliers.example']],
};
