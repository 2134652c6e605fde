import { Option } from 'commander';
import type { Page } from '../../../src/index.ts';
import { wholeNumber } from '../input/whole-number.ts';

export interface LimitOptions {
  readonly limit?: number;
}

export function limitOption(): Option {
  return new Option('--limit <number>', 'the most records to print, 1 to 10000').argParser(
    wholeNumber(1, 10_000),
  );
}

export function csvOption(record: string): Option {
  const text = `print every matching ${record} as CSV, without --limit and --json`;
  return new Option('--csv', text).conflicts(['json', 'limit']);
}

/**
 * Reads the first records of a list, or all records without a limit, as one page. The page has no cursor, because a
 * cursor would be invalid after the process ends.
 */
export async function firstRecords<Whole extends Page<unknown>>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Whole>,
  { limit = Number.POSITIVE_INFINITY }: LimitOptions = {},
): Promise<Whole> {
  let page = await read({ limit: Math.min(100, limit) });
  const data = [...page.data];
  while (page.next_cursor !== null && data.length < limit) {
    page = await read({ limit: Math.min(100, limit - data.length), cursor: page.next_cursor });
    data.push(...page.data);
  }
  return { ...page, data, next_cursor: null };
}

/** Creates the option for the number of days without a use. `records` names the records and describes a use. */
export function unusedOption(records: string): Option {
  const text = `list only ${records} for this number of days, 1 to 365`;
  return new Option('--unused-days <number>', text).argParser((value) =>
    /^[0-9]{1,3}$/.test(value) ? Number(value) : value,
  );
}
