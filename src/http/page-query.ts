/** The query parameters that every list has. */
import type { PageRequest } from '../service.ts';
import type { QueryParameter } from './endpoint.ts';

/** `limit` and `cursor`, as they stand in the table. */
export const pageParameters: readonly QueryParameter[] = [
  {
    name: 'limit',
    description: 'How many at most, 1 to 100.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  },
  { name: 'cursor', description: 'next_cursor of the page before.', schema: { type: 'string' } },
];

/** The page that a query asks for, which fits the table. */
export function pageOf({ limit, cursor }: Readonly<Record<string, string>>): PageRequest {
  return {
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(cursor !== undefined && { cursor }),
  };
}
