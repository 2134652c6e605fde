/** The schemas of fields that several records share, each written once. */
import { APPROVAL_BY, APPROVAL_COUNT, APPROVAL_SECONDS } from '../base/values/approval.ts';
import {
  MAX_APPROVAL_ID,
  MAX_ENTRIES,
  MAX_ID,
  MAX_KEY_DOMAINS,
  MAX_TEXT,
} from '../base/values/field-limits.ts';
import { MAX_HOLD_SECONDS } from '../base/values/hold-time.ts';
import { MAX_DECIMALS } from '../base/values/money.ts';
import { MAX_PACE, MAX_PACE_SECONDS, MAX_PACES } from '../base/values/pace.ts';
import { MAX_PERMIT_SECONDS, PERMIT_AUDIENCE, PERMIT_SECONDS } from '../base/values/proof-format.ts';
import { MANAGEMENT_SCOPES, VERDICT_SCOPES } from '../base/values/scopes.ts';
import { MAX_TOKEN_SECONDS, MIN_TOKEN_SECONDS } from '../base/values/signed-passport.ts';
import { ENVIRONMENTS, PLANS } from '../base/values/vocabulary.ts';
import type { ApprovalRequirement, Pace } from '../records.ts';
import { closedObject, type JsonSchema } from './json-schema.ts';

export const instant: JsonSchema = {
  type: 'string',
  maxLength: 64,
  description:
    'RFC 3339 instant; any offset in, UTC with milliseconds and Z out. A leap second (:60) is refused.',
  examples: ['2026-11-20T12:00:00.000Z'],
};

export const agentId: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_ID,
  description: 'did:web:<domain>:agents:<agent_name>',
  examples: ['did:web:example.com:agents:shopper'],
};

export const amount: JsonSchema = {
  type: ['number', 'string'],
  description: `Exact decimal, 0 to 10^15, at most ${MAX_DECIMALS} decimals (at most as many as the currency has). Send as a string what a JSON number cannot hold exactly.`,
  examples: [100, '19.99'],
};

export const currency: JsonSchema = {
  type: 'string',
  description: 'ISO 4217 code in upper case.',
  examples: ['EUR'],
};

export const keyDomains: JsonSchema = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: MAX_TEXT },
  minItems: 1,
  maxItems: MAX_KEY_DOMAINS,
  uniqueItems: true,
  description: 'The domains to whose agents a management key is bound.',
};

export const environment: JsonSchema = { type: 'string', enum: ENVIRONMENTS };

export const scopes: JsonSchema = {
  type: 'array',
  items: { type: 'string', enum: [...VERDICT_SCOPES, ...MANAGEMENT_SCOPES] },
  minItems: 1,
  uniqueItems: true,
  description: 'The rights of the API key.',
};

export const agentIds: JsonSchema = {
  type: 'array',
  items: agentId,
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'The only agents this key may ask about. Any other agent is agent_not_found.',
};

export const graceSeconds: JsonSchema = {
  type: 'integer',
  minimum: 0,
  maximum: 604_800,
  description:
    'Seconds for which the old key stays valid, never past its own expiry; by default it ends at once.',
};

export const ttlSeconds: JsonSchema = {
  type: 'integer',
  minimum: MIN_TOKEN_SECONDS,
  maximum: MAX_TOKEN_SECONDS,
  description:
    'Seconds that the token is valid, 3,600 by default unless the service is set up otherwise; it never outlives the passport.',
};

export const ancestorVersions: JsonSchema = {
  type: ['array', 'null'],
  items: { type: 'integer' },
  description: 'Versions of the passports above, nearest first; null without a parent.',
};

export const thumbprint: JsonSchema = {
  type: 'string',
  minLength: 43,
  maxLength: 43,
  description: 'RFC 7638 thumbprint: SHA-256 in base64url.',
};

export const holdSeconds: JsonSchema = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_HOLD_SECONDS,
  description: 'Seconds for which the ALLOW only reserves, until it is committed or released.',
};

export const webhookUrl: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 2_048,
  description: 'https, port 443 or from 1024 on, a host on the public Internet, without credentials.',
  examples: ['https://example.com/hooks/agents'],
};

export const webhookTypes: JsonSchema = {
  type: 'array',
  items: { type: 'string', maxLength: 64 },
  minItems: 1,
  maxItems: 32,
  uniqueItems: true,
  description: 'Types of events, or all of a kind such as passport.*',
  examples: [['passport.*', 'verdict.denied']],
};

export const webhookDescription: JsonSchema = { type: 'string', maxLength: MAX_TEXT };

export const keyName: JsonSchema = { type: 'string', minLength: 1, maxLength: 100 };

export const plan: JsonSchema = { type: 'string', enum: PLANS };

export const reason: JsonSchema = { type: 'string', minLength: 1, maxLength: MAX_TEXT };

export const email: JsonSchema = { type: 'string', minLength: 3, maxLength: 254 };

export const actionEntries: JsonSchema = {
  type: 'array',
  items: { type: 'string' },
  maxItems: MAX_ENTRIES,
  uniqueItems: true,
  description:
    'Actions, compared exactly, or patterns that end in .* or :*, or * alone for every action of the grammar [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}.',
  examples: [['payments.create', 'orders.*']],
};

export const targetEntries: JsonSchema = {
  type: 'array',
  items: { type: 'string', maxLength: MAX_ID },
  maxItems: MAX_ENTRIES,
  uniqueItems: true,
  description: 'DIDs, exact, or did:web:*.example.com for every sub-domain. Absent: any target.',
  examples: [['did:web:shop.example.com', 'did:web:*.suppliers.example']],
};

export const paceFields: Readonly<Record<keyof Pace, JsonSchema>> = {
  name: { type: 'string', description: '[a-z][a-z0-9_-]{0,31}, unique in the passport. By default pace.' },
  actions: { ...actionEntries, minItems: 1, description: 'What it counts. Absent: every action.' },
  max: { type: 'integer', minimum: 1, maximum: MAX_PACE, description: 'Allowed intents in any such time.' },
  seconds: { type: 'integer', minimum: 1, maximum: MAX_PACE_SECONDS, description: 'The length of the time.' },
};

export const paces: JsonSchema = {
  type: 'array',
  items: closedObject(paceFields, ['max', 'seconds'], 'How fast an agent may be.'),
  maxItems: MAX_PACES,
  description: 'How many intents are allowed in any time of a length.',
  examples: [[{ actions: ['email.send'], max: 5, seconds: 60 }]],
};

export const approvalFields: Readonly<Record<keyof ApprovalRequirement, JsonSchema>> = {
  above: { ...amount, description: 'Intents that move more than this, in the currency of the passport.' },
  actions: { ...actionEntries, minItems: 1, description: 'Intents with one of these actions.' },
  seconds: {
    type: 'integer',
    minimum: APPROVAL_SECONDS.least,
    maximum: APPROVAL_SECONDS.most,
    description: `How long an approval may be given and used; ${APPROVAL_SECONDS.default} by default.`,
  },
  count: {
    type: 'integer',
    minimum: APPROVAL_COUNT.least,
    maximum: APPROVAL_COUNT.most,
    description: `The number of different people who must approve; ${APPROVAL_COUNT.default} by default.`,
  },
  by: {
    type: 'string',
    enum: APPROVAL_BY,
    description:
      'Whose approvals count. anyone (default): every approver. another: not the person who asked, and not the person who last widened the passport.',
  },
  changes: {
    type: 'boolean',
    description: 'Whether a change of this passport that lets more happen has to be approved as well.',
  },
};

export const approval: JsonSchema = {
  ...closedObject(approvalFields, [], 'People must approve this: above, actions or changes.'),
  examples: [{ above: 250 }],
};

export const approvalId: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_APPROVAL_ID,
  description: 'The approval of exactly this intent, good for one ALLOW.',
};

export const permitRequest: JsonSchema = closedObject(
  {
    audience: {
      type: 'string',
      pattern: PERMIT_AUDIENCE.source,
      description: 'The resource, by its own name.',
      examples: ['https://pay.example'],
    },
    seconds: { type: 'integer', minimum: 1, maximum: MAX_PERMIT_SECONDS, default: PERMIT_SECONDS },
    bind: { type: 'boolean', description: 'Binds it to the key that proves the intent.' },
  },
  ['audience'],
  'A signed ALLOW for exactly this intent, which a resource demands; needs the scope permit.',
);

export const reasonHead: JsonSchema = {
  type: 'object',
  description: 'Why the verdict is not ALLOW, with the facts of the rule next to code and message.',
  properties: { code: { type: 'string', pattern: '^[a-z][a-z0-9_]{0,63}$' }, message: { type: 'string' } },
  required: ['code', 'message'],
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
};
