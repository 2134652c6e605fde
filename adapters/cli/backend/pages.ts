import { InvalidArgumentError, Option } from 'commander';
import type { Page } from '../../../src/index.ts';

/** The number of records that a verb lists; default: all. */
export interface LimitOptions {
  readonly limit?: number;
}

/** Returns `--limit` of a verb that lists. */
export function limitOption(): Option {
  return new Option('--limit <number>', 'how many at most, 1 to 10000').argParser(readLimit);
}

/**
 * Reads the first records of a list, or all of them without a limit, as one page. The page has no cursor, which would
 * end with the process.
 */
export async function firstRecords<Whole extends Page<unknown>>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Whole>,
  { limit: most = Number.POSITIVE_INFINITY }: LimitOptions = {},
): Promise<Whole> {
  let page = await read({ limit: Math.min(100, most) });
  const data = [...page.data];
  while (page.next_cursor !== null && data.length < most) {
    page = await read({ limit: Math.min(100, most - data.length), cursor: page.next_cursor });
    data.push(...page.data);
  }
  return { ...page, data, next_cursor: null };
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (/^[0-9]{1,5}$/.test(text) && limit >= 1 && limit <= 10_000) return limit;
  throw new InvalidArgumentError('It must be a whole number from 1 to 10000.');
}
