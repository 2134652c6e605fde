/** The schemas of the passport fields that an account sets, in the order of output. */
import { MAX_METADATA_NAMES, MAX_OWNER, MAX_SET_NAME, MAX_TEXT } from '../base/values/field-limits.ts';
import { PROOF_REQUIREMENTS } from '../base/values/vocabulary.ts';
import type { OptionalPassportField, PassportInput, PassportPatch } from '../records.ts';
import { budgets } from './budget.ts';
import { conditions } from './condition.ts';
import {
  actionEntries,
  agentId,
  amount,
  approval,
  currency,
  instant,
  paces,
  targetEntries,
} from './fields.ts';
import { type JsonSchema, nullable } from './json-schema.ts';
import { orders } from './order.ts';
import { publicKeys } from './public-key.ts';
import { trustedIssuers } from './trusted-issuer.ts';

type RequiredPassportField = Exclude<keyof PassportInput, OptionalPassportField>;

export const requiredFields: Readonly<Record<RequiredPassportField, JsonSchema>> = {
  domain: {
    type: 'string',
    minLength: 1,
    maxLength: 512,
    description:
      'Lower-case ASCII domain of at least two labels, an optional port as %3A and number. Never mapped, trimmed or lower-cased.',
    examples: ['example.com'],
  },
  agent_name: {
    type: 'string',
    minLength: 1,
    maxLength: 63,
    description: '[a-z0-9][a-z0-9._-]{0,62}, not ending in a dot.',
    examples: ['shopper'],
  },
  allowed_actions: actionEntries,
  monetary_limit_per_txn: amount,
};

export const optionalFields: Readonly<Record<OptionalPassportField, JsonSchema>> = {
  parent_agent_id: {
    ...agentId,
    description:
      'The parent agent. This agent may do only what its parent may do as well. The parent is not revoked, belongs to the same account and has at most 3 agents above it. Never changes.',
  },
  denied_actions: actionEntries,
  currency,
  allowed_targets: targetEntries,
  monetary_actions: actionEntries,
  budgets,
  approval,
  conditions,
  pace: paces,
  order: orders,
  trusted_issuers: trustedIssuers,
  not_before: instant,
  expires_at: instant,
  proof: {
    type: 'string',
    enum: PROOF_REQUIREMENTS,
    description:
      'Whether the agent must prove with its own key that an intent comes from it (identity), or that it signed exactly this intent (intent). optional by default.',
  },
  description: { type: 'string', maxLength: MAX_TEXT },
  public_keys: publicKeys,
  metadata: {
    type: 'object',
    maxProperties: MAX_METADATA_NAMES,
    additionalProperties: { type: 'string', maxLength: MAX_TEXT },
    description: `At most ${MAX_METADATA_NAMES} string values of at most ${MAX_TEXT} characters.`,
  },
  owner: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_OWNER,
    description: 'A text, or the id of a member. It gives no right, and no signed passport has it.',
  },
  managed_by: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_SET_NAME,
    description:
      'The set of files that manages the passport, [a-z0-9][a-z0-9._-]{0,63}. It changes no verdict, and no signed passport has it.',
  },
};

export const passportFields: Readonly<Record<keyof PassportInput, JsonSchema>> = {
  ...requiredFields,
  ...optionalFields,
};

const { domain: _, agent_name: __, ...changeable } = requiredFields;
const { parent_agent_id: ___, ...removable } = optionalFields;

/** The schemas of the fields of a patch. `null` removes an optional field, and an object is merged. */
export const patchFields: Readonly<Record<keyof PassportPatch, JsonSchema>> = {
  ...changeable,
  ...(Object.fromEntries(
    Object.entries(removable).map(([name, schema]) => [name, nullable(mergeable(schema))]),
  ) as typeof removable),
};

/**
 * Creates the schema of a field in a patch (RFC 7396): an object with the names to change, and `null` for the names to
 * remove.
 */
function mergeable(schema: JsonSchema): JsonSchema {
  const { type, properties, additionalProperties } = schema;
  if (type !== 'object') return schema;
  const entries = Object.entries(Object(properties) as Readonly<Record<string, JsonSchema>>);
  return {
    type,
    ...(properties !== undefined && {
      properties: Object.fromEntries(entries.map(([name, field]) => [name, nullable(field)])),
    }),
    additionalProperties: additionalProperties === false ? false : nullable(Object(additionalProperties)),
    description: 'Merged into what is stored; null removes a name.',
  };
}
