/** The schema of the rules of order of a passport. The service checks their details with its own code. */
import { MAX_FAILED, MAX_ORDER_SECONDS, MAX_ORDERS, MAX_SAME } from '../base/values/order.ts';
import { MAX_SESSION_LENGTH, SESSION_PATTERN } from '../base/values/subject.ts';
import type { Order, OrderForbids, OrderNeeds } from '../records.ts';
import { actionEntries } from './fields.ts';
import { closedObject, type JsonSchema } from './json-schema.ts';

const actions: JsonSchema = { ...actionEntries, minItems: 1 };
const seconds: JsonSchema = { type: 'integer', minimum: 1, maximum: MAX_ORDER_SECONDS };

const needs: Readonly<Record<keyof OrderNeeds, JsonSchema>> = {
  actions: { ...actions, description: 'One of them was allowed and reported as succeeded.' },
  seconds: { ...seconds, description: 'The age up to which its verdict counts.' },
};

const forbids: Readonly<Record<keyof OrderForbids, JsonSchema>> = {
  actions: { ...actions, description: 'One of them was allowed, whatever its outcome.' },
  seconds: { ...seconds, description: 'How long it forbids the others.' },
  failed: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_FAILED,
    description: 'The reports of failed from which on. Absent: every ALLOW forbids.',
  },
};

export const order: Readonly<Record<keyof Order, JsonSchema>> = {
  name: { type: 'string', description: '[a-z][a-z0-9_-]{0,31}, unique over pace and order.' },
  actions: { ...actions, description: 'The actions that it denies.' },
  needs: closedObject(needs, ['actions', 'seconds'], 'The action that must come before.'),
  forbids: closedObject(forbids, ['actions', 'seconds'], 'The action that must not come before.'),
  same: {
    type: 'array',
    items: { type: 'string', maxLength: 256 },
    maxItems: MAX_SAME,
    uniqueItems: true,
    description:
      'The values that count together: session, target, JSON Pointers into parameters. Absent: the whole agent.',
  },
};

export const orders: JsonSchema = {
  type: 'array',
  items: closedObject(order, ['name', 'actions'], 'A rule with exactly one of needs and forbids.'),
  maxItems: MAX_ORDERS,
  description: 'The earlier actions that an agent needs, and those that forbid others.',
  examples: [
    [
      {
        name: 'tested',
        actions: ['deploy.run'],
        needs: { actions: ['tests.run'], seconds: 3600 },
        same: ['/commit'],
      },
    ],
  ],
};

/** The schema for checking requests. Code checks the rules themselves, so that each mistake has only one error. */
export const anyOrders: JsonSchema = { type: 'array', maxItems: MAX_ORDERS };

export const session: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_SESSION_LENGTH,
  pattern: SESSION_PATTERN,
  description: 'One run of the agent, for rules of order. It is not recorded.',
};
