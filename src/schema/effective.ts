import { PASSPORT_STATUSES } from '../base/values/passport-status.ts';
import type { EffectivePassport } from '../records/effective.ts';
import { budget } from './budget.ts';
import { condition } from './condition.ts';
import { agentId, approvalFields, instant, paceFields } from './fields.ts';
import { answer, closedObject, type JsonSchema, nullable } from './json-schema.ts';
import { order } from './order.ts';
import { optionalFields, passportFields } from './passport.ts';
import { COMBINATIONS, type CombinedField } from './passport-fields.ts';

const { parent_agent_id, monetary_limit_per_txn } = passportFields;

/** Returns a list schema without its maximum, because the list combines the entries of several passports. */
const long = ({ maxItems: _, ...list }: JsonSchema): JsonSchema => list;

/** A list whose entries name the passport that has them. */
type EachField = {
  [Field in CombinedField]: Required<EffectivePassport>[Field] extends readonly {
    readonly agent_id: string;
  }[]
    ? Field
    : never;
}[CombinedField];

/** Returns the schema of a list with the entries of all passports, each with the `agent_id` of its passport. */
function everyEntry(
  fields: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  entryText: string,
  description: string,
): JsonSchema {
  const items = closedObject({ agent_id: agentId, ...fields }, ['agent_id', ...required], entryText);
  return { type: 'array', items, description };
}

/** The fields whose schema differs from the schema in the passport. */
const OWN: Readonly<Record<EachField, JsonSchema>> & { readonly [Field in CombinedField]?: JsonSchema } = {
  monetary_limit_per_txn: {
    ...monetary_limit_per_txn,
    description: 'The lowest of all of them; 0 where they name different currencies.',
  },
  budgets: everyEntry(
    budget,
    ['name', 'window'],
    'A budget that binds the agent, and the passport that has it.',
    'The entries of all passports.',
  ),
  conditions: everyEntry(
    condition,
    ['at'],
    'A condition that binds the agent, and the passport that has it.',
    'The conditions of all passports.',
  ),
  pace: everyEntry(
    paceFields,
    ['name', 'max', 'seconds'],
    'A pace that binds the agent, and the passport that has it.',
    'The paces of all passports.',
  ),
  order: everyEntry(
    order,
    ['name', 'actions'],
    'A rule of order that binds the agent, and the passport that has it.',
    'The rules of order of all passports.',
  ),
  approval: closedObject(
    { ...approvalFields, actions: long(approvalFields.actions) },
    ['seconds'],
    'A person is asked where one of them says so; the shortest time and the most people count.',
  ),
};

const combined = Object.fromEntries(
  (Object.keys(COMBINATIONS) as CombinedField[]).map((field) => [
    field,
    OWN[field] ?? long(passportFields[field]),
  ]),
) as Readonly<Record<CombinedField, JsonSchema>>;

export const effectivePassport: JsonSchema = answer<EffectivePassport>(
  {
    agent_id: agentId,
    parent_agent_id,
    ancestors: {
      type: 'array',
      items: agentId,
      description: 'The agents above, nearest first.',
    },
    status: { type: 'string', enum: PASSPORT_STATUSES, description: 'The worst of all of them.' },
    suspended_until: nullable(instant),
    ...combined,
  },
  Object.keys(optionalFields),
);
