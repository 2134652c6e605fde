/** The fields of a passport that its account decides, each with its schema, in the order in which they are shown. */
import { MAX_METADATA_NAMES, MAX_TEXT } from '../base/field-limits.ts';
import type { OptionalPassportField, PassportInput, PassportPatch } from '../records.ts';
import { actionEntries, amount, currency, instant, targetEntries } from './fields.ts';
import { type JsonSchema, nullable } from './json-schema.ts';

type RequiredPassportField = Exclude<keyof PassportInput, OptionalPassportField>;

/** Those that every passport has. */
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

/** Those that a passport may lack. */
export const optionalFields: Readonly<Record<OptionalPassportField, JsonSchema>> = {
  denied_actions: actionEntries,
  currency,
  allowed_targets: targetEntries,
  monetary_actions: actionEntries,
  not_before: instant,
  expires_at: instant,
  description: { type: 'string', maxLength: MAX_TEXT },
  metadata: {
    type: 'object',
    maxProperties: MAX_METADATA_NAMES,
    additionalProperties: { type: 'string', maxLength: MAX_TEXT },
    description: `At most ${MAX_METADATA_NAMES} string values of at most ${MAX_TEXT} characters.`,
  },
};

/** All of them. */
export const passportFields: Readonly<Record<keyof PassportInput, JsonSchema>> = {
  ...requiredFields,
  ...optionalFields,
};

const { domain: _, agent_name: __, ...changeable } = requiredFields;

/** What a patch may name. `null` removes what a passport may lack; an object is merged. */
export const patchFields: Readonly<Record<keyof PassportPatch, JsonSchema>> = {
  ...changeable,
  ...(Object.fromEntries(
    Object.entries(optionalFields).map(([name, schema]) => [name, nullable(mergeable(schema))]),
  ) as typeof optionalFields),
};

/** The same field in a patch (RFC 7396): of an object the names to change, `null` for those to remove. */
function mergeable(schema: JsonSchema): JsonSchema {
  if (schema['type'] !== 'object') return schema;
  return {
    type: 'object',
    additionalProperties: nullable(Object(schema['additionalProperties'])),
    description: 'Merged into what is stored; null removes a name.',
  };
}
