/** Defines the filters of the list of passports, in the form of the HTTP endpoint. */
import { PASSPORT_STATUSES } from '../../base/values/passport-status.ts';
import type { QueryParameter } from '../../operations/parameters.ts';

export const PASSPORT_FILTERS: readonly QueryParameter[] = [
  {
    name: 'status',
    description: 'Only passports of this status now.',
    schema: { type: 'string', enum: PASSPORT_STATUSES },
  },
  {
    name: 'domain',
    description: 'Only passports of this domain.',
    schema: { type: 'string' },
    grammar: 'domain',
  },
  {
    name: 'parent_agent_id',
    description: 'Only the child agents of this agent.',
    schema: { type: 'string' },
    grammar: 'agent_id',
  },
  {
    name: 'managed_by',
    description: 'Only passports of this set of files.',
    schema: { type: 'string' },
    grammar: 'set_name',
  },
  {
    name: 'owner',
    description: 'Only passports of this owner.',
    schema: { type: 'string', minLength: 1 },
  },
];
