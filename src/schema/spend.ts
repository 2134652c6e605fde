/** The schemas of requests about spends. */
import { usage } from './budget.ts';
import { amount, holdSeconds } from './fields.ts';
import { closedObject, type JsonSchema } from './json-schema.ts';

export type SpendRequestName = 'SettleRequest' | 'CommitRequest' | 'ExtendRequest';

export const spendRequests: Readonly<Record<SpendRequestName, JsonSchema>> = {
  SettleRequest: closedObject(
    { amount: { ...amount, description: 'An exact decimal above 0. Absent: all of it.' } },
    [],
    'How much of a spend.',
  ),
  CommitRequest: closedObject(
    {
      amount: { ...amount, description: 'An exact decimal above 0. Absent: as held.' },
      usage: { ...usage, description: 'In units that the spend has. Absent: as held.' },
    },
    [],
    'How much of a hold, or more with overrun.',
  ),
  ExtendRequest: closedObject({ hold_seconds: holdSeconds }, ['hold_seconds'], 'The new length of a hold.'),
};
