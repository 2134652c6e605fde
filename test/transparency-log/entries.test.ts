/** The entries of a log. */
import { createHash } from 'node:crypto';
import canonicalizeModule from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { secureRandom } from '../../src/platform/index.ts';
import {
  type EntryContent,
  entryText,
  loggedRecord,
  MAX_ENTRY_BYTES,
} from '../../src/transparency-log/entries.ts';
import { recordOf } from '../journal-format/records.ts';

// Its types export the function as a module.
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string;

const change = (data: unknown): EntryContent => ({
  kind: 'change',
  event: { id: 'evt_1', type: 'passport.created', timestamp: '2026-11-20T12:00:00.000Z', data },
});

test('an entry is one line of canonical JSON with a salt of its own', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      const [one, two] = [1, 2].map(() => entryText(change(data), 'acc_1', secureRandom)) as [string, string];
      const read = JSON.parse(one);
      expect(one).toBe(canonicalize(read));
      expect(one).not.toContain('\n');
      expect(read).toEqual({ ...JSON.parse(two), salt: read.salt });
      expect(read).toMatchObject({ v: 1, kind: 'change', account_id: 'acc_1' });
      expect([read.salt.length, read.salt === JSON.parse(two).salt]).toEqual([22, false]);
    }),
  );
});

test('a change that is too long has the digest of its data', () => {
  const longest = (bytes: number) => ({ text: 'ö'.repeat(bytes / 2) });
  const size = (data: unknown) => Buffer.byteLength(entryText(change(data), 'acc_1', secureRandom));
  const rest = size(longest(0));
  expect(size(longest(MAX_ENTRY_BYTES - rest - (rest % 2)))).toBeGreaterThan(MAX_ENTRY_BYTES - 2);
  const data = longest(MAX_ENTRY_BYTES);
  const digest = createHash('sha256').update(JSON.stringify(data)).digest('hex');
  expect(JSON.parse(entryText(change(data), 'acc_1', secureRandom)).event.data).toEqual({ digest });
});

test('an entry of another kind that is too long is an error', () => {
  const record = loggedRecord(recordOf(1, { target: 'x'.repeat(MAX_ENTRY_BYTES) }));
  expect(() => entryText({ kind: 'verdict', record }, 'acc_1', secureRandom)).toThrow(RangeError);
});

test('leaves what third parties must not read out of the record of a permit', () => {
  const record = recordOf(1, { request_id: 'r', trace_id: 't', key_id: 'k' });
  const logged = loggedRecord(record);
  expect(logged).toEqual({
    ...record,
    budgets: undefined,
    key_id: undefined,
    request_id: undefined,
    trace_id: undefined,
  });
  expect(Object.keys(logged)).not.toContain('key_id');
  expect(entryText({ kind: 'verdict', record: logged }, 'a', secureRandom)).not.toMatch(
    /key_id|budgets|trace_id/,
  );
});
