/** Describes the valid values of the fields of a query, for error messages. */
export const OF_PAGES: Readonly<Record<'limit' | 'cursor' | 'unused_days', string>> = {
  limit: 'a whole number from 1 to 100',
  unused_days: 'a whole number from 1 to 365',
  cursor: 'the next_cursor of the page before',
};
