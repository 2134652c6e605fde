/** Random pairs of orders: a comparison that finds nothing wider misses no intent and no history. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Order, Passport } from '../../../src/records.ts';
import { compare, compareFields } from '../../../src/verdict/compare/index.ts';
import { decide } from '../../../src/verdict/index.ts';
import { nightly, seedOf, sized } from '../../support/runs.ts';

const AGENT = 'did:web:ops.example:agents:deployer';
const AT = '2026-11-20T12:00:00.000Z';
const NOW = Date.parse(AT);
const ACTIONS = ['deploy.run', 'tests.run', 'tests.lint', 'files.read'];
const PATTERNS = [...ACTIONS, 'tests.*', 'deploy.*', '*'];

function passportWith(order: readonly Order[]): Passport {
  return {
    agent_id: AGENT,
    allowed_actions: ACTIONS,
    monetary_limit_per_txn: 0,
    status: 'active',
    version: 1,
    updated_at: AT,
    order,
  } as unknown as Passport;
}

const listArbitrary = fc.subarray(PATTERNS, { minLength: 1, maxLength: 2 });
const secondsArbitrary = fc.constantFrom(1, 2, 3);
const ruleArbitrary = fc.record({
  name: fc.constantFrom('x', 'y'),
  actions: listArbitrary,
  rule: fc.oneof(
    fc.record({ needs: fc.record({ actions: listArbitrary, seconds: secondsArbitrary }) }),
    fc.record({
      forbids: fc.record(
        { actions: listArbitrary, seconds: secondsArbitrary, failed: fc.constantFrom(1, 2, 3) },
        { requiredKeys: ['actions', 'seconds'] },
      ),
    }),
  ),
  same: fc.constantFrom<readonly string[]>([], ['session'], ['/commit']),
});
const orderArbitrary: fc.Arbitrary<readonly Order[]> = fc
  .uniqueArray(ruleArbitrary, { selector: ({ name }) => name, maxLength: 2 })
  .map((rules) =>
    rules.map(
      ({ rule, same, ...named }) => ({ ...named, ...rule, ...(same.length > 0 && { same }) }) as Order,
    ),
  );

/** An action of an agent: an allowed intent, and its reported outcome. */
interface Done {
  readonly action: string;
  readonly msAgo: number;
  readonly outcome: 'succeeded' | 'failed' | null;
  readonly session: string;
  readonly commit: string;
}

const doneArbitrary: fc.Arbitrary<Done> = fc.record({
  action: fc.constantFrom(...ACTIONS),
  msAgo: fc.integer({ min: 1, max: 3_500 }),
  outcome: fc.constantFrom('succeeded', 'failed', null),
  session: fc.constantFrom('s', 't'),
  commit: fc.constantFrom('c', 'd'),
});

function covers(entries: readonly string[], action: string): boolean {
  return entries.some((entry) => entry === '*' || entry === action || entry === `${action.split('.')[0]}.*`);
}

/** The answer of the rule to an intent after these actions, by the contract and none of our code: `null` passes. */
function stateOf(
  { needs, forbids, same = [] }: Order,
  asked: Pick<Done, 'session' | 'commit'>,
  past: readonly Done[],
): string | null {
  const { actions, seconds } = needs ?? forbids ?? { actions: [], seconds: 0 };
  const counted = past.filter(
    (done) =>
      covers(actions, done.action) &&
      (!same.includes('session') || done.session === asked.session) &&
      (!same.includes('/commit') || done.commit === asked.commit),
  );
  const ends = counted.map(({ msAgo }) => NOW - msAgo + seconds * 1_000);
  if (needs) {
    const isDone = counted.some(({ outcome }, at) => outcome === 'succeeded' && (ends[at] ?? 0) >= NOW);
    return isDone ? null : new Date(NOW + 1_000).toISOString();
  }
  const least = forbids?.failed;
  const barring = ends.filter(
    (end, at) => end > NOW && (least === undefined || counted[at]?.outcome === 'failed'),
  );
  return barring.length >= (least ?? 1) ? new Date(Math.max(...barring)).toISOString() : null;
}

function verdictOf(
  order: readonly Order[],
  action: string,
  asked: Pick<Done, 'session' | 'commit'>,
  past: readonly Done[],
): string {
  const entries = order.map((rule) => [rule.name, stateOf(rule, asked, past)] as const);
  return decide({
    passport: passportWith(order),
    intent: { agent_id: AGENT, action, session: asked.session, parameters: { commit: asked.commit } },
    at: AT,
    history: { [AGENT]: Object.fromEntries(entries) },
  }).verdict;
}

test('no history passes the later orders and fails the earlier ones, if the comparison finds nothing wider', () => {
  const seen = new Set<string>();
  let wider = 0;
  fc.assert(
    fc.property(
      orderArbitrary,
      orderArbitrary,
      fc.array(
        fc.tuple(fc.constantFrom(...ACTIONS), doneArbitrary, fc.array(doneArbitrary, { maxLength: 5 })),
        { minLength: 50, maxLength: 50 },
      ),
      (before, after, questions) => {
        const [earlier, later] = [passportWith(before), passportWith(after)];
        const comparison = compare(earlier, later);
        seen.add(comparison.result);
        for (const [action, asked, past] of questions) {
          const [was, is] = [before, after].map((order) => verdictOf(order, action, asked, past));
          if (was === 'DENY' && is === 'ALLOW') {
            wider += 1;
            expect(comparison.wider).not.toEqual([]);
            expect(compareFields(earlier, later).wider).not.toEqual([]);
          }
          if (was === 'ALLOW' && is === 'DENY') expect(comparison.narrower).not.toEqual([]);
        }
      },
    ),
    { numRuns: nightly(20_000, sized(5_000, 300)), seed: seedOf(54) },
  );
  expect([...seen].sort()).toEqual(['crossing', 'equal', 'narrower', 'wider']);
  expect(wider).toBeGreaterThan(20);
});
