/** The query parameters of every list. */

import type { QueryParameter } from '../operations/operation.ts';
import type { PageRequest } from '../service.ts';

/** The parameters `limit` and `cursor`, as the table describes them. */
export const pageParameters: readonly QueryParameter[] = [
  {
    name: 'limit',
    description: 'How many at most, 1 to 100.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  },
  { name: 'cursor', description: 'next_cursor of the page before.', schema: { type: 'string' } },
];

/** Reads the page request from a query that was checked against the table. */
export function pageOf({ limit, cursor }: Readonly<Record<string, string>>): PageRequest {
  return {
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(cursor !== undefined && { cursor }),
  };
}
