import { expect, test } from 'vitest';
import { COLLECTION_NAMES, collections } from '../../src/ports/index.ts';

/** The collections for which the erasure has its own code, and those without data of an account. */
const WITHOUT_OWNER = [
  'accounts',
  'domains',
  'erasures',
  'events',
  'log_entries',
  'log_heads',
  'log_tiles',
  'passport_versions',
  'passports',
  'shared_texts',
  'signing_keys',
  'status_slots',
  'webhook_deliveries',
  'webhooks',
];

test('each collection names its owner, or the erasure has its own code for it', () => {
  expect(COLLECTION_NAMES.filter((name) => collections[name].owner === undefined)).toEqual(WITHOUT_OWNER);
});

test.each(COLLECTION_NAMES)('lists %s by fields that hold text, and by the account of an owner', (name) => {
  const { fields, lists, due = [], expired = [], owner } = collections[name];
  for (const field of [...lists.flat(), ...due, ...expired]) {
    expect(field === 'account_id' || fields[field]?.startsWith('text')).toBe(true);
  }
  if (owner !== undefined) expect(lists).toContainEqual([owner.account]);
});
