/** Passports to move: every field, every state, and texts that spellings may disagree about. */
import * as fc from 'fast-check';
import type { PassportToImport } from '../../adapters/cli/import/passport-line.ts';
import { MAX_ANCESTORS } from '../../src/base/values/field-limits.ts';
import type { PassportStanding } from '../../src/records/state.ts';
import type { PassportInput } from '../../src/records.ts';
import { ED25519_KEYS, P256_KEYS } from '../support/agent-keys.ts';

const ACTIONS = ['payments.create', 'orders.*', 'quotes:read', '*', 'a/b'];
const TARGETS = ['did:web:till.example.com', 'did:web:*.example.org'];
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((one) => !one.includes('\0'));
const instant = fc
  .date({ min: new Date('2030-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const past = fc
  .date({ min: new Date('2001-01-01T00:00:00Z'), max: new Date('2020-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const actions = fc.uniqueArray(fc.constantFrom(...ACTIONS), { maxLength: 3 });
const reason = fc.option(text);

const terms: fc.Arbitrary<Omit<PassportInput, 'domain' | 'agent_name'>> = fc.record(
  {
    allowed_actions: actions,
    monetary_limit_per_txn: fc.oneof(
      fc.integer({ min: 0, max: 10_000 }),
      fc.constantFrom('99.50', '0.10', '1000000000000000', '123456789012345.6'),
    ),
    denied_actions: actions,
    currency: fc.constantFrom('EUR', 'USD', 'CLF'),
    allowed_targets: fc.uniqueArray(fc.constantFrom(...TARGETS), { maxLength: 2 }),
    monetary_actions: actions,
    budgets: fc.constantFrom(
      [{ window: 'day', count: 5 }],
      [{ name: 'b', window: 'hour', count: 2, actions: ['orders.*'] }],
    ) as fc.Arbitrary<NonNullable<PassportInput['budgets']>>,
    not_before: past,
    expires_at: fc.oneof(
      instant,
      // A leap year has every day of the others.
      past.map((early) => `2024${early.slice(4)}`),
    ),
    proof: fc.constant('optional' as const),
    description: text,
    public_keys: fc.subarray([...ED25519_KEYS, ...P256_KEYS]),
    metadata: fc.dictionary(
      text.filter((name) => name !== '__proto__'),
      text,
      { maxKeys: 4 },
    ),
  },
  { requiredKeys: ['allowed_actions', 'monetary_limit_per_txn'] },
);

const standing: fc.Arbitrary<PassportStanding> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ status: 'active' as const }) },
  fc.record({
    status: fc.constant('suspended' as const),
    suspended_until: fc.option(fc.oneof(instant, past)),
    suspension_reason: reason,
  }),
  fc.record({
    status: fc.constant('revoked' as const),
    revoked_at: fc.option(past),
    revocation_reason: reason,
  }),
);

/** The agent before it that is its parent, by the number of places between them. */
const parent = fc.option(fc.integer({ min: 1, max: 5 }), { freq: 2 });

/** `count` passports of different agents, of a few domains; some are child agents of others, whatever the state of the parents. */
export function passportLists(count: number): fc.Arbitrary<readonly PassportToImport[]> {
  const all = fc.array(fc.tuple(terms, standing, parent), {
    minLength: count,
    maxLength: count,
    size: 'max',
  });
  return all.map((list) => {
    const depths: number[] = [];
    return list.map(([fields, state, back], index) => {
      const above = back === null ? -1 : index - back;
      const depth = above < 0 ? 0 : (depths[above] ?? 0) + 1;
      const isChild = depth > 0 && depth <= MAX_ANCESTORS;
      depths.push(isChild ? depth : 0);
      const parent_agent_id = `did:web:d${above % 7}.example.com:agents:a${above}`;
      const own = { domain: `d${index % 7}.example.com`, agent_name: `a${index}` };
      return { input: { ...own, ...(isChild && { parent_agent_id }), ...fields }, standing: state };
    });
  });
}
