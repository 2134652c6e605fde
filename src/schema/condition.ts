/** The schema of the conditions of a passport. The service checks their details with its own code. */
import { MAX_CONDITIONS } from '../base/values/conditions/condition.ts';
import { LIST_TESTS, type ListTestName, MAX_ITEMS } from '../base/values/conditions/tests.ts';
import type { Condition } from '../records.ts';
import { actionEntries, amount } from './fields.ts';
import { closedObject, type JsonSchema } from './json-schema.ts';

function list(test: ListTestName, description: string, items: JsonSchema = { type: 'string' }): JsonSchema {
  const [minItems, maxItems] = LIST_TESTS[test].items;
  return { type: 'array', items, minItems, maxItems, uniqueItems: true, description };
}

const boundSchema: JsonSchema = {
  ...amount,
  description: 'Exact decimal, -10^15 to 10^15, at most 6 decimals.',
};

export const condition: Readonly<Record<keyof Condition, JsonSchema>> = {
  actions: {
    ...actionEntries,
    minItems: 1,
    description: 'The actions that it applies to. Absent: every action.',
  },
  at: {
    type: 'string',
    maxLength: 256,
    description:
      'JSON Pointer into parameters, of 1 to 8 names; * is every element of an array. Empty, for only alone: all parameters.',
    examples: ['/to'],
  },
  optional: { type: 'boolean', description: 'true: a missing value passes. Not with present or absent.' },
  in: list('in', 'The allowed values.', { type: ['string', 'number', 'boolean', 'null'] }),
  not_in: list('not_in', 'The forbidden texts, in printable ASCII, compared without ASCII case.'),
  prefix: list('prefix', 'The allowed beginnings. Use path_under for paths and url_under for URLs.'),
  suffix: list('suffix', 'The allowed endings. Addresses have email_in.'),
  min: boundSchema,
  max: { ...boundSchema, description: `${boundSchema['description']} Not below min.` },
  email_in: list('email_in', 'The allowed addresses, or domains such as @example.com, in lower case.'),
  url_under: list(
    'url_under',
    'The allowed URLs and what is below; https://*.example.com: sub-domains only.',
  ),
  path_under: list(
    'path_under',
    'The allowed paths and what is below; / any absolute path, . any relative one.',
  ),
  max_items: {
    type: 'integer',
    minimum: 0,
    maximum: MAX_ITEMS,
    description: 'The most elements of an array.',
  },
  only: list('only', 'The only members that an object may have.'),
  present: { const: true, description: 'The value is there and not null, "", [] or {}.' },
  absent: { const: true, description: 'There is no such member.' },
};

export const conditions: JsonSchema = {
  type: 'array',
  items: closedObject(condition, ['at'], 'A condition with exactly one test; min and max together are one.'),
  maxItems: MAX_CONDITIONS,
  description: 'Tests of the parameters of an intent. All conditions that name its action must hold.',
  examples: [[{ actions: ['email.send'], at: '/to', email_in: ['ann@example.com', '@example.org'] }]],
};

/**
 * The schema for checking requests. It only checks that conditions are a list. Code checks each condition,
 * because a schema would report several errors for one mistake.
 */
export const anyConditions: JsonSchema = { type: 'array', maxItems: MAX_CONDITIONS };
