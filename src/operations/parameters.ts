/** Query parameters that several operations share. */
import { ENVIRONMENTS } from '../base/values/vocabulary.ts';

/** A query parameter. Its value is text, which the service validates. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** The grammar of its text, which the schema does not contain. */
  readonly grammar?: 'domain' | 'agent_id' | 'event_id' | 'set_name';
  /** `true` if the parameter may have an empty value. */
  readonly mayBeEmpty?: boolean;
  /** `true` if the text `1` means `true`. */
  readonly isFlag?: true;
  /** `true` if only HTTP has the parameter, not the method. */
  readonly isOfHttp?: true;
}

/** The parameters of every list. */
export const PAGE: readonly QueryParameter[] = [
  {
    name: 'limit',
    description: 'How many at most, 1 to 100.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  },
  { name: 'cursor', description: 'next_cursor of the page before.', schema: { type: 'string' } },
];

/** A range of instants. The end is not included. */
export const RANGE: readonly QueryParameter[] = [
  { name: 'from', description: 'From this instant on.', schema: { type: 'string', format: 'date-time' } },
  {
    name: 'to',
    description: 'Up to this instant, without it.',
    schema: { type: 'string', format: 'date-time' },
  },
];

/** Selects one agent. */
export const AGENT: QueryParameter = {
  name: 'agent_id',
  description: 'Only this agent.',
  schema: { type: 'string' },
};

/** Selects one environment. */
export const ENVIRONMENT: QueryParameter = {
  name: 'environment',
  description: 'Only what keys of this environment asked for.',
  schema: { type: 'string', enum: ENVIRONMENTS },
};

/** Says whether the CSV begins with a byte order mark. */
export const BYTE_ORDER_MARK: QueryParameter = {
  name: 'bom',
  description: 'true: the CSV begins with a byte order mark, by which spreadsheets know UTF-8.',
  schema: { type: 'boolean' },
  isOfHttp: true,
};

/** The number of days without a use. */
export const UNUSED: QueryParameter = {
  name: 'unused_days',
  description: 'Only those that are older than this number of days, and were not used since.',
  schema: { type: 'integer', minimum: 1, maximum: 365 },
};
