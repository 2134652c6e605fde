/** Random additions to counters, counters to forget, and random inserts of domains. */
import fc from 'fast-check';
import type { Change } from '../../src/ports/index.ts';
import { forget } from '../../src/testing/storage-contract/fixtures.ts';
import { insertDomain } from './calls.ts';

export const AT = '2026-11-20T12:00:00.000Z';
export const LATER = '2026-11-21T12:00:00.000Z';

export function add(counter: string, by: number, more: Partial<Extract<Change, { op: 'add' }>> = {}): Change {
  return { op: 'add', counter, by, at: AT, ...more };
}

const COUNTER = fc.constantFrom('one', 'two', 'zwölf', '\ud83d\ude00', '\uffee');

export const FORGETTING: fc.Arbitrary<Change> = COUNTER.map(forget);

export const ADDITION: fc.Arbitrary<Change> = fc
  .record({
    counter: COUNTER,
    // Not 0, which reads without a lock.
    by: fc.integer({ min: -3, max: 5 }).filter((by) => by !== 0),
    at: fc.constantFrom(AT, LATER),
    max: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
    expires_at: fc.constantFrom(undefined, AT, LATER, '2027-01-01T00:00:00.000Z'),
    renew: fc.constantFrom(undefined, true as const),
  })
  .map(
    ({ max, expires_at, renew, ...fields }): Change => ({
      op: 'add',
      ...fields,
      ...(max !== undefined && { max }),
      ...(expires_at !== undefined && { expires_at }),
      ...(renew && { renew }),
    }),
  );
export const RECORD: fc.Arbitrary<Change> = fc
  .constantFrom('a.example', 'b.example', 'c.example')
  .map(insertDomain);
